// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a launch reports as the result of a solve, and the limits of the launches of one solve.
#pragma once

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/persistent/divergence.hpp"
#include "tessera/kernels/persistent/solve.hpp"
#include "tessera/operator/solve_result.hpp"
#include "tessera/solver/residual_bound.hpp"
#include "tessera/solver/solver_parameters.hpp"

#include <utility>

namespace tessera::detail {

/// How a launch's end counts as the end of a solve.
inline SolveStatus status_of(kernels::PersistentEnd end) {
  switch (end) {
    case kernels::PersistentEnd::converged:
      return SolveStatus::converged;
    case kernels::PersistentEnd::max_iterations:
    case kernels::PersistentEnd::slow:
      return SolveStatus::max_iterations;
    case kernels::PersistentEnd::time_limit:
      return SolveStatus::time_limit;
    case kernels::PersistentEnd::stagnated:
      return SolveStatus::stagnated;
    case kernels::PersistentEnd::diverged:
      return SolveStatus::diverged;
    case kernels::PersistentEnd::not_a_number:
      return SolveStatus::not_a_number;
    case kernels::PersistentEnd::breakdown:
      return SolveStatus::breakdown;
    case kernels::PersistentEnd::none:
    case kernels::PersistentEnd::barrier_timeout:
      break;
  }
  throw Error(ErrorKind::device, "a solve in one kernel has left no result");
}

/// The limits of a launch that does a whole solve.
inline kernels::PersistentLimits limits_of(const SolverParameters& p) {
  return {.tolerance = p.tolerance,
          .absolute_tolerance = p.absolute_tolerance,
          .max_iterations = p.max_iterations,
          .divergence_limit = p.divergence_limit,
          .relative_to_rhs = p.reference == StoppingReference::rhs,
          .verify = p.verify};
}

/// The result of a solve by that launch.
inline SolveResult result_of(kernels::PersistentReport&& report, const SolverParameters& p,
                             double solve_ms) {
  SolveResult result;
  result.status = status_of(report.end);
  result.iterations = report.iterations;
  result.residual_history = std::move(report.history);
  result.true_relative_residual =
      report.rhs_norm > 0 ? report.residual_norm / report.rhs_norm : report.residual_norm;
  result.solve_ms = solve_ms;
  result.in_one_kernel = true;
  result.columns = {{.status = result.status,
                     .iterations = result.iterations,
                     .true_relative_residual = result.true_relative_residual,
                     .outside_range = 0,
                     .reference_norm = report.reference_norm,
                     .by_absolute_tolerance =
                         result.converged() &&
                         meets_absolute_alone(p, report.residual_norm, report.reference_norm)}};
  return result;
}

/// The result of a solve that went on: `after` began with the x that `before` left.
inline SolveResult joined(SolveResult&& before, SolveResult&& after) {
  auto& history = before.residual_history;
  const auto& more = after.residual_history;
  // The first of them is of the same x as the last before, or of a better one.
  history.insert(history.end(), more.begin() + 1, more.end());
  after.residual_history = std::move(history);
  after.iterations += before.iterations;
  after.columns[0].iterations = after.iterations;
  after.solve_ms += before.solve_ms;
  for (std::size_t k = 0; k < after.tile_work.size(); ++k)
    after.tile_work[k] += before.tile_work[k];
  after.in_one_kernel = after.in_one_kernel && before.in_one_kernel;
  return std::move(after);
}

/// Makes the limits of a whole solve those of a launch that goes on from `result`.
inline void go_on_from(const SolveResult& result, kernels::PersistentLimits& limits) {
  limits.reference_norm = result.columns[0].reference_norm;
  // Relative to the first residual no later start is above 1: x does not get worse.
  if (limits.relative_to_rhs)
    limits.divergence_limit = kernels::divergence_limit_of_next(
        limits.divergence_limit, result.residual_history.front(), result.true_relative_residual);
}

/// Looks once more at an x that was worked with in other units than it is returned in, by a launch
/// without iterations: entries that have overflowed or become denormal may have cost what it had.
template <class Launch>
void check_stored_x(kernels::PersistentReport& report, kernels::PersistentLimits limits,
                    const Launch& launch) {
  if (!report.scaled_x || report.end != kernels::PersistentEnd::converged) return;
  limits.max_iterations = 0;
  limits.reference_norm = limits.relative_to_rhs ? -1 : report.reference_norm;
  const kernels::PersistentReport stored = launch(limits);
  report.residual_norm = stored.residual_norm;
  if (stored.end == kernels::PersistentEnd::converged) return;
  report.end = stored.end == kernels::PersistentEnd::not_a_number
                   ? stored.end
                   : kernels::PersistentEnd::stagnated;
}

/// Whether the precision of tiles may be at fault: not where the system itself has a NaN.
inline bool may_be_tiles_fault(const SolveResult& result, bool verify) {
  switch (result.status) {
    case SolveStatus::diverged:
    case SolveStatus::breakdown:
      return true;
    case SolveStatus::stagnated:
      return verify;
    case SolveStatus::not_a_number:
      return result.iterations > 0;
    default:
      return false;
  }
}

}  // namespace tessera::detail
