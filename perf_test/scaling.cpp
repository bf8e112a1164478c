// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Setup and solve over several processes, one a GPU where there are some: one number of processes
/// and one problem a run, of which each process makes its own rows.
///
/// Times are those of the slowest process, medians after one warm-up. All right-hand sides are
/// hashes of the rows' numbers, so that they do not depend on the number of processes.
#include "app/settings.hpp"
#include "support/distributed_steps.hpp"
#include "support/perf_processes.hpp"
#include "support/real_systems.hpp"
#include "support/run_options.hpp"
#include "support/share_of_problem.hpp"
#include "tessera/kernels/execution/memory_pool.hpp"

#include <cstdio>
#include <utility>

namespace {

using Space = tessera::DeviceSpace;
using Communicator = tessera::distributed::Communicator;
using Solver = tessera::distributed::Solver<Space>;
using tessera::perf::ShareOfProblem;
using tessera::perf::Timing;

struct Options {
  tessera::perf::RunOptions run;
  std::string communicator = "mpi";
  std::string problem = "poisson3d";
  int n = 64;
  bool strong = false;
  int gather_rows = tessera::distributed::Parameters{}.gather_rows;
  int rows_per_process = tessera::distributed::Parameters{}.rows_per_process;
  tessera::distributed::NcclOptions nccl;
  bool in_line = false;
  bool unrecorded = false;
  bool steps = false;
  int warm_solves = 3;

  void add_to(CLI::App& app) {
    app.add_option("--communicator", communicator,
                   "mpi (messages through the host), mpi-device (an MPI that takes device "
                   "pointers), nccl (one process a GPU) or alone")
        ->check(CLI::IsMember({"mpi", "mpi-device", "nccl", "alone"}));
    app.add_option("--problem", problem,
                   "of the gallery, as NAME:KEY=VALUE,KEY=VALUE; one whose size is not n (beam, "
                   "lshape) is shared out as it is");
    app.add_option("--n", n,
                   "the gallery's n for one process: with more of them the problem has as many "
                   "times its rows")
        ->check(CLI::PositiveNumber);
    app.add_flag("--strong", strong, "n is of all processes together");
    app.add_option("--gather-rows", gather_rows, "levels of at most so many rows go to process 0");
    app.add_option("--rows-per-process", rows_per_process,
                   "rows that a process keeps of a coarse level, at least; 0: by the device");
    app.add_flag("--in-line", in_line,
                 "NCCL's messages are on the stream of the products, not on one beside it");
    app.add_flag("--unrecorded", unrecorded,
                 "iterations are launched kernel by kernel (-p graph=false)");
    app.add_flag("--steps", steps,
                 "after the timed runs once more, slower, by setup step and by kernel");
    app.add_option("--warm-solves", warm_solves,
                   "solves before the one that is timed: the first makes room for its vectors, and "
                   "iterations are recorded when 24 have come")
        ->check(CLI::PositiveNumber);
    app.add_option("--wait-limit", nccl.wait_limit_s, "seconds that NCCL may keep a sum waiting");
    run.rhs = "random";
    run.add_to(app);
    app.remove_option(app.get_option("--rhs"));  // hashes of the rows' numbers
  }

