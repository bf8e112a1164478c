// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/iteration_control.hpp"

#include "tessera/solver/krylov_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

namespace detail {

namespace {

/// The larger, or NaN where either is.
double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }

}  // namespace

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
    for (int j = 0; j < k; ++j)
      m_columns[j].go_on(before->columns[j]);
  }
  m_timer.reset();
}

void IterationControl::set_exponents(std::span<const int> exponents) {
  for (std::size_t j = 0; j < m_columns.size(); ++j)
    m_columns[j].set_exponent(exponents[j]);
}

Step IterationControl::begin(std::span<const double> rhs_norms, std::span<const double> true_norms,
                             std::span<const double> reducible_norms) {
  for (std::size_t j = 0; j < m_columns.size(); ++j) {
    m_columns[j].begin(m_parameters, rhs_norms[j], true_norms[j], reducible_norms[j], m_iteration,
                       m_goes_on);
    m_counts[j] = static_cast<char>(m_columns[j].end() != SolveStatus::not_a_number);
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
                                     [](const ColumnControl& c) { return c.end().has_value(); });
  return all_ended ? Step::finished : Step::proceed;
}

void IterationControl::begin_cycle(std::span<const double> residual_norms, double reduction) {
  for (std::size_t j = 0; j < m_columns.size(); ++j) {
    m_columns[j].begin_cycle(residual_norms[j], reduction);
    m_counts[j] = static_cast<char>(!m_columns[j].end() || m_columns[j].is_solved());
  }
}

Step IterationControl::advance(std::span<const double> norms, std::span<const int> events,
                               int stagnation_window) {
  ++m_iteration;
  for (std::size_t j = 0; j < m_columns.size(); ++j) {
    if (m_columns[j].iterates())
      m_columns[j].advance(m_parameters, norms[j], events[j], m_iteration, stagnation_window);
  }
  // Where all have failed, those that did so now still count.
  bool any_left = false;
  for (std::size_t j = 0; j < m_columns.size(); ++j)
    any_left = any_left || (m_counts[j] != 0 && !m_columns[j].has_failed());
  for (std::size_t j = 0; any_left && j < m_columns.size(); ++j)
    m_counts[j] = static_cast<char>(m_counts[j] != 0 && !m_columns[j].has_failed());
  m_history.push_back(relative(norms));
  log(norms);
  if (m_stop) return Step::stop;
  if (!any_iterates()) return Step::finished;
  check_limits();
  return m_stop ? Step::stop : Step::proceed;
}

bool IterationControl::end_cycle(std::span<const double> true_norms,
                                 std::span<const double> reducible_norms, int restarts) {
  if (!m_stop) check_limits();
  bool goes_on = false;
  for (std::size_t j = 0; j < m_columns.size(); ++j) {
    ColumnControl& column = m_columns[j];
    if (column.end()) continue;
    column.end_cycle(m_parameters, true_norms[j], reducible_norms[j], restarts, m_stop);
    goes_on = goes_on || !column.end();
  }
  return goes_on;
}

bool IterationControl::any_iterates() const {
  return std::any_of(m_columns.begin(), m_columns.end(),
                     [](const ColumnControl& c) { return c.iterates(); });
}

bool IterationControl::predicts_end() const {
  return std::all_of(m_columns.begin(), m_columns.end(),
                     [](const ColumnControl& c) { return c.predicts_end(); });
}

double IterationControl::relative(std::span<const double> norms) const {
  double result = 0;
  for (std::size_t j = 0; j < norms.size(); ++j) {
    if (m_counts[j] != 0) result = larger(m_columns[j].relative(norms[j]), result);
  }
  return result;
}

double IterationControl::over_bound(std::span<const double> norms) const {
  double result = 0;
  for (std::size_t j = 0; j < norms.size(); ++j) {
    if (m_counts[j] == 0 || norms[j] == 0) continue;
    result = larger(m_columns[j].over_bound(norms[j]), result);
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
  for (std::size_t j = 0; j < m_columns.size(); ++j)
    m_columns[j].amend(true_norms[j], reducible_norms[j]);
}

SolveResult IterationControl::result(std::span<const double> true_norms,
                                     std::span<const double> outside_norms) {
  SolveResult result;
  result.status = SolveStatus::converged;
  result.iterations = m_iteration;
  result.residual_history = std::move(m_history);
  result.solve_ms = elapsed_ms();
  for (std::size_t j = 0; j < m_columns.size(); ++j) {
    const ColumnResult column = m_columns[j].result(true_norms[j], outside_norms[j], m_stop);
    result.status = std::max(result.status, column.status);
    result.true_relative_residual =
        larger(column.true_relative_residual, result.true_relative_residual);
    result.outside_range = larger(column.outside_range, result.outside_range);
    result.columns.push_back(column);
  }
  return result;
}

}  // namespace detail
}  // namespace tessera
