// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app/interrupt.hpp"
#include "app/machine.hpp"
#include "app/settings.hpp"
#include "app/solve_plan.hpp"
#include "app_mpi/options.hpp"
#include "app_mpi/repartition.hpp"
#include "app_mpi/solve_run.hpp"
#include "app_mpi/together.hpp"
#include "tessera/distributed/mpi/comm_by_place.hpp"
#include "tessera/distributed/mpi/mpi_communicator.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

namespace tessera::app_mpi {
namespace {

using Processes = std::shared_ptr<const distributed::Communicator>;

/// Checked before anything is read or made. Process 0 alone has outputs.
struct Plan {
  std::optional<GalleryParameters> gallery;
  distributed::Parameters parameters;
  app::Place place = app::Place::host;
  PartitionKind partition = PartitionKind::order;
  app::SolveOutputs outputs;
};

Plan make_plan(const Communicator& processes, const Options& options) {
  Plan plan;
  together(processes, [&] {
    app::check_given(options.solve);
    plan.gallery = app::chosen_problem(options.solve, "tessera-mpi");
    if (plan.gallery && !options.balance.empty())
      throw app::UsageError(
          fmt::format("--balance {}: an option of files; a problem of the gallery is shared out by "
                      "rows",
                      options.balance));
    plan.partition = chosen_partition(options.partition);
    parameters::ParameterTree tree(plan.parameters);
    app::set_solve_parameters(tree, options.solve);
    if (options.solve.block_size > 0) plan.parameters.block_size = options.solve.block_size;
    plan.place = frontend::choose_place("--device", options.solve.device);
    if (processes.rank() == 0) plan.outputs = app::plan_outputs(options.solve);
  });
  return plan;
}

/// Threads of the host for each process where nobody says: Kokkos' own choice where the process is
/// bound to some of the cores, or OMP_NUM_THREADS is set, else its part of all.
int threads_of_process(int asked, int processes_of_host) {
  if (asked > 0 || std::getenv("OMP_NUM_THREADS") != nullptr) return asked;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  cpu_set_t set;
  CPU_ZERO(&set);
  const bool is_bound = sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) < cores;
  return is_bound ? 0 : std::max(1, cores / processes_of_host);
}

app::SolveReport begin_report(const Communicator& processes, const Options& options,
                              const Plan& plan) {
  app::SolveReport report;
  report.build = app::build_info();
  report.machine = app::machine_info(plan.place);
  report.machine.processes = processes.size();
  report.machine.device_pointers = processes.takes_device_pointers();
  report.requested_device = options.solve.device;
  report.date = app::date_text();
  report.command_line = options.solve.command_line;
  return report;
}

/// Each is tried, whatever becomes of the others; where some fail, it is the first that all throw.
void write_outputs(const Communicator& processes, const Options& options, const Plan& plan,
                   const RowShares& shares, const Columns& x, const app::SolveReport& report) {
  std::exception_ptr first;
  const auto attempt = [&first](const auto& write) {
    try {
      write();
    } catch (const CommandError&) {
      if (!first) first = std::current_exception();
    }
  };
  attempt([&] {
    if (!options.solve.output.empty()) write_in_order(processes, shares, x, plan.outputs.solution);
  });
  attempt([&] {
    together(processes, [&] {
      app::write_each({[&] {
                         if (plan.outputs.report)
                           plan.outputs.report->write(app::report_json(report));
                       },
                       [&] {
                         if (plan.outputs.html) plan.outputs.html->write(app::report_html(report));
                       }});
    });
  });
  if (first) std::rethrow_exception(first);
}

/// The same processes, numbered by host and device; the first stays the first. Collective.
template <class Space>
Processes numbered_by_place(const Processes& launched, app::SolveReport& report) {
  Processes processes;
  together(*launched, [&] {
    const auto comm = distributed::comm_by_place(Space(), MPI_COMM_WORLD);
    processes = distributed::mpi_communicator(
        *comm, {.takes_device_pointers = launched->takes_device_pointers()}, comm);
    if (*comm != MPI_COMM_WORLD)
      report.picks.push_back("processes are numbered by host and GPU, not as mpirun numbers them");
  });
  return processes;
}

template <class Space>
app::ExitCode solve_in(const Processes& launched, const Options& options, const Plan& plan,
                       app::Transcript& transcript, app::SolveReport& report) {
  // Before rows are shared out, which goes by these numbers.
  const Processes processes = numbered_by_place<Space>(launched, report);
  const bool prints = processes->rank() == 0 && !options.solve.quiet;
  app::Progress progress(prints);
  System system = load_system(*processes, options, plan.gallery, progress, report);
  const RowShares shares = system.shares;
  std::optional<Renumbering> renumbering;
  if (plan.partition == PartitionKind::graph) {
    progress.start("partitioning " + report.problem.name);
    renumbering = repartition(processes, options.balance == "entries", system, report);
  }
  // Not before: what is read may be a pipe that says nothing for hours, and there is no x to keep.
  const app::InterruptGuard interrupt(!prints);
  Columns x = solve_system<Space>(processes, std::move(system), plan.parameters, options.solve,
                                  transcript, progress, report);
  together(*processes, [&] {
    transcript.show(app::convergence_text(report) + "\n" + app::processes_text(report) + "\n" +
                    app::result_text(report));
    std::fflush(stdout);  // an output may go there as well, by another way
  });
  if (renumbering) x = renumbering->moved_back(x);
  write_outputs(*processes, options, plan, shares, x, report);
  return app::exit_code(report.result.status);
}

}  // namespace

app::ExitCode run_solve(const Processes& processes, int processes_of_host, const Options& options) {
  const bool is_first = processes->rank() == 0;
  app::Transcript transcript(is_first && !options.solve.quiet);
  together(*processes, [&] {
    if (is_first) app::open_log(options.solve, transcript);
  });
  const auto solve = [&] {
    const Plan plan = make_plan(*processes, options);
    std::optional<app::KokkosSession> kokkos;
    together(*processes,
             [&] { kokkos.emplace(threads_of_process(options.solve.threads, processes_of_host)); });
    app::SolveReport report = begin_report(*processes, options, plan);
#if TESSERA_HAVE_DEVICE
    if (plan.place == app::Place::device)
      return solve_in<DeviceSpace>(processes, options, plan, transcript, report);
#endif
    return solve_in<HostSpace>(processes, options, plan, transcript, report);
  };
  try {
    const app::ExitCode code = solve();
    together(*processes, [&] {
      transcript.finish();
      if (is_first) app::flush_standard_output();
    });
    return code;
  } catch (const CommandError& error) {
    transcript.keep(std::string("tessera-mpi: ") + error.what() + "\n");
    throw;
  }
}

}  // namespace tessera::app_mpi
