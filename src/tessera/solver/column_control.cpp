// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/column_control.hpp"

#include "tessera/kernels/vector/column_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::detail {

namespace {

double over(double norm, double reference) {
  return reference > 0 ? std::sqrt(norm) / reference : std::sqrt(norm);
}

}  // namespace

void ColumnControl::go_on(const ColumnResult& before) {
  m_reference = before.reference_norm;
  m_iterations = before.iterations;
}

void ColumnControl::set_exponent(int exponent) {
  m_exponent = exponent;
  m_reference = std::ldexp(m_reference, -exponent);
}

void ColumnControl::begin(const SolverParameters& parameters, double rhs_norm, double true_norm,
                          double reducible_norm, int iteration, bool goes_on) {
  m_rhs_norm = std::sqrt(rhs_norm);
  if (parameters.reference == StoppingReference::rhs) {
    m_reference = m_rhs_norm;
  } else if (!goes_on || !std::isfinite(m_reference)) {
    m_reference = std::sqrt(true_norm);
  }
  const double norm = parameters.tolerance * m_reference;
  const double absolute = std::ldexp(parameters.absolute_tolerance, -m_exponent);
  m_relative_threshold = norm * norm;
  m_threshold = std::max(m_relative_threshold, absolute * absolute);
  m_first_relative = relative(true_norm);
  m_reducible_relative = relative(reducible_norm);
  m_best_relative = m_first_relative;
  m_last_progress = iteration;
  if (!std::isfinite(rhs_norm) || !std::isfinite(true_norm)) {
    m_end = SolveStatus::not_a_number;
  } else if (true_norm <= m_threshold) {
    m_end = SolveStatus::converged;
  } else if (reducible_norm <= m_threshold) {
    m_end = SolveStatus::least_squares;
  }
}

void ColumnControl::begin_cycle(double residual_norm, double reduction) {
  m_reduction = reduction;
  m_failure.reset();
  m_target = m_end ? std::numeric_limits<double>::infinity()
                   : std::max(m_threshold, reduction * reduction * residual_norm);
  m_iterates = residual_norm > m_target;
  m_norm = residual_norm;
  m_rate = 0;
}

void ColumnControl::advance(const SolverParameters& parameters, double norm, int event,
                            int iteration, int stagnation_window) {
  constexpr double progress = 0.999;
  ++m_iterations;
  m_rate = m_norm > 0 ? norm / m_norm : 0;
  m_norm = norm;
  const double relative_residual = relative(norm);
  const auto what = static_cast<kernels::ColumnEvent>(event);
  if (what == kernels::ColumnEvent::not_a_number || !std::isfinite(norm)) {
    m_failure = SolveStatus::not_a_number;
  } else if (what == kernels::ColumnEvent::breakdown) {
    m_failure = SolveStatus::breakdown;
  } else if (norm <= m_target) {
    m_iterates = false;
  } else if (is_diverged(parameters, norm)) {
    m_failure = SolveStatus::diverged;
  } else if (relative_residual < progress * m_best_relative) {
    m_best_relative = relative_residual;
    m_last_progress = iteration;
  } else if (stagnation_window > 0 && iteration - m_last_progress >= stagnation_window) {
    m_failure = SolveStatus::stagnated;
  } else if (stands_still(iteration)) {
    m_iterates = false;
    m_last_progress = iteration;
  }
  if (m_failure) m_iterates = false;
}

bool ColumnControl::stands_still(int iteration) const {
  constexpr double near_round_off = 1e4;
  constexpr int patience = 50;
  return m_best_relative < near_round_off * m_reduction && iteration - m_last_progress >= patience;
}

bool ColumnControl::is_diverged(const SolverParameters& parameters, double norm) const {
  return relative(norm) > parameters.divergence_limit * std::max(m_first_relative, 1.0);
}

void ColumnControl::end_cycle(const SolverParameters& parameters, double true_norm,
                              double reducible_norm, int restarts,
                              std::optional<SolveStatus> stop) {
  m_end = end_of_cycle(parameters, true_norm, reducible_norm, restarts, stop);
  m_reducible_relative = relative(reducible_norm);
}

std::optional<SolveStatus> ColumnControl::end_of_cycle(const SolverParameters& parameters,
                                                       double true_norm, double reducible_norm,
                                                       int restarts,
                                                       std::optional<SolveStatus> stop) {
  const bool broke_down = m_failure == SolveStatus::breakdown;
  if (true_norm <= m_threshold) return SolveStatus::converged;
  if (reducible_norm <= m_threshold) return SolveStatus::least_squares;
  if (m_failure && !broke_down) return m_failure;
  if (!std::isfinite(true_norm)) return SolveStatus::not_a_number;
  if (broke_down && m_breakdowns++ == restarts) return SolveStatus::breakdown;
  // A method that believes it is done while the true residual is above the tolerance has met the
  // precision's limit, unless the last cycle still gained on it.
  const bool believed_done = !m_failure && !m_iterates;
  const double after = relative(reducible_norm);
  if (believed_done && (!parameters.verify || after > m_reducible_relative / 2)) {
    return SolveStatus::stagnated;
  }
  if (is_diverged(parameters, true_norm)) return SolveStatus::diverged;
  return stop;
}

void ColumnControl::amend(double true_norm, double reducible_norm) {
  if (!is_solved()) return;
  const bool has_solution = m_end == SolveStatus::converged;
  if ((has_solution ? true_norm : reducible_norm) <= m_threshold) return;
  m_end = std::isfinite(true_norm) ? SolveStatus::stagnated : SolveStatus::not_a_number;
}

bool ColumnControl::predicts_end() const {
  constexpr double luck = 0.1;  // of squared norms
  return !m_iterates || luck * m_rate * m_norm <= m_target;
}

double ColumnControl::relative(double norm) const { return over(norm, m_reference); }

double ColumnControl::over_bound(double norm) const { return std::sqrt(norm / m_threshold); }

ColumnResult ColumnControl::result(double true_norm, double outside_norm,
                                   std::optional<SolveStatus> stop) const {
  // What no x reduces has been told apart where the rest met a tolerance.
  const double reducible =
      m_end == SolveStatus::least_squares ? std::max(0.0, true_norm - outside_norm) : true_norm;
  // Where the column has not ended, all are stopped.
  const auto end = m_end ? m_end : stop;
  return {.status = *end,  // NOLINT(bugprone-unchecked-optional-access)
          .iterations = m_iterations,
          .true_relative_residual = over(true_norm, m_rhs_norm),
          .outside_range = over(outside_norm, m_rhs_norm),
          .reference_norm = std::ldexp(m_reference, m_exponent),
          .by_absolute_tolerance = m_threshold > m_relative_threshold && is_solved() &&
                                   reducible > m_relative_threshold};
}

}  // namespace tessera::detail
