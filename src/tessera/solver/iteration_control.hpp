// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The host's side of an iteration: norms in, decision out.
#pragma once

#include "tessera/operator/solve_result.hpp"
#include "tessera/solver/column_control.hpp"
#include "tessera/solver/logger.hpp"
#include "tessera/solver/solver_parameters.hpp"

#include <Kokkos_Timer.hpp>

#include <optional>
#include <span>
#include <vector>

namespace tessera::detail {

/// What an iteration's norms mean for the method.
enum class Step {
  proceed,
  finished,  ///< no column iterates: each believes that it is done, or cannot go on
  stop  ///< a limit or the logger ends the solve
};

/// Counts iterations, keeps the history, and applies the stopping criteria, to each column by
/// itself: one that fails ends alone. All norms are squared norms, one per column.
class IterationControl {
 public:
  /// Starts the clock. `before`: a solve of the same system that this one goes on from; iterations,
  /// history, time and what residuals are relative to are continued. Null for none.
  void start(const SolverParameters& parameters, const Logger& logger, int k,
             const SolveResult* before);

  /// Norms of column j are of 2^-exponents[j] times the system from now on, which the result is of.
  void set_exponents(std::span<const int> exponents);

  /// Takes the norms that residuals are relative to and logs the start. `reducible_norms`: of
  /// residuals without their part in the nullspace, here and below. `finished` where all columns
  /// have ended.
  Step begin(std::span<const double> rhs_norms, std::span<const double> true_norms,
             std::span<const double> reducible_norms);

  /// Ends the solve with `status` at the next decision, unless something else has ended it.
  void stop(SolveStatus status) {
    if (!m_stop) m_stop = status;
  }

  /// Sets each column's target for one cycle that starts from these residual norms. Within a cycle
  /// no target lies further down than `reduction` times its start: beyond that a recurrence says
  /// nothing about the true residual. A column that has ended gets no work.
  void begin_cycle(std::span<const double> residual_norms, double reduction);

  /// Takes the norms after an iteration, and the events (`kernels::ColumnEvent`) that the kernels
  /// noted. A column fails after `stagnation_window` iterations without progress; 0: no limit.
  Step advance(std::span<const double> norms, std::span<const int> events, int stagnation_window);

  /// Takes the true norms at a cycle's end. A column whose residual meets the tolerance but for its
  /// part in the nullspace ends as `least_squares`. `restarts`: how many breakdowns of a column are
  /// answered by a restart. True where a column goes on to another cycle.
  bool end_cycle(std::span<const double> true_norms, std::span<const double> reducible_norms,
                 int restarts);

  /// True while column j iterates in this cycle.
  bool iterates(int j) const { return m_columns[j].iterates(); }
  bool any_iterates() const;
  /// How many more iterations the limit allows.
  int iterations_left() const { return m_parameters.max_iterations - m_iteration; }
  /// True where the next norms may be the cycle's last: each column that iterates is done if it
  /// gains three times what it gained last. Also where nothing is known yet.
  bool predicts_end() const;
  /// True where column j has failed in this cycle.
  bool has_failed(int j) const { return m_columns[j].has_failed(); }
  bool is_solved(int j) const { return m_columns[j].is_solved(); }
  double target(int j) const { return m_columns[j].target(); }

  /// Takes the norms of an x that has been rounded since the columns ended: one that does not meet
  /// its tolerance any more has not converged.
  void amend(std::span<const double> true_norms, std::span<const double> reducible_norms);

  /// Notes on the solve, by the true norms of the x returned and what of them lies
  /// in the nullspace.
  SolveResult result(std::span<const double> true_norms, std::span<const double> outside_norms);

 private:
  /// The largest relative residual of the columns that count.
  double relative(std::span<const double> norms) const;
  /// The same over the norms at which columns have converged.
  double over_bound(std::span<const double> norms) const;
  double elapsed_ms() const { return m_ms_before + m_timer.seconds() * 1e3; }
  /// Of the norms that the history ends with.
  void log(std::span<const double> norms);
  void check_limits();

  SolverParameters m_parameters;
  Logger m_logger;
  Kokkos::Timer m_timer;
  double m_ms_before = 0;
  bool m_goes_on = false;
  std::vector<ColumnControl> m_columns;
  std::vector<char> m_counts;  ///< columns that the history speaks of
  std::vector<double> m_history;
  int m_iteration = 0;
  std::optional<SolveStatus> m_stop;  ///< why columns that were still at work end
};

}  // namespace tessera::detail
