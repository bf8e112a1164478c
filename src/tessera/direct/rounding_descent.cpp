// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/rounding_descent.hpp"

#include "tessera/direct/extended_residual.hpp"
#include "tessera/direct/selection_rules.hpp"

#include <cmath>
#include <limits>

namespace tessera::direct {
namespace {

HostMatrix transpose(const HostMatrix& A) {
  HostMatrix result;
  result.n = A.n;
  result.offsets.assign(A.n + 1, 0);
  result.columns.resize(A.columns.size());
  result.values.resize(A.values.size());
  for (const int column : A.columns)
    ++result.offsets[column + 1];
  for (int i = 0; i < A.n; ++i)
    result.offsets[i + 1] += result.offsets[i];
  std::vector<int> next(result.offsets.begin(), result.offsets.end() - 1);
  for (int i = 0; i < A.n; ++i) {
    for (int e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      const int to = next[A.columns[e]]++;
      result.columns[to] = i;
      result.values[to] = A.values[e];
    }
  }
  return result;
}

}  // namespace

RoundingDescent::RoundingDescent(const HostMatrix& A)
    : m_A(A), m_columns(transpose(A)), m_squares(A.n), m_residual(A.n) {
  for (int j = 0; j < A.n; ++j) {
    for (int e = m_columns.offsets[j]; e < m_columns.offsets[j + 1]; ++e)
      m_squares[j] += m_columns.values[e] * m_columns.values[e];
  }
}

double RoundingDescent::slope(int j) const {
  double product = 0;
  for (int e = m_columns.offsets[j]; e < m_columns.offsets[j + 1]; ++e)
    product += m_columns.values[e] * m_residual[m_columns.columns[e]];
  return m_squares[j] > 0 ? product / m_squares[j] : 0;
}

auto RoundingDescent::move_by(int j, double by, double ideal) const -> Move {
  return {by, m_squares[j] * by * (by - 2 * ideal)};
}

auto RoundingDescent::best_move(int j, const double* x) const -> Move {
  const double ideal = slope(j);
  const double to = x[j] + ideal;
  return move_by(j, to - x[j], ideal);
}

auto RoundingDescent::unit_move(int j, const double* x, int direction) const -> Move {
  const double to = std::nextafter(x[j], direction * std::numeric_limits<double>::infinity());
  return move_by(j, to - x[j], slope(j));
}

void RoundingDescent::make(int j, const Move& move, double* x) {
  for (int e = m_columns.offsets[j]; e < m_columns.offsets[j + 1]; ++e)
    m_residual[m_columns.columns[e]] -= m_columns.values[e] * move.by;
  x[j] += move.by;
}

void RoundingDescent::step(int j, double* x) {
  const Move move = best_move(j, x);
  if (move.change < 0) make(j, move, x);
}

void RoundingDescent::step_in_pairs(int j, double* x) {
  const int begin = m_A.offsets[j];
  const int end = m_A.offsets[j + 1];
  if (end - begin > rules::max_neighbours_in_pairs) return;
  for (const int direction : {-1, 1}) {
    const double before = x[j];
    const Move first = unit_move(j, x, direction);
    if (!std::isfinite(first.change)) return;
    make(j, first, x);
    Move second{0, 0};
    int partner = j;
    for (int e = begin; e < end; ++e) {
      const int k = m_A.columns[e];
      const Move move = k == j ? Move{0, 0} : best_move(k, x);
      if (move.change < second.change) {
        second = move;
        partner = k;
      }
    }
    if (first.change + second.change < -rules::min_gain_of_pair * first.change) {
      make(partner, second, x);
      return;
    }
    make(j, {-first.by, 0}, x);
    x[j] = before;
  }
}

double RoundingDescent::step_until_still(const double* b, double* x, double target,
                                         const std::function<bool()>& goes_on) {
  const HostSpace exec;
  double norm = extended_residual(exec, m_A, b, x, nullptr, m_residual.data());
  for (int pass = 0; pass < rules::max_rounding_passes && norm > target && goes_on(); ++pass) {
    for (int j = 0; j < m_A.n; ++j)
      step(pass % 2 == 0 ? j : m_A.n - 1 - j, x);
    const double before = norm;
    norm = extended_residual(exec, m_A, b, x, nullptr, m_residual.data());
    if (!(norm < before * (1 - rules::min_gain_of_rounding_pass))) break;
  }
  return norm;
}

double RoundingDescent::descend(const double* b, double* x, double target,
                                const std::function<bool()>& goes_on) {
  double norm = step_until_still(b, x, target, goes_on);
  while (norm > target && norm < target * rules::reach_of_pairs && goes_on()) {
    const double before = norm;
    for (int j = 0; j < m_A.n; ++j)
      step_in_pairs(j, x);
    norm = step_until_still(b, x, target, goes_on);
    if (!(norm < before * (1 - rules::min_gain_of_pairs))) break;
  }
  return norm;
}

}  // namespace tessera::direct
