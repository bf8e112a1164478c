// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/detail/iteration_control.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::detail {

namespace {

bool all_finite(std::span<const double> norms) {
  return std::all_of(norms.begin(), norms.end(), [](double norm) { return std::isfinite(norm); });
}

double over(double norm, double reference) {
  return reference > 0 ? std::sqrt(norm) / reference : std::sqrt(norm);
}

/// The larger, or NaN where either is.
double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }

}  // namespace

void IterationControl::start(const SolverParameters& parameters, const Logger& logger, int k) {
  m_parameters = parameters;
  m_logger = logger;
  m_rhs_norm.assign(k, 0);
  m_reference.assign(k, 0);
  m_threshold.assign(k, 0);
  m_target.assign(k, 0);
  m_history.clear();
  m_iteration = 0;
  m_last_progress = 0;
  m_timer.reset();
}

Step IterationControl::begin(std::span<const double> rhs_norms,
                             std::span<const double> residual_norms) {
  for (std::size_t j = 0; j < rhs_norms.size(); ++j) {
    m_rhs_norm[j] = std::sqrt(rhs_norms[j]);
    m_reference[j] = m_parameters.reference == StoppingReference::rhs
                         ? m_rhs_norm[j]
                         : std::sqrt(residual_norms[j]);
    const double norm = m_parameters.tolerance * m_reference[j];
    m_threshold[j] = norm * norm;
  }
  m_first_relative = relative(residual_norms);
  m_best_relative = m_first_relative;
  m_history.push_back(m_first_relative);
  if (!all_finite(rhs_norms) || !all_finite(residual_norms)) {
    return stop(SolveStatus::not_a_number);
  }
  return log(m_first_relative);
}

void IterationControl::begin_cycle(std::span<const double> residual_norms, double reduction) {
  for (std::size_t j = 0; j < m_target.size(); ++j) {
    m_target[j] = std::max(m_threshold[j], reduction * reduction * residual_norms[j]);
  }
}

Step IterationControl::advance(std::span<const double> norms, bool any_breakdown,
                               bool any_not_a_number, bool watch_stagnation) {
  ++m_iteration;
  const double relative_residual = relative(norms);
  m_history.push_back(relative_residual);
  const Step logged = log(relative_residual);
  if (any_not_a_number || !all_finite(norms)) {
    return stop(SolveStatus::not_a_number);
  }
  if (logged == Step::stop) {
    return logged;
  }
  if (any_breakdown) {
    return Step::breakdown;
  }
  if (meets_targets(norms)) {
    return Step::targets_reached;
  }
  if (is_diverged(norms)) {
    return stop(SolveStatus::diverged);
  }
  constexpr double progress = 0.999;
  if (relative_residual < progress * m_best_relative) {
    m_best_relative = relative_residual;
    m_last_progress = m_iteration;
  } else if (watch_stagnation && m_parameters.stagnation_window > 0 &&
             m_iteration - m_last_progress >= m_parameters.stagnation_window) {
    return stop(SolveStatus::stagnated);
  }
  return check_limits();
}

Step IterationControl::check_limits() {
  if (m_iteration >= m_parameters.max_iterations) {
    return stop(SolveStatus::max_iterations);
  }
  if (m_parameters.time_limit_s > 0 && m_timer.seconds() >= m_parameters.time_limit_s) {
    return stop(SolveStatus::time_limit);
  }
  return Step::proceed;
}

bool IterationControl::meets_tolerance(std::span<const double> true_norms) const {
  return std::equal(true_norms.begin(), true_norms.end(), m_threshold.begin(),
                    [](double norm, double threshold) { return norm <= threshold; });
}

bool IterationControl::meets_targets(std::span<const double> norms) const {
  return std::equal(norms.begin(), norms.end(), m_target.begin(),
                    [](double norm, double target) { return norm <= target; });
}

double IterationControl::worst(std::span<const double> true_norms) const {
  double result = 0;
  for (std::size_t j = 0; j < true_norms.size(); ++j) {
    if (!(true_norms[j] <= m_threshold[j])) {
      result = larger(over(true_norms[j], m_reference[j]), result);
    }
  }
  return result;
}

bool IterationControl::is_diverged(std::span<const double> norms) const {
  return relative(norms) > m_parameters.divergence_limit * std::max(m_first_relative, 1.0);
}

double IterationControl::relative_to_rhs(std::span<const double> true_norms) const {
  double result = 0;
  for (std::size_t j = 0; j < true_norms.size(); ++j) {
    result = larger(over(true_norms[j], m_rhs_norm[j]), result);
  }
  return result;
}

double IterationControl::relative(std::span<const double> norms) const {
  double result = 0;
  for (std::size_t j = 0; j < norms.size(); ++j) {
    result = larger(over(norms[j], m_reference[j]), result);
  }
  return result;
}

Step IterationControl::log(double relative_residual) {
  if (m_logger && !m_logger({m_iteration, relative_residual, elapsed_ms()})) {
    return stop(SolveStatus::interrupted);
  }
  return m_iteration == 0 ? check_limits() : Step::proceed;
}

Step IterationControl::stop(SolveStatus status) {
  m_stop_status = status;
  return Step::stop;
}

}  // namespace tessera::detail
