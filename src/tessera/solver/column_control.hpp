// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The stopping criteria, applied to one column of a solve.
#pragma once

#include "tessera/operator/solve_result.hpp"
#include "tessera/solver/solver_parameters.hpp"

#include <optional>

namespace tessera::detail {

/// Says from a column's norms whether it iterates, fails, or ends. All norms are squared norms of
/// 2^-exponent times the column; `iteration` counts on from one call to the next.
class ColumnControl {
 public:
  /// Of a new column: it goes on from a solve that ended so.
  void go_on(const ColumnResult& before);
  /// Of the power of two that is taken out of the column from now on.
  void set_exponent(int exponent);

  /// Takes the norms of the right-hand side, of the residual, and of the latter without its part in
  /// the nullspace, here and below. `goes_on`: from a solve before.
  void begin(const SolverParameters& parameters, double rhs_norm, double true_norm,
             double reducible_norm, int iteration, bool goes_on);
  /// Sets the target of a cycle; see `IterationControl::begin_cycle`.
  void begin_cycle(double residual_norm, double reduction);
  /// Takes the norm after an iteration, and the event (`kernels::ColumnEvent`) that the kernels
  /// noted. Fails after `stagnation_window` iterations without progress; 0: no limit.
  void advance(const SolverParameters& parameters, double norm, int event, int iteration,
               int stagnation_window);
  /// Takes the true norms at a cycle's end, which may be the column's. `restarts`: how many
  /// breakdowns are answered by a restart. `stop`: why the solve ends, if it does.
  void end_cycle(const SolverParameters& parameters, double true_norm, double reducible_norm,
                 int restarts, std::optional<SolveStatus> stop);
  /// Takes the norms of an x that has been rounded since the column ended.
  void amend(double true_norm, double reducible_norm);

  /// True while it iterates in this cycle.
  bool iterates() const { return m_iterates; }
  /// True where it has failed in this cycle.
  bool has_failed() const { return m_failure.has_value(); }
  /// How it has ended for good.
  const std::optional<SolveStatus>& end() const { return m_end; }
  bool is_solved() const { return m_end && tessera::is_solved(*m_end); }
  double target() const { return m_target; }
  /// True where the next norm may be the cycle's last: the column is done if it gains three times
  /// what it gained last. Also where nothing is known yet.
  bool predicts_end() const;

  /// A norm relative to the column's reference, not squared.
  double relative(double norm) const;
  /// The same over the norm at which it has converged.
  double over_bound(double norm) const;
  /// By the true norms of the x returned and what of them lies in the nullspace. `stop`: the status
  /// of a column that has not ended.
  ColumnResult result(double true_norm, double outside_norm, std::optional<SolveStatus> stop) const;

 private:
  /// True where nothing was gained for long, so near to the scalar's round-off that it is for the
  /// true residual to say what is left.
  bool stands_still(int iteration) const;
  bool is_diverged(const SolverParameters& parameters, double norm) const;
  /// What a cycle that has ended means for good.
  std::optional<SolveStatus> end_of_cycle(const SolverParameters& parameters, double true_norm,
                                          double reducible_norm, int restarts,
                                          std::optional<SolveStatus> stop);

  double m_rhs_norm = 0;  ///< not squared
  double m_reference = 0;  ///< not squared
  int m_exponent = 0;  ///< of the power of two that was taken out of the column
  double m_threshold = 0;  ///< by both tolerances
  double m_relative_threshold = 0;  ///< by the relative one
  double m_target = 0;
  double m_reduction = 0;  ///< of `begin_cycle`
  double m_first_relative = 0;
  double m_best_relative = 0;
  double m_norm = 0;  ///< the last one
  double m_rate = 0;  ///< of the last two norms; 0 before there are two in a cycle
  double m_reducible_relative = 0;  ///< at the cycle's start
  int m_last_progress = 0;
  int m_iterations = 0;
  int m_breakdowns = 0;
  bool m_iterates = false;
  std::optional<SolveStatus> m_failure;  ///< in this cycle
  std::optional<SolveStatus> m_end;  ///< for good
};

}  // namespace tessera::detail
