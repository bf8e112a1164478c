// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Time and memory of `HYPRE_TesseraSetup` and of BoomerAMG's setup for the same matrix of hypre's,
/// whose own arrays are not counted: what the heap holds afterwards, and the most that the process
/// had at once. Then new values in the same pattern.
///
///     mpirun -n 2 tessera_perf_compare_hypre_setup poisson3d:n=80 --tessera amg.reuse=symbolic
#include "app/settings.hpp"
#include "support/hypre_solve.hpp"
#include "support/real_systems.hpp"
#include "support/record.hpp"
#include "support/share_of_problem.hpp"
#include "tessera/distributed/mpi/mpi_communicator.hpp"

#include <HYPRE_tessera.h>
#include <malloc.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Space = tessera::DeviceSpace;
using Communicator = tessera::distributed::Communicator;

struct Options {
  std::vector<std::string> problems{"poisson3d:n=80"};
  std::vector<std::string> parameters{""};
  int repeats = 5;
  std::string out;
};

/// Bytes of the heap that are in use. Kokkos's arrays of a host and hypre's are among them.
double heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

/// Bytes by a line of /proc/self/status.
double status_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name)) return 1024 * std::stod(line.substr(name.size() + 1));
  return 0;
}

/// From now on the peak is counted from here, and free memory of the heap is not resident.
void forget_peak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;
}

/// The matrix in hypre's arrays; those of the gallery are gone.
struct Problem {
  std::unique_ptr<tessera::perf::HypreSystem> system;
  std::int64_t entries = 0;  ///< of all processes
  int block_size = 1;

  Problem(const Space& exec, const Communicator& processes, const std::string& text) {
    const auto gallery =
        tessera::app::gallery_parameters(tessera::perf::gallery_case(text).problem);
    const tessera::perf::ShareOfProblem made(exec, gallery, processes);
    block_size = made.own.block_size;
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(processes.size()));
    processes.all_gather(made.own.A.num_rows, sizes);
    HYPRE_BigInt first = 0;
    for (int process = 0; process < processes.rank(); ++process)
      first += static_cast<HYPRE_BigInt>(sizes[static_cast<std::size_t>(process)]);
    system = std::make_unique<tessera::perf::HypreSystem>(
        first, std::span<const std::int64_t>(made.own.A.offsets.data(), made.own.A.num_rows + 1U),
        made.columns.data(), made.own.A.values.data(), made.b.data());
    entries = processes.sum_of(static_cast<std::int64_t>(made.own.A.num_entries()));
  }
};

struct Measured {
  double setup_ms = 0;  ///< the least of several
  double update_ms = 0;
  double apply_ms = 0;  ///< once as a preconditioner
  double held_bytes = 0;  ///< of all processes
  double held_after_update_bytes = 0;
  double peak_bytes = 0;  ///< of all processes' own peaks
};

void check(HYPRE_Int flag) {
  if (flag == 0) return;
  const char* text = "";
  HYPRE_TesseraGetErrorMessage(&text);
  throw std::runtime_error(std::string("hypre's flag is set: ") + text);
}

/// `make` returns a solver whose setup is `set_up`, and which `apply` applies; `destroy` frees it.
template <class Make, class Call, class Destroy>
Measured measure(const Communicator& processes, const Problem& problem, int repeats,
                 const Make& make, const Call& set_up, const Call& apply, const Destroy& destroy) {
  Measured least;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    Measured now;
    forget_peak();
    const double heap_before = heap_bytes();
    const double resident_before = status_bytes("VmRSS");
    const HYPRE_Solver solver = make();
    const auto timed = [&](const Call& call) {
      processes.sum_of(1.0);
      const double start = MPI_Wtime();
      check(call(solver, problem.system->A, problem.system->b, problem.system->x));
      return processes.maximum_of(1e3 * (MPI_Wtime() - start));
    };
    now.setup_ms = timed(set_up);
    now.held_bytes = heap_bytes() - heap_before;
    now.peak_bytes = status_bytes("VmHWM") - resident_before;
    now.update_ms = timed(set_up);
    now.held_after_update_bytes = heap_bytes() - heap_before;
    now.apply_ms = timed(apply);
    for (int k = 0; k < 10; ++k)
      now.apply_ms = std::min(now.apply_ms, timed(apply));
    destroy(solver);
    double sums[] = {now.held_bytes, now.peak_bytes, now.held_after_update_bytes};
    processes.sum(std::span<double>(sums));
    if (repeat == 0) {
      least = now;
      least.held_bytes = sums[0];
      least.peak_bytes = sums[1];
      least.held_after_update_bytes = sums[2];
    }
    least.setup_ms = std::min(least.setup_ms, now.setup_ms);
    least.update_ms = std::min(least.update_ms, now.update_ms);
    least.apply_ms = std::min(least.apply_ms, now.apply_ms);
    // A first time may load and start what is there from then on.
    least.held_bytes = std::min(least.held_bytes, sums[0]);
    least.peak_bytes = std::min(least.peak_bytes, sums[1]);
    least.held_after_update_bytes = std::min(least.held_after_update_bytes, sums[2]);
  }
  return least;
}

