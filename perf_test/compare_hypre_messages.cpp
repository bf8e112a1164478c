// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What Tessera and hypre's BoomerAMG send through MPI in one application of the preconditioner,
/// and in a setup, on the same matrix in the same shares: messages, bytes and collectives, counted
/// where MPI is called. Nothing is timed.
///
///     mpirun -n 8 tessera_perf_compare_hypre_messages poisson3d:n=48 boxes:m=24
#include "app/settings.hpp"
#include "support/boxes_of_grid.hpp"
#include "support/hypre_solve.hpp"
#include "support/mpi_counts.hpp"
#include "support/real_systems.hpp"
#include "support/record.hpp"
#include "support/share_of_problem.hpp"
#include "tessera/distributed/mpi/mpi_communicator.hpp"
#include "tessera/parameters/parameter_tree.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using Space = tessera::DeviceSpace;
using Communicator = tessera::distributed::Communicator;
using tessera::perf::MpiCounts;

constexpr int max_iterations = 500;

struct Options {
  std::vector<std::string> problems{"poisson3d:n=48", "boxes:m=24"};
  std::vector<std::string> parameters{""};
  bool with_hypre = true;
  double tolerance = 1e-8;
  std::string out;
};

/// A process's rows where Tessera wants them and where hypre does.
struct Share {
  int block_size = 1;
  std::int64_t first_row = 0;
  std::int64_t num_all_rows = 0;
  std::vector<std::int64_t> offsets;
  std::vector<std::int64_t> columns;
  std::vector<double> values;
  std::vector<double> b;
  tessera::MultiVector<double, Space> near_nullspace;
};

template <class T>
tessera::Array<T, Space> on_device(const std::vector<T>& host) {
  using Given = Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  tessera::Array<T, Space> copy("tessera::perf::share", host.size());
  Kokkos::deep_copy(copy, Given(host.data(), host.size()));
  return copy;
}

template <class View>
auto on_host(const View& view) {
  const auto copy = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  using T = typename View::non_const_value_type;
  return std::vector<T>(copy.data(), copy.data() + copy.extent(0));
}

Share share_in_boxes(const Communicator& processes, int m) {
  tessera::perf::BoxOfGrid box(processes, m);
  Share share;
  share.first_row = box.first_row;
  share.num_all_rows = box.num_all_rows;
  share.offsets = std::move(box.offsets);
  share.columns = std::move(box.columns);
  share.values = std::move(box.values);
  for (std::size_t i = 0; i + 1 < share.offsets.size(); ++i) {
    const auto row = static_cast<std::uint32_t>(share.first_row + static_cast<std::int64_t>(i));
    share.b.push_back(0x1p-31 * tessera::kernels::hash32(row) - 1.0);
  }
  return share;
}

/// POINTS of "boxes:m=POINTS".
int points_of(const std::string& text) {
  constexpr int largest = 500;
  int points = 0;
  const char* const end = text.data() + text.size();
  const auto digits = text.find("m=");
  if (digits != std::string::npos) {
    const auto [behind, error] = std::from_chars(text.data() + digits + 2, end, points);
    if (error == std::errc() && behind == end && points >= 1 && points <= largest) return points;
  }
  throw std::invalid_argument(text + ": expected boxes:m=M with M from 1 to " +
                              std::to_string(largest));
}

/// "boxes:m=POINTS", or a problem of the gallery in the order of its rows.
Share make_share(const Space& exec, const Communicator& processes, const std::string& text) {
  if (text.starts_with("boxes:")) return share_in_boxes(processes, points_of(text));
  const auto gallery = tessera::app::gallery_parameters(tessera::perf::gallery_case(text).problem);
  const tessera::perf::ShareOfProblem made(exec, gallery, processes);
  Share share;
  share.block_size = made.own.block_size;
  share.num_all_rows = made.num_all_rows;
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(processes.size()));
  processes.all_gather(made.own.A.num_rows, sizes);
  for (int process = 0; process < processes.rank(); ++process)
    share.first_row += sizes[static_cast<std::size_t>(process)];
  share.offsets = on_host(made.own.A.offsets);
  share.columns = on_host(made.columns);
  share.values = on_host(made.own.A.values);
  share.b = on_host(Kokkos::subview(made.b, Kokkos::ALL(), 0));
  share.near_nullspace = made.own.near_nullspace;
  return share;
}

/// Of all processes: sums, and the most of one.
struct Counted {
  std::int64_t messages = 0, bytes = 0;
  std::int64_t max_messages = 0, max_bytes = 0;
  std::int64_t collectives = 0, collective_bytes = 0;

