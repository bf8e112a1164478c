// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_mpi/solve_run.hpp"

#include "app/interrupt.hpp"
#include "app_mpi/process_reports.hpp"
#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/solver.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/parameters/parameter_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace tessera::app_mpi {
namespace {

using Processes = std::shared_ptr<const distributed::Communicator>;

template <class Space>
MultiVector<double, Space> on_device(const Space& exec, const Columns& columns) {
  const auto rows = static_cast<std::size_t>(columns.rows);
  const auto vectors =
      allocate_multivector<double>(exec, "tessera::app_mpi::vectors", rows, columns.count);
  const Kokkos::View<const double**, Kokkos::LayoutLeft, Kokkos::HostSpace,
                     Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      host(columns.values.data(), rows, columns.count);
  if (!columns.values.empty()) Kokkos::deep_copy(exec, vectors, host);
  exec.fence("tessera::app_mpi::vectors");
  return vectors;
}

template <class Space>
Columns on_host(const Space& exec, const MultiVector<double, Space>& vectors) {
  Columns columns{static_cast<std::int64_t>(vectors.extent(0)), vectors.extent(1),
                  std::vector<double>(vectors.extent(0) * vectors.extent(1))};
  const Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace,
                     Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      host(columns.values.data(), vectors.extent(0), vectors.extent(1));
  if (!columns.values.empty()) Kokkos::deep_copy(exec, host, vectors);
  exec.fence("tessera::app_mpi::x");
  return columns;
}

/// One setup and one solve from the guess zero. All of it is collective.
template <class Space>
class Run {
 public:
  Run(const Processes& processes, const System& system, const distributed::Parameters& parameters,
      app::Progress& progress)
      : m_processes(processes), m_progress(progress) {
    together(*processes, [&] {
      m_solver = std::make_unique<distributed::Solver<Space>>(processes, parameters);
      m_offsets = distributed::from_host(m_exec, system.rows.offsets);
      m_columns = distributed::from_host(m_exec, system.rows.columns);
      m_values = distributed::from_host(m_exec, system.rows.values);
      m_near_nullspace = on_device(m_exec, system.near_nullspace);
      m_b = on_device(m_exec, system.b);
    });
    m_solver->set_logger([&progress](const IterationInfo& now) {
      progress.detail(
          fmt::format("iteration {}, residual {:.3e}", now.iteration, now.relative_residual));
      return !app::InterruptGuard::requested();
    });
  }

  /// Milliseconds on this process.
  double measure_setup() {
    app::InterruptGuard::set_stoppable(false);
    m_progress.start("setting up");
    together(*m_processes,
             [&] { m_solver->setup(m_exec, {m_offsets, m_columns, m_values}, m_near_nullspace); });
    return m_solver->setup_ms();
  }

  SolveResult solve(const MultiVector<double, Space>& x) {
    app::InterruptGuard::set_stoppable(true);
    m_progress.start("solving");
    SolveResult result;
    together(*m_processes, [&] {
      Kokkos::deep_copy(m_exec, x, 0.0);
      result = m_solver->solve(m_exec, m_b, x);
    });
    return result;
  }

  MultiVector<double, Space> new_vectors() const {
    return allocate_multivector<double>(m_exec, "tessera::app_mpi::x", m_b.extent(0),
                                        m_b.extent(1));
  }
  const Space& exec() const { return m_exec; }
  const distributed::Solver<Space>& solver() const { return *m_solver; }