  tessera::GalleryParameters gallery(int processes) const {
    auto choice = tessera::perf::gallery_case(problem).problem;
    const bool sized_by_n = std::ranges::none_of(
        choice.settings, [](const auto& setting) { return setting.first == "n"; });
    auto made = tessera::app::gallery_parameters(choice);
    const auto names = tessera::parameter_names(made.problem);
    if (!sized_by_n || std::ranges::find(names, "n") == names.end()) return made;
    made.n = n;
    if (!strong) made.n = tessera::perf::scaled_n(made, processes);
    return made;
  }
};

/// What one configuration took, and what it made.
struct Measured {
  std::vector<Timing> runs;
  tessera::SolveResult result;
  tessera::HierarchyInfo hierarchy;
  std::vector<std::string> description;
  tessera::distributed::Traffic traffic;
  std::vector<tessera::distributed::Traffic> traffic_by_level;
  nlohmann::json steps;  ///< null where they were not asked for
};

/// Waits for all processes, and for what is queued on this one's device.
void meet(const Space& exec, const Communicator& processes) {
  exec.fence("tessera::perf::meet");
  processes.sum_of(std::int64_t(1));
}

/// `work` in ms on the slowest process.
template <class Work>
double slowest_ms(const Space& exec, const Communicator& processes, const Work& work) {
  meet(exec, processes);
  const Kokkos::Timer timer;
  work();
  exec.fence("tessera::perf");
  return processes.maximum_of(timer.seconds() * 1e3);
}

Measured measure(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                 const ShareOfProblem& share, const Options& options) {
  tessera::distributed::Parameters parameters;
  parameters.solve = options.run.parameters();
  parameters.solve.graph = parameters.solve.graph && !options.unrecorded;
  parameters.gather_rows = options.gather_rows;
  parameters.rows_per_process = options.rows_per_process;
  parameters.block_size = share.own.block_size;
  const auto x =
      tessera::allocate_multivector<double>(exec, "tessera::perf::x", share.b.extent(0), 1);
  Measured made;
  for (int i = 0; i <= options.run.repeats; ++i) {
    Timing run;
    Solver solver(processes, parameters);
    run.setup_ms = slowest_ms(exec, *processes,
                              [&] { solver.setup(exec, share.rows(), share.own.near_nullspace); });
    for (int again = 0; again <= options.warm_solves; ++again) {
      Kokkos::deep_copy(exec, x, 0.0);
      run.solve_ms =
          slowest_ms(exec, *processes, [&] { made.result = solver.solve(exec, share.b, x); });
    }
    run.iterations = made.result.iterations;
    run.relative_residual = made.result.true_relative_residual;
    if (i > 0) made.runs.push_back(run);  // the first warms up
    if (i < options.run.repeats) continue;
    made.hierarchy = solver.hierarchy();
    made.description = solver.description();
    made.traffic = solver.cycle_traffic(exec);
    made.traffic_by_level = solver.cycle_traffic_by_level(exec);
    if (options.steps)
      made.steps = tessera::perf::distributed_steps(exec, processes, parameters, share, x);
  }
  return made;
}

/// Levels below the one that process 0 gathers send nothing.
nlohmann::json levels_json(const Measured& made) {
  nlohmann::json levels = nlohmann::json::array();
  for (const auto& level : made.hierarchy.levels) {
    const std::size_t l = levels.size();
    const auto traffic = l < made.traffic_by_level.size() ? made.traffic_by_level[l]
                                                          : tessera::distributed::Traffic();
    levels.push_back({{"rows", level.rows},
                      {"entries", level.entries},
                      {"format", level.A.format},
                      {"storage", level.A.storage},
                      {"smoother", level.smoother},
                      {"where", level.aggregation},
                      {"messages", traffic.messages},
                      {"bytes", traffic.bytes}});
  }
  return levels;
}

/// Every process prints its device; the first one prints and writes the rest.
void report(const Communicator& processes, const Options& options, const std::string& problem,
            const ShareOfProblem& share, const Measured& made) {
  const Timing median = tessera::perf::medians(made.runs);
  const std::string status(tessera::to_string(made.result.status));
  std::printf(
      "%s of %d %s, %s, %lld rows: setup %.2f ms, solve %.2f ms, %d iterations, residual "
      "%.2e, %s\n",
      options.communicator.c_str(), processes.size(),
      processes.size() == 1 ? "process" : "processes", problem.c_str(),
      static_cast<long long>(share.num_all_rows), median.setup_ms, median.solve_ms,
      median.iterations, median.relative_residual, status.c_str());
  for (const std::string& line : made.description)
    std::printf("    %s\n", line.c_str());
  std::printf("    a cycle: %lld messages, %lld bytes, %lld reductions\n",
              static_cast<long long>(made.traffic.messages),
              static_cast<long long>(made.traffic.bytes),
              static_cast<long long>(made.traffic.reductions));
  for (std::size_t l = 0; l < made.traffic_by_level.size(); ++l)
    std::printf("      level %zu: %lld messages, %lld bytes\n", l,
                static_cast<long long>(made.traffic_by_level[l].messages),
                static_cast<long long>(made.traffic_by_level[l].bytes));
  nlohmann::json json = options.run.to_json();
  json["communicator"] = options.communicator;
  json["overlaps"] = options.nccl.overlaps;
  json["processes"] = processes.size();
  json["problem"] = problem;
  json["recorded"] = !options.unrecorded;
  json["warm_solves"] = options.warm_solves;
  json["scaling"] = options.strong ? "strong" : "weak";
  json["gather_rows"] = options.gather_rows;
  json["rows_per_process"] = options.rows_per_process;
  json["rows"] = share.num_all_rows;
  json["setup_ms"] = median.setup_ms;
  json["solve_ms"] = median.solve_ms;
  json["iterations"] = median.iterations;
  json["true_relative_residual"] = median.relative_residual;
  json["status"] = status;
  for (const Timing& run : made.runs) {
    json["setups_ms"].push_back(run.setup_ms);
    json["solves_ms"].push_back(run.solve_ms);
  }
  json["description"] = made.description;
  if (!made.steps.is_null()) {
    json["steps"] = made.steps;
    std::printf("    %s\n", made.steps.dump().c_str());
  }
  json["operator_complexity"] = made.hierarchy.operator_complexity;
  json["levels"] = levels_json(made);
  json["cycle"] = {{"messages", made.traffic.messages},
                   {"bytes", made.traffic.bytes},
                   {"reductions", made.traffic.reductions}};
  tessera::perf::write_record(options.run.out, json);
}

void run(const tessera::perf::PerfProcesses& all, const Options& options) {
  tessera::keep_freed_memory(std::max(Kokkos::device_id(), 0));
  const Space exec;
  const auto processes = all.named(options.communicator, exec, options.nccl);
  const auto gallery = options.gallery(processes->size());
  std::string problem = options.problem;
  const auto names = tessera::parameter_names(gallery.problem);
  if (std::ranges::find(names, "n") != names.end() && problem.find("n=") == std::string::npos)
    problem += (problem.find(':') == std::string::npos ? ":n=" : ",n=") + std::to_string(gallery.n);
  const ShareOfProblem share(exec, gallery, *processes);
  std::printf("process %d of %d: %d rows, device %d, %s\n", processes->rank(), processes->size(),
              share.own.A.num_rows, Kokkos::device_id(),
              tessera::app::machine_info(tessera::app::Place::device).name.c_str());
  std::fflush(stdout);
  const Measured made = measure(exec, processes, share, options);
  if (processes->rank() == 0) report(*processes, options, problem, share, made);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Setup and solve over several processes: one line for all of them"};
  Options options;
  options.add_to(app);
  CLI11_PARSE(app, argc, argv);
  options.nccl.overlaps = !options.in_line;

  const tessera::perf::PerfProcesses processes(argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    run(processes, options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "process %d: %s\n", processes.all().rank(), error.what());
    tessera::perf::PerfProcesses::give_up();
  }
  return 0;
}