  Counted() = default;
  Counted(const Communicator& processes, const MpiCounts& own) {
    std::int64_t sums[] = {own.messages, own.bytes, own.collective_bytes};
    double most[] = {static_cast<double>(own.messages), static_cast<double>(own.bytes),
                     static_cast<double>(own.collectives)};
    processes.sum(std::span<std::int64_t>(sums));
    processes.maximum(most);
    messages = sums[0];
    bytes = sums[1];
    collective_bytes = sums[2];
    max_messages = static_cast<std::int64_t>(most[0]);
    max_bytes = static_cast<std::int64_t>(most[1]);
    collectives = static_cast<std::int64_t>(most[2]);
  }
  nlohmann::json json() const {
    return {{"messages", messages},         {"bytes", bytes},
            {"max_messages", max_messages}, {"max_bytes", max_bytes},
            {"collectives", collectives},   {"collective_bytes", collective_bytes}};
  }
};

/// What `work` sends.
template <class Work>
Counted count(const Communicator& processes, const Work& work) {
  const MpiCounts before = tessera::perf::mpi_counts();
  work();
  return {processes, tessera::perf::mpi_counts() - before};
}

struct Measured {
  std::string by;
  std::vector<std::int64_t> rows, entries;  ///< by level
  int iterations = 0;
  Counted setup, cycle;
};

Measured of_tessera(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                    const Share& share, const std::string& settings, const Options& options) {
  tessera::distributed::Parameters parameters;
  parameters.solve.solver.tolerance = options.tolerance;
  parameters.solve.solver.max_iterations = max_iterations;
  parameters.block_size = share.block_size;
  tessera::parameters::ParameterTree tree(parameters);
  std::stringstream words(settings);
  for (std::string word; std::getline(words, word, ',');) {
    const auto equals = word.find('=');
    if (equals == std::string::npos) throw std::invalid_argument(word + " is not KEY=VALUE");
    tree.set_text(word.substr(0, equals), word.substr(equals + 1), "-p " + word);
  }
  tessera::distributed::Solver<Space> solver(processes, parameters);
  const auto offsets = on_device(share.offsets);
  const auto columns = on_device(share.columns);
  const auto values = on_device(share.values);
  const Counted setup = count(
      *processes, [&] { solver.setup(exec, {offsets, columns, values}, share.near_nullspace); });
  const tessera::MultiVector<double, Space> b("tessera::perf::b", share.b.size(), 1);
  const tessera::MultiVector<double, Space> x("tessera::perf::x", share.b.size(), 1);
  Kokkos::deep_copy(Kokkos::subview(b, Kokkos::ALL(), 0), on_device(share.b));
  solver.apply_preconditioner(exec, b, x);  // a first time may make room, and agree on it
  const Counted cycle = count(*processes, [&] { solver.apply_preconditioner(exec, b, x); });
  const auto counted = solver.cycle_traffic(exec);
  if (counted.messages != cycle.messages || counted.bytes != cycle.bytes ||
      counted.reductions != cycle.collectives)
    throw std::runtime_error("Tessera counts other messages than go through MPI");
  Measured made;
  made.by = settings.empty() ? "Tessera" : "Tessera, " + settings;
  made.setup = setup;
  made.cycle = cycle;
  Kokkos::deep_copy(exec, x, 0.0);
  made.iterations = solver.solve(exec, b, x).iterations;
  for (const auto& level : solver.hierarchy().levels) {
    made.rows.push_back(level.rows);
    made.entries.push_back(level.entries);
  }
  return made;
}

/// What BoomerAMG is told, of one V-cycle with one sweep before and after the coarse correction.
struct HypreChoice {
  const char* name;
  tessera::perf::HypreDefaults defaults;
  double threshold;
  int aggressive_levels;
};
constexpr HypreChoice hypre_choices[] = {
    {"hypre, PMIS, l1-Jacobi", tessera::perf::HypreDefaults::gpu, 0.25, 0},
    {"hypre, HMIS, l1-Gauss-Seidel", tessera::perf::HypreDefaults::cpu, 0.25, 0},
    {"hypre, the same, threshold 0.5", tessera::perf::HypreDefaults::cpu, 0.5, 0},
    {"hypre, the same, 0.25, one aggressive level", tessera::perf::HypreDefaults::cpu, 0.25, 1},
};