void report(const Communicator& processes, const std::string& name, const Problem& problem,
            const std::string& by, const Measured& made, nlohmann::json& results) {
  if (processes.rank() > 0) return;
  const auto per_entry = [&](double bytes) { return bytes / static_cast<double>(problem.entries); };
  std::printf("| %s | %d | %s | %.0f | %.0f | %.1f | %.1f | %.1f | %.1f |\n", name.c_str(),
              processes.size(), by.c_str(), made.setup_ms, made.update_ms, made.apply_ms,
              per_entry(made.held_bytes), per_entry(made.held_after_update_bytes),
              per_entry(made.peak_bytes));
  std::fflush(stdout);
  results.push_back({{"problem", name},
                     {"by", by},
                     {"entries", problem.entries},
                     {"setup_ms", made.setup_ms},
                     {"update_ms", made.update_ms},
                     {"apply_ms", made.apply_ms},
                     {"held_bytes", made.held_bytes},
                     {"held_after_update_bytes", made.held_after_update_bytes},
                     {"peak_bytes", made.peak_bytes}});
}

void run(const Communicator& processes, const Options& options) {
  const Space exec;
  nlohmann::json results = nlohmann::json::array();
  if (processes.rank() == 0)
    std::printf(
        "| problem | processes | by | setup, ms | new values, ms | application, ms | held, bytes "
        "per entry | after "
        "new "
        "values | at most |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const std::string& name : options.problems) {
    const Problem problem(exec, processes, name);
    const auto by_tessera = [&](const std::string& words) {
      return [&, words] {
        HYPRE_Solver solver = nullptr;
        check(HYPRE_TesseraCreate(&solver));
        check(HYPRE_TesseraSetNumFunctions(solver, problem.block_size));
        std::string blanks = words;
        std::ranges::replace(blanks, ',', ' ');
        check(HYPRE_TesseraSetParameters(solver, blanks.c_str()));
        return solver;
      };
    };
    for (const std::string& words : options.parameters)
      report(processes, name, problem, words.empty() ? "Tessera" : "Tessera, " + words,
             measure(processes, problem, options.repeats, by_tessera(words), HYPRE_TesseraSetup,
                     HYPRE_TesseraSolve, HYPRE_TesseraDestroy),
             results);
    const auto by_boomeramg = [&] {
      const HYPRE_Solver amg = tessera::perf::make_boomeramg(tessera::perf::HypreDefaults::cpu);
      HYPRE_BoomerAMGSetNumFunctions(amg, problem.block_size);
      return amg;
    };
    report(processes, name, problem, "BoomerAMG",
           measure(processes, problem, options.repeats, by_boomeramg, HYPRE_BoomerAMGSetup,
                   HYPRE_BoomerAMGSolve, HYPRE_BoomerAMGDestroy),
           results);
  }
  if (processes.rank() == 0)
    tessera::perf::write_record(options.out, {{"processes", processes.size()},
                                              {"hypre_version", HYPRE_RELEASE_VERSION},
                                              {"results", results}});
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Time and memory of setups for hypre's matrices, by Tessera and by BoomerAMG"};
  Options options;
  app.add_option("problems", options.problems,
                 "of the gallery, as NAME:KEY=VALUE,KEY=VALUE, in the order of its rows");
  app.add_option("--tessera", options.parameters,
                 "Tessera's parameters, a word KEY=VALUE,KEY=VALUE for each row of the table; an "
                 "empty one is the defaults");
  app.add_option("--repeats", options.repeats, "of which the least counts");
  app.add_option("--out", options.out, "JSON file");
  CLI11_PARSE(app, argc, argv);

  const tessera::perf::MpiProcesses mpi(argc, argv);
  const tessera::perf::HypreLibrary hypre;
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    run(*tessera::distributed::mpi_communicator(MPI_COMM_WORLD), options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "process %d: %s\n", mpi.rank(), error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return 0;
}
