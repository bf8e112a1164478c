// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/solve_run.hpp"

#include <fmt/format.h>

#include <Kokkos_Core.hpp>

#include <algorithm>

#include "app/interrupt.hpp"
#include "app/kernel_profiler.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/warm_up.hpp"

namespace tessera::app {

namespace {

/// One setup and one solve from the guess zero.
template <class Scalar, class Space, class Offset>
class Run {
 public:
  Run(const Space& exec, const System<Scalar, Space, Offset>& system,
      const SolveParameters& parameters, Progress& progress)
      : m_exec(exec), m_system(system), m_progress(progress), m_solver(parameters) {
    m_solver.set_logger(
        [&progress](const IterationInfo& now) {
          progress.detail(
              fmt::format("iteration {}, residual {:.3e}", now.iteration, now.relative_residual));
          return !InterruptGuard::requested();
        },
        LogTiming::may_be_late);
  }

  /// Milliseconds, fenced at both ends.
  double measure_setup() {
    InterruptGuard::set_stoppable(false);
    m_progress.start("setting up");
    m_exec.fence("tessera::app::setup");
    const Kokkos::Timer timer;
    m_solver.setup(m_exec, m_system.A, m_system.near_nullspace, m_system.block_size);
    m_exec.fence("tessera::app::setup");
    return timer.seconds() * 1e3;
  }

  SolveResult solve(const MultiVector<Scalar, Space>& x) {
    InterruptGuard::set_stoppable(true);
    m_progress.start("solving");
    Kokkos::deep_copy(m_exec, x, Scalar(0));
    return m_solver.solve(m_exec, m_system.b, x);
  }

  const Solver<Scalar, Space, Offset>& solver() const { return m_solver; }

 private:
  Space m_exec;
  const System<Scalar, Space, Offset>& m_system;
  Progress& m_progress;
  Solver<Scalar, Space, Offset> m_solver;
};

/// More runs, each into `next`, until Ctrl-C; the last whole one leaves its x and its result.
template <class Scalar, class Space, class Offset>
void repeat(Run<Scalar, Space, Offset>& run, int runs, MultiVector<Scalar, Space>& x,
            MultiVector<Scalar, Space> next, SolveReport& report) {
  for (int i = 0; i < runs && !InterruptGuard::requested(); ++i) {
    const double setup_ms = run.measure_setup();
    if (InterruptGuard::requested()) return;
    SolveResult result = run.solve(next);
    if (result.status == SolveStatus::interrupted) return;
    std::swap(x, next);
    report.setup_repeats_ms.push_back(setup_ms);
    report.solve_repeats_ms.push_back(result.solve_ms);
    report.result = std::move(result);
  }
}

/// Kernel times, from a run of their own.
template <class Scalar, class Space, class Offset>
ProfileReport profile(Run<Scalar, Space, Offset>& run, const MultiVector<Scalar, Space>& x) {
  KernelProfiler profiler;
  ProfileReport report;
  run.measure_setup();
  report.setup = profiler.take();
  run.solve(x);
  report.solve = profiler.take();
  report.measured = true;
  return report;
}

/// Milliseconds that it took.
template <class Scalar, class Space, class Offset>
double timed_warm_up(const Space& exec, const SolveParameters& parameters) {
  WarmUpOptions options;
  options.parameters = parameters;
  options.float_matrices = std::is_same_v<Scalar, float>;
  options.wide_offsets = std::is_same_v<Offset, std::int64_t>;
  const Kokkos::Timer timer;
  warm_up(exec, options);
  return timer.seconds() * 1e3;
}

}  // namespace

template <class Scalar, class Space, class Offset>
MultiVector<Scalar, Space> solve_system(const Space& exec,
                                        const System<Scalar, Space, Offset>& system,
                                        const SolveParameters& parameters,
                                        const SolveOptions& options, Transcript& transcript,
                                        Progress& progress, SolveReport& report) {
  const auto new_vectors = [&](const char* label) {
    return allocate_multivector<Scalar>(exec, label, system.b.extent(0), system.b.extent(1));
  };
  if (options.warm_up) {
    progress.start("warming up");
    report.warm_up_ms = timed_warm_up<Scalar, Space, Offset>(exec, parameters);
  }
  Run<Scalar, Space, Offset> run(exec, system, parameters, progress);
  // The first run pays for what is made once, such as loading kernels onto a device: where there
  // are others, its times do not count.
  const double first_setup_ms = run.measure_setup();
  report.preconditioner_picked = parameters.preconditioner == PreconditionerKind::automatic;
  frontend::describe_solver(run.solver(), report);
  progress.finish();
  transcript.show(fmt::format("{}\n{}\n", header_text(report), hierarchy_text(report)));
  flush_standard_output();
  const std::vector<std::string> notes_shown = report.hierarchy.notes;
  MultiVector<Scalar, Space> x = new_vectors("tessera::app::x");
  report.result = run.solve(x);
  report.runs_asked = options.repeat;
  if (options.repeat > 1)
    repeat(run, options.repeat, x, new_vectors("tessera::app::next_x"), report);
  if (report.solve_repeats_ms.empty()) {
    report.setup_repeats_ms = {first_setup_ms};
    report.solve_repeats_ms = {report.result.solve_ms};
  }
  frontend::describe_solver(run.solver(), report);
  if (report.hierarchy.notes != notes_shown) {
    // The solve went on with another choice, maybe with another hierarchy.
    progress.finish();
    transcript.show(hierarchy_text(report) + "\n");
  }
  report.setup_ms = median(report.setup_repeats_ms);
  report.solve_ms = median(report.solve_repeats_ms);

  const bool wanted = options.profile || !options.html.empty();
  if (wanted && !InterruptGuard::requested()) {
    progress.start("measuring kernels");
    // Into vectors of its own: Ctrl-C here must not spoil the solution.
    report.profile = profile(run, new_vectors("tessera::app::profiled_x"));
  }
  progress.finish();
  return x;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, solve_system)

}  // namespace tessera::app
