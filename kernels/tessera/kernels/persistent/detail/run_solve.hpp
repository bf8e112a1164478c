// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Runs cooperative groups that solve within one launch, and reads how they ended.
#pragma once

#include "tessera/kernels/persistent/detail/solve_shape.hpp"
#include "tessera/kernels/persistent/divergence.hpp"

#include <Kokkos_Timer.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace tessera::kernels::detail {

inline void require_rows(const char* name, std::size_t rows, Ordinal expected) {
  require(rows == static_cast<std::size_t>(expected), [&] {
    return std::string(name) + " has " + std::to_string(rows) + " entries, expected " +
           std::to_string(expected) + ", as A has rows";
  });
}

/// The `divergence_limit` of a launch that goes on from what `report` has come to.
inline double divergence_limit_of_next(const PersistentLimits& limits,
                                       const PersistentReport& report) {
  if (!(report.reference_norm > 0)) return limits.divergence_limit;
  return kernels::divergence_limit_of_next(limits.divergence_limit, report.history.front(),
                                           report.residual_norm / report.reference_norm);
}

/// That A is square, and that b, x and the lanes of a row suit it.
template <class Scalar, class Space, class Offset>
void require_system(const CsrView<Scalar, Space, Offset>& A,
                    const NonDeduced<ArrayView<const Scalar, Space>>& b,
                    const NonDeduced<ArrayView<Scalar, Space>>& x, const PersistentTuning& tuning) {
  require(A.num_rows == A.num_cols, [&] {
    return "A is " + std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) +
           ", expected a square matrix";
  });
  require_rows("b", b.extent(0), A.num_rows);
  require_rows("x", x.extent(0), A.num_rows);
  const int lanes = tuning.lanes_per_row;
  require(lanes >= 0 && lanes <= 32 && (lanes & (lanes - 1)) == 0, [&] {
    return "lanes_per_row is " + std::to_string(lanes) + ", expected 0, or 1, 2, 4, 8, 16 or 32";
  });
}

/// What a launch is told; `now`: the limits that are left.
template <class Scalar, class Space, class Offset>
SolveArguments<Scalar, Offset> solve_arguments(const PersistentWorkspace<Scalar, Space>& workspace,
                                               const CsrView<Scalar, Space, Offset>& A,
                                               Ordinal granule, const Scalar* b, Scalar* x,
                                               const PersistentLimits& now,
                                               const PersistentShape& shape, bool has_window) {
  return {{A.offsets.data(), A.columns.data(), A.values.data(), A.num_rows,
           static_cast<std::int64_t>(A.num_entries), granule},
          b,
          x,
          workspace.vector(0),
          workspace.stride(),
          workspace.history(),
          workspace.reported_history(),
          workspace.outcome(),
          now,
          shape.lanes_per_row,
          shape.group.scratch_bytes,
          shape.register_entries,
          has_window};
}

/// Launches the solve until it has ended, for more than one launch may count, and notes in `report`
/// what has become of it: `launch(now, watchdog)` with the limits that are left and in how many
/// seconds it ends, then `note()`.
template <class Scalar, class Space, class Launch, class Note>
void launch_to_the_end(const Space& exec, const std::string& label,
                       const PersistentWorkspace<Scalar, Space>& workspace,
                       const PersistentLimits& limits, double time_limit_s,
                       const Kokkos::Timer& timer, PersistentReport& report, const Launch& launch,
                       const Note& note) {
  const double seconds =
      time_limit_s > 0 ? std::min(time_limit_s, persistent_watchdog_s) : persistent_watchdog_s;
  PersistentLimits now = limits;
  for (;;) {
    constexpr double min_s = 1e-6;
    const double watchdog = std::max(min_s, seconds - timer.seconds());
    now.max_iterations = std::min(limits.max_iterations - report.iterations,
                                  PersistentWorkspace<Scalar, Space>::max_history);
    *workspace.outcome() = {PersistentEnd::barrier_timeout, 0, 0, 0, 0, 1, 1};
    launch(now, watchdog);
    exec.fence(label);
    const PersistentOutcome outcome = *workspace.outcome();
    if (outcome.end == PersistentEnd::barrier_timeout) {
      workspace.board().clear(exec);
      throw Error(ErrorKind::device, label +
                                         ": the grid barrier timed out; "
                                         "the device may be occupied by another process");
    }
    const double* const history = workspace.reported_history();
    const int first = report.history.empty() ? 0 : 1;
    report.history.insert(report.history.end(), history + first, history + outcome.iterations + 1);
    report.iterations += outcome.iterations;
    report.end = outcome.end;
    report.residual_norm = std::sqrt(outcome.residual) * outcome.unit;
    report.rhs_norm = std::sqrt(outcome.rhs) * outcome.unit;
    report.reference_norm = std::sqrt(outcome.reference) * outcome.unit;
    report.scaled_x = outcome.scale_of_x != 1;
    now.reference_norm = report.reference_norm;
    now.divergence_limit = divergence_limit_of_next(limits, report);
    note();
    if (outcome.end != PersistentEnd::max_iterations || report.iterations >= limits.max_iterations)
      return;
  }
}

