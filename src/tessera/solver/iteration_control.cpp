// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/iteration_control.hpp"

#include "tessera/kernels/vector/column_steps.hpp"
#include "tessera/solver/krylov_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::detail {

namespace {

double over(double norm, double reference) {
  return reference > 0 ? std::sqrt(norm) / reference : std::sqrt(norm);
}

/// The larger, or NaN where either is.
double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }

}  // namespace
}  // namespace tessera::detail

namespace tessera {

int iteration_limit(const SolverParameters& parameters, const SolveResult* before) {
  const int limit = parameters.max_iterations;
  if (before == nullptr || before->iterations < limit) return limit;
  const bool met = std::any_of(
      before->columns.begin(), before->columns.end(),
      [](const ColumnResult& column) { return column.status == SolveStatus::max_iterations; });
  const int rest = std::numeric_limits<int>::max() - before->iterations;
  return met ? before->iterations + std::min(limit, rest) : limit;
}

}  // namespace tessera

namespace tessera::detail {

void IterationControl::start(const SolverParameters& parameters, const Logger& logger, int k,
                             const SolveResult* before) {
  m_parameters = parameters;
  m_parameters.max_iterations = iteration_limit(parameters, before);
  m_logger = logger;
  m_goes_on = before != nullptr;
  m_columns.assign(k, {});
  m_counts.assign(k, 1);
  m_history.clear();
  m_iteration = 0;
  m_ms_before = 0;
  m_stop.reset();
  if (before != nullptr) {
    m_history = before->residual_history;
    m_iteration = before->iterations;
    m_ms_before = before->solve_ms;
    for (int j = 0; j < k; ++j) {
      m_columns[j].reference = before->columns[j].reference_norm;
      m_columns[j].iterations = before->columns[j].iterations;
    }
  }
  m_timer.reset();
}

void IterationControl::set_exponents(std::span<const int> exponents) {
  for (std::size_t j = 0; j < m_columns.size(); ++j) {
    Column& c = m_columns[j];
    c.exponent = exponents[j];
    c.reference = std::ldexp(c.reference, -c.exponent);
  }
}

Step IterationControl::begin(std::span<const double> rhs_norms, std::span<const double> true_norms,
                             std::span<const double> reducible_norms) {
  for (std::size_t j = 0; j < m_columns.size(); ++j) {
    Column& c = m_columns[j];
    c.rhs_norm = std::sqrt(rhs_norms[j]);
    if (m_parameters.reference == StoppingReference::rhs) {
      c.reference = c.rhs_norm;
    } else if (!m_goes_on || !std::isfinite(c.reference)) {
      c.reference = std::sqrt(true_norms[j]);
    }
    const double norm = m_parameters.tolerance * c.reference;
    const double absolute = std::ldexp(m_parameters.absolute_tolerance, -c.exponent);
    c.relative_threshold = norm * norm;
    c.threshold = std::max(c.relative_threshold, absolute * absolute);
    c.first_relative = over(true_norms[j], c.reference);
    c.reducible_relative = over(reducible_norms[j], c.reference);
    c.best_relative = c.first_relative;
    c.last_progress = m_iteration;
    if (!std::isfinite(rhs_norms[j]) || !std::isfinite(true_norms[j])) {
      c.end = SolveStatus::not_a_number;
    } else if (true_norms[j] <= c.threshold) {
      c.end = SolveStatus::converged;
    } else if (reducible_norms[j] <= c.threshold) {
      c.end = SolveStatus::least_squares;
    }
    m_counts[j] = c.end != SolveStatus::not_a_number;
  }
  const bool any_counts = std::any_of(m_counts.begin(), m_counts.end(), [](char c) { return c; });
  if (!any_counts) std::fill(m_counts.begin(), m_counts.end(), 1);
  if (!m_goes_on) {
    m_history.push_back(relative(true_norms));
    if (any_counts) log(true_norms);
  }
  check_limits();
  if (m_stop) return Step::stop;
  const bool all_ended = std::all_of(m_columns.begin(), m_columns.end(),
                                     [](const Column& c) { return c.end.has_value(); });
  return all_ended ? Step::finished : Step::proceed;
}

void IterationControl::begin_cycle(std::span<const double> residual_norms, double reduction) {
  m_reduction = reduction;
  for (std::size_t j = 0; j < m_columns.size(); ++j) {
    Column& c = m_columns[j];
    c.failure.reset();
    c.target = c.end ? std::numeric_limits<double>::infinity()
                     : std::max(c.threshold, reduction * reduction * residual_norms[j]);
    c.iterates = residual_norms[j] > c.target;
    c.norm = residual_norms[j];
    c.rate = 0;
    m_counts[j] = !c.end || tessera::is_solved(*c.end);
  }
}

Step IterationControl::advance(std::span<const double> norms, std::span<const int> events,
                               int stagnation_window) {
  ++m_iteration;
  for (std::size_t j = 0; j < m_columns.size(); ++j) {
    if (m_columns[j].iterates) judge(m_columns[j], norms[j], events[j], stagnation_window);
  }
  // Where all have failed, those that did so now still count.
  bool any_left = false;
  for (std::size_t j = 0; j < m_columns.size(); ++j)
    any_left = any_left || (m_counts[j] != 0 && !m_columns[j].failure);
  for (std::size_t j = 0; any_left && j < m_columns.size(); ++j)
    m_counts[j] = m_counts[j] != 0 && !m_columns[j].failure;
  m_history.push_back(relative(norms));
  log(norms);
  if (m_stop) return Step::stop;
  if (!any_iterates()) return Step::finished;
  check_limits();
  return m_stop ? Step::stop : Step::proceed;
}

void IterationControl::judge(Column& c, double norm, int event, int stagnation_window) {
  constexpr double progress = 0.999;
  ++c.iterations;
  c.rate = c.norm > 0 ? norm / c.norm : 0;
  c.norm = norm;
  const double relative_residual = over(norm, c.reference);
  const auto what = static_cast<kernels::ColumnEvent>(event);
  if (what == kernels::ColumnEvent::not_a_number || !std::isfinite(norm)) {
    c.failure = SolveStatus::not_a_number;
  } else if (what == kernels::ColumnEvent::breakdown) {
    c.failure = SolveStatus::breakdown;
  } else if (norm <= c.target) {
    c.iterates = false;
  } else if (is_diverged(c, norm)) {
    c.failure = SolveStatus::diverged;
  } else if (relative_residual < progress * c.best_relative) {
    c.best_relative = relative_residual;
    c.last_progress = m_iteration;
  } else if (stagnation_window > 0 && m_iteration - c.last_progress >= stagnation_window) {
    c.failure = SolveStatus::stagnated;
  } else if (stands_still(c)) {
    c.iterates = false;
    c.last_progress = m_iteration;
  }
  if (c.failure) c.iterates = false;
}

bool IterationControl::stands_still(const Column& c) const {
  constexpr double near_round_off = 1e4;
  constexpr int patience = 50;
  return c.best_relative < near_round_off * m_reduction &&
         m_iteration - c.last_progress >= patience;
}

bool IterationControl::end_cycle(std::span<const double> true_norms,
                                 std::span<const double> reducible_norms, int restarts) {
  if (!m_stop) check_limits();
  bool goes_on = false;
  for (std::size_t j = 0; j < m_columns.size(); ++j) {
    Column& c = m_columns[j];
    if (c.end) continue;
    c.end = end_of(c, true_norms[j], reducible_norms[j], restarts);
    c.reducible_relative = over(reducible_norms[j], c.reference);
    goes_on = goes_on || !c.end;
  }
  return goes_on;
}

std::optional<SolveStatus> IterationControl::end_of(Column& c, double true_norm,
                                                    double reducible_norm, int restarts) const {
  const bool broke_down = c.failure == SolveStatus::breakdown;
  if (true_norm <= c.threshold) return SolveStatus::converged;
  if (reducible_norm <= c.threshold) return SolveStatus::least_squares;
  if (c.failure && !broke_down) return c.failure;
  if (!std::isfinite(true_norm)) return SolveStatus::not_a_number;
  if (broke_down && c.breakdowns++ == restarts) return SolveStatus::breakdown;
  // A method that believes it is done while the true residual is above the tolerance has met the
  // precision's limit, unless the last cycle still gained on it.
  const bool believed_done = !c.failure && !c.iterates;
  const double after = over(reducible_norm, c.reference);
  if (believed_done && (!m_parameters.verify || after > c.reducible_relative / 2)) {
    return SolveStatus::stagnated;
  }
  if (is_diverged(c, true_norm)) return SolveStatus::diverged;
  return m_stop;
}

bool IterationControl::any_iterates() const {
  return std::any_of(m_columns.begin(), m_columns.end(),
                     [](const Column& c) { return c.iterates; });
}

bool IterationControl::predicts_end() const {
  constexpr double luck = 0.1;  // of squared norms
  return std::all_of(m_columns.begin(), m_columns.end(), [](const Column& c) {
    return !c.iterates || luck * c.rate * c.norm <= c.target;
  });
}

bool IterationControl::is_diverged(const Column& c, double norm) const {
  return over(norm, c.reference) > m_parameters.divergence_limit * std::max(c.first_relative, 1.0);
}

double IterationControl::relative(std::span<const double> norms) const {
  double result = 0;
  for (std::size_t j = 0; j < norms.size(); ++j) {
    if (m_counts[j] != 0) result = larger(over(norms[j], m_columns[j].reference), result);
  }
  return result;
}

double IterationControl::over_bound(std::span<const double> norms) const {
  double result = 0;
  for (std::size_t j = 0; j < norms.size(); ++j) {
    if (m_counts[j] == 0 || norms[j] == 0) continue;
    result = larger(std::sqrt(norms[j] / m_columns[j].threshold), result);
  }
  return result;
}

void IterationControl::log(std::span<const double> norms) {
  if (m_logger && !m_logger({m_iteration, m_history.back(), elapsed_ms(), over_bound(norms)})) {
    m_stop = SolveStatus::interrupted;
  }
}

void IterationControl::check_limits() {
  if (m_stop) return;
  if (m_iteration >= m_parameters.max_iterations) {
    m_stop = SolveStatus::max_iterations;
  } else if (m_parameters.time_limit_s > 0 && elapsed_ms() >= m_parameters.time_limit_s * 1e3) {
    m_stop = SolveStatus::time_limit;
  }
}

void IterationControl::amend(std::span<const double> true_norms,
                             std::span<const double> reducible_norms) {
  for (std::size_t j = 0; j < m_columns.size(); ++j) {
    Column& c = m_columns[j];
    if (!is_solved(static_cast<int>(j))) continue;
    const bool has_solution = c.end == SolveStatus::converged;
    if ((has_solution ? true_norms : reducible_norms)[j] <= c.threshold) continue;
    c.end = std::isfinite(true_norms[j]) ? SolveStatus::stagnated : SolveStatus::not_a_number;
  }
}

SolveResult IterationControl::result(std::span<const double> true_norms,
                                     std::span<const double> outside_norms) {
  SolveResult result;
  result.status = SolveStatus::converged;
  result.iterations = m_iteration;
  result.residual_history = std::move(m_history);
  result.solve_ms = elapsed_ms();
  for (std::size_t j = 0; j < m_columns.size(); ++j) {
    const Column& c = m_columns[j];
    // What no x reduces has been told apart where the rest met a tolerance.
    const double reducible = c.end == SolveStatus::least_squares
                                 ? std::max(0.0, true_norms[j] - outside_norms[j])
                                 : true_norms[j];
    const ColumnResult column{.status = c.end ? *c.end : *m_stop,
                              .iterations = c.iterations,
                              .true_relative_residual = over(true_norms[j], c.rhs_norm),
                              .outside_range = over(outside_norms[j], c.rhs_norm),
                              .reference_norm = std::ldexp(c.reference, c.exponent),
                              .by_absolute_tolerance = c.threshold > c.relative_threshold &&
                                                       is_solved(static_cast<int>(j)) &&
                                                       reducible > c.relative_threshold};
    result.status = std::max(result.status, column.status);
    result.true_relative_residual =
        larger(column.true_relative_residual, result.true_relative_residual);
    result.outside_range = larger(column.outside_range, result.outside_range);
    result.columns.push_back(column);
  }
  return result;
}

}  // namespace tessera::detail
