// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How a solve ended.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tessera {

/// How a solve ended. Everything but `converged` is a result too, never an exception: the iterate
/// returned is the best so far. A later one is worse than those before: where right-hand sides end
/// differently, the last of theirs is the solve's.
enum class SolveStatus {
  converged,  ///< the relative tolerance is met, or the absolute one
  least_squares,  ///< the matrix is singular and b not in its range: x is the least-squares
                  ///< solution, and meets the tolerance but for what no x reduces
  max_iterations,  ///< the iteration limit came first
  time_limit,  ///< the time limit came first
  stagnated,  ///< the true residual stagnates above the tolerance: the precision's limit, or a
              ///< singular matrix whose nullspace is not known
  diverged,  ///< the residual grew past the divergence limit
  not_a_number,  ///< a NaN or an infinity appeared
  breakdown,  ///< the method divided by (nearly) zero: e.g. A or M not positive definite in CG
  interrupted  ///< a logger asked to stop (Ctrl-C)
};

/// The status as a word, e.g. "converged" or "max_iterations".
std::string_view to_string(SolveStatus status);

/// Whether x is what was asked for, as far as there is such an x: a solution or, without one, the
/// least-squares solution.
constexpr bool is_solved(SolveStatus status) { return status <= SolveStatus::least_squares; }

/// How one right-hand side ended.
struct ColumnResult {
  SolveStatus status = SolveStatus::max_iterations;
  int iterations = 0;  ///< in which the column took part
  /// ||b - A x|| / ||b||, recomputed from the x returned (or absolute where b = 0).
  double true_relative_residual = 0;
  /// ||N N^T b|| / ||b||, N the known nullspace of a symmetric A: what no x reduces. 0 where none
  /// is known.
  double outside_range = 0;
  /// What the tolerance is a multiple of: ||b||, or the first residual's norm where the parameters
  /// say so.
  double reference_norm = 0;
  /// It is solved by the absolute tolerance alone: the residual is above the relative one.
  bool by_absolute_tolerance = false;
};

/// What a solve leaves behind. With several right-hand sides, residuals are the largest of them.
struct SolveResult {
  SolveStatus status = SolveStatus::max_iterations;  ///< the worst of all columns
  int iterations = 0;
  /// Relative residual norm before the first iteration and after each one. Columns that have failed
  /// do not count any more, unless all have.
  std::vector<double> residual_history;
  /// ||b - A x|| / ||b||, recomputed from the x returned (or absolute where b = 0).
  double true_relative_residual = 0;
  /// ||N N^T b|| / ||b||, N the known nullspace of a symmetric A: what no x reduces. 0 where none
  /// is known.
  double outside_range = 0;
  /// Wall-clock time of the solve, fenced at both ends.
  double solve_ms = 0;
  std::vector<ColumnResult> columns;  ///< one a right-hand side
  /// Tiles that products have read, with `solver.tiles`: left out, in fp8, half, bfloat16, FP32 and
  /// FP64. Zeros elsewhere.
  std::array<std::int64_t, 6> tile_work{};
  /// No iteration was launched by itself (`solver.single_kernel`).
  bool in_one_kernel = false;

  bool converged() const { return status == SolveStatus::converged; }
  /// `converged` or `least_squares`.
  bool solved() const { return is_solved(status); }
};

}  // namespace tessera