/// `make_M(shares)`: M of the method, whose shares, so many, wait for one another alone where they
/// can; 0: they do not.
template <class Method, class Scalar, class Space, class Offset, class MakeM>
PersistentReport run_solve(const Space& exec, const std::string& label,
                           PersistentWorkspace<Scalar, Space>& workspace,
                           const CsrView<Scalar, Space, Offset>& A, const MakeM& make_M,
                           const SharedBytes& of_M, const ArrayView<const Scalar, Space>& b,
                           const ArrayView<Scalar, Space>& x, const PersistentLimits& limits,
                           double time_limit_s, const PersistentTuning& tuning) {
  require_system(A, b, x, tuning);
  require(tuning.cluster >= -1 && tuning.cluster <= 1,
          [&] { return "cluster is " + std::to_string(tuning.cluster) + ", expected -1, 0 or 1"; });
  require(tuning.register_entries >= -1 && tuning.register_entries <= max_held_entries, [&] {
    return "register_entries is " + std::to_string(tuning.register_entries) + ", expected -1 to " +
           std::to_string(max_held_entries);
  });
  require(tuning.window >= 0 && tuning.window <= 2,
          [&] { return "window is " + std::to_string(tuning.window) + ", expected 0 to 2"; });
  PersistentReport report;
  if (A.num_rows == 0) {
    report.end = PersistentEnd::converged;
    report.history = {0};
    return report;
  }
  using Workspace = PersistentWorkspace<Scalar, Space>;
  const PersistentShape shape = workspace.shape(
      &kernel_of_method<Method>, A.num_rows, A.num_entries + of_M.alone_at_best + of_M.of_each,
      tuning, [&] { return choose_shape_and_registers<Method>(exec, A, of_M, tuning); });
  report.shape = shape.group;
  report.lanes_per_row = shape.lanes_per_row;
  report.register_entries = shape.register_entries;
  report.may_have_window = shape.has_window || (shape.register_entries > 0 && tuning.window > 0);
  const bool waits = tuning.neighbour_waits && shape.group.shares > 1 && !shape.group.in_cluster;
  const typename Method::preconditioner_type M = make_M(waits ? shape.group.shares : 0);
  workspace.prepare(exec, A.num_rows, Method::num_vectors,
                    std::min(std::max(0, limits.max_iterations), Workspace::max_history));
  const Kokkos::Timer timer;
  const auto launch = [&](const PersistentLimits& now, double watchdog) {
    const auto arguments = solve_arguments(workspace, A, M.granule(), b.data(), x.data(), now,
                                           shape, tuning.window > 0);
    const auto run = [&](const auto& method) {
      using Work = SolveWork<std::decay_t<decltype(method)>>;
      run_cooperative(exec, label, workspace.board(), shape.group, Work{method}, watchdog);
    };
    if constexpr (!is_host_space<Space> && Method::may_hold_entries) {
      if (shape.register_entries > 0) {
        run(typename Method::Holding{arguments, M});
      } else if (shape.has_window) {
        run(typename Method::Windowed{arguments, M});
      } else {
        run(Method{arguments, M});
      }
    } else {
      run(Method{arguments, M});
    }
  };
  launch_to_the_end(exec, label, workspace, limits, time_limit_s, timer, report, launch, [] {});
  return report;
}

}  // namespace tessera::kernels::detail
