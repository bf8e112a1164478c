// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The host's side of an iteration: norms in, decision out.
#pragma once

#include "tessera/core/solve_result.hpp"
#include "tessera/solver/logger.hpp"
#include "tessera/solver/solver_parameters.hpp"

#include <Kokkos_Timer.hpp>

#include <span>
#include <vector>

namespace tessera::detail {

/// What an iteration's norms mean for the method.
enum class Step {
  proceed,
  targets_reached,  ///< all columns say that they are done; the true residual decides
  breakdown,  ///< a divisor vanished in some column
  stop  ///< `stop_status` says why
};

/// Counts iterations, keeps the history, and applies the stopping criteria. All norms are squared
/// norms, one a right-hand side.
class IterationControl {
 public:
  /// Starts the clock.
  void start(const SolverParameters& parameters, const Logger& logger, int k);

  /// Takes the norms that residuals are relative to, logs the start, and applies all criteria but
  /// convergence: `proceed` or `stop`.
  Step begin(std::span<const double> rhs_norms, std::span<const double> residual_norms);

  /// Sets each column's target for one cycle that starts from these residual norms. Within a cycle
  /// no target lies further down than `reduction` times its start: beyond that a recurrence says
  /// nothing about the true residual.
  void begin_cycle(std::span<const double> residual_norms, double reduction);

  /// Takes the norms after an iteration. Where `watch_stagnation`, stops after the window of the
  /// parameters without progress.
  Step advance(std::span<const double> norms, bool any_breakdown, bool any_not_a_number,
               bool watch_stagnation);

  /// True where all these true norms meet the tolerance.
  bool meets_tolerance(std::span<const double> true_norms) const;
  bool meets_targets(std::span<const double> norms) const;
  /// The largest relative residual among columns that miss the tolerance.
  double worst(std::span<const double> true_norms) const;
  bool is_diverged(std::span<const double> norms) const;
  /// The largest ||r_j|| / ||b_j||, or ||r_j|| where b_j = 0.
  double relative_to_rhs(std::span<const double> true_norms) const;

  double target(int j) const { return m_target[j]; }
  SolveStatus stop_status() const { return m_stop_status; }
  int iterations() const { return m_iteration; }
  double elapsed_ms() const { return m_timer.seconds() * 1e3; }
  std::vector<double> take_history() { return std::move(m_history); }

 private:
  double relative(std::span<const double> norms) const;
  Step log(double relative_residual);
  Step stop(SolveStatus status);
  Step check_limits();

  SolverParameters m_parameters;
  Logger m_logger;
  Kokkos::Timer m_timer;
  std::vector<double> m_rhs_norm;  ///< not squared
  std::vector<double> m_reference;  ///< not squared
  std::vector<double> m_threshold;
  std::vector<double> m_target;
  std::vector<double> m_history;
  double m_first_relative = 0;
  double m_best_relative = 0;
  int m_last_progress = 0;
  int m_iteration = 0;
  SolveStatus m_stop_status = SolveStatus::max_iterations;
};

}  // namespace tessera::detail