Measured of_hypre(const Communicator& processes, const Share& share, const HypreChoice& choice,
                  const Options& options) {
  tessera::perf::HypreSystem system(static_cast<HYPRE_BigInt>(share.first_row),
                                    std::span<const std::int64_t>(share.offsets),
                                    share.columns.data(), share.values.data(), share.b.data());
  const HYPRE_Solver amg = tessera::perf::make_boomeramg(choice.defaults);
  HYPRE_BoomerAMGSetStrongThreshold(amg, choice.threshold);
  HYPRE_BoomerAMGSetAggNumLevels(amg, choice.aggressive_levels);
  HYPRE_BoomerAMGSetNumFunctions(amg, share.block_size);
  tessera::perf::HyprePcg pcg(amg, options.tolerance, max_iterations);
  HYPRE_ParVectorSetConstantValues(system.x, 0.0);
  const Counted setup = count(processes, [&] { pcg.setup(system); });
  HYPRE_BoomerAMGSolve(amg, system.A, system.b, system.x);
  HYPRE_ParVectorSetConstantValues(system.x, 0.0);
  const Counted cycle =
      count(processes, [&] { HYPRE_BoomerAMGSolve(amg, system.A, system.b, system.x); });
  Measured made;
  made.by = choice.name;
  made.setup = setup;
  made.cycle = cycle;
  HYPRE_ParVectorSetConstantValues(system.x, 0.0);
  pcg.solve(system);
  made.iterations = pcg.iterations();
  // The last level that each point is on.
  std::vector<HYPRE_Int> last(system.rows.size());
  HYPRE_BoomerAMGGetGridHierarchy(amg, last.data());
  const auto most = last.empty() ? 0 : *std::ranges::max_element(last);
  const auto levels = static_cast<std::size_t>(processes.maximum_of(double(most))) + 1;
  made.rows.resize(levels);
  for (const HYPRE_Int level : last)
    for (HYPRE_Int l = 0; l <= level; ++l)
      ++made.rows[static_cast<std::size_t>(l)];
  processes.sum(std::span<std::int64_t>(made.rows));
  HYPRE_BoomerAMGDestroy(amg);
  return made;
}

/// Process 0 prints a line, and keeps the rest for the record.
void report(const Communicator& processes, const std::string& problem, const Measured& made,
            nlohmann::json& results) {
  if (processes.rank() > 0) return;
  std::printf(
      "| %s | %d | %s | %zu | %d | %lld | %.1f | %lld | %.1f | %lld | %lld | %.1f | %lld |\n",
      problem.c_str(), processes.size(), made.by.c_str(), made.rows.size(), made.iterations,
      static_cast<long long>(made.cycle.messages), 1e-3 * double(made.cycle.bytes),
      static_cast<long long>(made.cycle.max_messages), 1e-3 * double(made.cycle.max_bytes),
      static_cast<long long>(made.cycle.collectives), static_cast<long long>(made.setup.messages),
      1e-3 * double(made.setup.bytes), static_cast<long long>(made.setup.collectives));
  std::fflush(stdout);
  nlohmann::json row{{"problem", problem},
                     {"by", made.by},
                     {"iterations", made.iterations},
                     {"rows", made.rows},
                     {"cycle", made.cycle.json()},
                     {"setup", made.setup.json()}};
  if (!made.entries.empty()) row["entries"] = made.entries;
  results.push_back(row);
}

void run(const std::shared_ptr<const Communicator>& processes, const Options& options) {
  const Space exec;
  nlohmann::json results = nlohmann::json::array();
  if (processes->rank() == 0)
    std::printf(
        "| problem | processes | by | levels | iterations | messages | kB | of one process | kB | "
        "collectives | setup: messages | kB | collectives |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const std::string& problem : options.problems) {
    const Share share = make_share(exec, *processes, problem);
    for (const std::string& settings : options.parameters)
      report(*processes, problem, of_tessera(exec, processes, share, settings, options), results);
    if (!options.with_hypre) continue;
    for (const HypreChoice& choice : hypre_choices)
      report(*processes, problem, of_hypre(*processes, share, choice, options), results);
  }
  if (processes->rank() == 0)
    tessera::perf::write_record(options.out, {{"processes", processes->size()},
                                              {"tolerance", options.tolerance},
                                              {"hypre_version", HYPRE_RELEASE_VERSION},
                                              {"results", results}});
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Messages of Tessera's and of hypre's cycles, counted where MPI is called"};
  Options options;
  app.add_option(
      "problems", options.problems,
      "of the gallery, as NAME:KEY=VALUE,KEY=VALUE, in the order of its rows; boxes:m=M: "
      "the 7-point Laplacian with a box of M x M x M points per process");
  app.add_option("--tessera", options.parameters,
                 "Tessera's parameters, a word KEY=VALUE,KEY=VALUE for each row of the table; an "
                 "empty one is the defaults");
  app.add_flag("!--without-hypre", options.with_hypre, "Tessera alone");
  app.add_option("--tolerance", options.tolerance, "of the solves whose iterations are counted");
  app.add_option("--out", options.out, "JSON file");
  CLI11_PARSE(app, argc, argv);

  const tessera::perf::MpiProcesses mpi(argc, argv);
  const tessera::perf::HypreLibrary hypre;
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    run(tessera::distributed::mpi_communicator(MPI_COMM_WORLD), options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "process %d: %s\n", mpi.rank(), error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return 0;
}