 private:
  Space m_exec;
  Processes m_processes;
  app::Progress& m_progress;
  std::unique_ptr<distributed::Solver<Space>> m_solver;
  Array<std::int64_t, Space> m_offsets;
  Array<std::int64_t, Space> m_columns;
  Array<double, Space> m_values;
  MultiVector<double, Space> m_near_nullspace;
  MultiVector<double, Space> m_b;
};

/// What the solver settled on. Collective.
template <class Space>
void describe(const Communicator& processes, const distributed::Solver<Space>& solver,
              app::SolveReport& report) {
  distributed::Parameters effective = solver.parameters();
  const parameters::ParameterTree tree(effective);
  report.parameters = tree.values();
  const auto kind = effective.solve.preconditioner;
  report.hierarchy = solver.hierarchy();
  const bool is_open = kind == PreconditionerKind::automatic;
  report.preconditioner_picked =
      is_open || std::ranges::any_of(report.hierarchy.notes, [](const std::string& note) {
        return note.starts_with("preconditioner direct: ");
      });
  for (const auto& [key, value] : report.parameters) {
    if (key == "solver.name") report.solver = parameters::to_text(value);
    if (key == "preconditioner")
      report.preconditioner = is_open ? "amg" : parameters::to_text(value);
  }
  report.tolerance = effective.solve.solver.tolerance;
  report.absolute_tolerance = effective.solve.solver.absolute_tolerance;
  sum_bytes(processes, report.hierarchy);
  const auto& levels = report.hierarchy.levels;
  const bool mixed = std::any_of(levels.begin(), levels.end(),
                                 [](const LevelInfo& level) { return level.precision == "float"; });
  report.precision = mixed ? "mixed" : "double";
}

/// Whether Ctrl-C has come to any of the processes. Collective.
bool any_interrupted(const Communicator& processes) {
  return processes.maximum_of(app::InterruptGuard::requested() ? 1 : 0) > 0;
}

/// More runs, each into `next`, until Ctrl-C; the last whole one leaves its x and its result.
template <class Space>
void repeat(const Communicator& processes, Run<Space>& run, int runs, MultiVector<double, Space>& x,
            app::SolveReport& report) {
  MultiVector<double, Space> next;
  together(processes, [&] { next = run.new_vectors(); });
  for (int i = 0; i < runs && !any_interrupted(processes); ++i) {
    const double setup_ms = run.measure_setup();
    if (any_interrupted(processes)) return;
    SolveResult result = run.solve(next);
    if (result.status == SolveStatus::interrupted) return;
    std::swap(x, next);
    report.setup_repeats_ms.push_back(setup_ms);
    report.solve_repeats_ms.push_back(result.solve_ms);
    report.result = std::move(result);
  }
}

}  // namespace

template <class Space>
Columns solve_system(const Processes& processes, System system,
                     const distributed::Parameters& parameters, const app::SolveOptions& options,
                     app::Transcript& transcript, app::Progress& progress,
                     app::SolveReport& report) {
  distributed::Parameters given = parameters;
  if (given.block_size == 0) given.block_size = system.block_size;
  app::ProcessReport own;
  own.rows = system.shares.count(processes->rank());
  own.entries = static_cast<std::int64_t>(system.rows.values.size());
  Run<Space> run(processes, system, given, progress);
  system = {};
  const double first_setup_ms = run.measure_setup();
  describe(*processes, run.solver(), report);
  progress.finish();
  together(*processes, [&] {
    transcript.show(fmt::format("{}\n{}\n", app::header_text(report), app::hierarchy_text(report)));
    if (processes->rank() == 0) app::flush_standard_output();
  });
  const std::vector<std::string> notes_shown = report.hierarchy.notes;
  MultiVector<double, Space> x;
  together(*processes, [&] { x = run.new_vectors(); });
  report.result = run.solve(x);
  report.runs_asked = options.repeat;
  if (options.repeat > 1) repeat(*processes, run, options.repeat, x, report);
  if (report.solve_repeats_ms.empty()) {
    report.setup_repeats_ms = {first_setup_ms};
    report.solve_repeats_ms = {report.result.solve_ms};
  }
  describe(*processes, run.solver(), report);
  progress.finish();
  together(*processes, [&] {
    // The solve went on with another choice.
    if (report.hierarchy.notes != notes_shown) transcript.show(app::hierarchy_text(report) + "\n");
  });
  report.setup_ms = app::median(report.setup_repeats_ms);
  report.solve_ms = app::median(report.solve_repeats_ms);
  own.ghost_rows = run.solver().num_ghost_rows();
  own.setup_ms = report.setup_ms;
  own.solve_ms = report.solve_ms;
  own.peak_memory_bytes = app::peak_memory_bytes();
  own.peak_forecast_bytes = run.solver().hierarchy().peak_forecast_bytes;
  report.peak_memory_bytes = own.peak_memory_bytes;
  report.processes = gathered(*processes, own);
  Columns solution;
  together(*processes, [&] { solution = on_host(run.exec(), x); });
  return solution;
}

#define TESSERA_INSTANTIATE_SOLVE(Space)                                                           \
  template Columns solve_system<Space>(const Processes&, System, const distributed::Parameters&,   \
                                       const app::SolveOptions&, app::Transcript&, app::Progress&, \
                                       app::SolveReport&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_SOLVE)
#undef TESSERA_INSTANTIATE_SOLVE

}  // namespace tessera::app_mpi
