// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/detail/givens.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tessera::detail {
namespace {

double norm(std::span<const double> v) {
  return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
}

}  // namespace

void GivensLeastSquares::prepare(int restart) {
  m_restart = restart;
  m_triangle.resize(static_cast<std::size_t>(restart) * (restart + 1));
  m_cosine.resize(restart);
  m_sine.resize(restart);
  m_rhs.resize(restart + 1);
  m_column.resize(restart + 1);
}

void GivensLeastSquares::start(double beta) {
  m_size = 0;
  m_rhs[0] = beta;
}

bool GivensLeastSquares::append(std::span<const double> h, double h_next, double rounding) {
  const int m = m_size;
  double length = h_next * h_next;
  for (int t = 0; t <= m; ++t) {
    m_column[t] = h[t];
    length += h[t] * h[t];
  }
  length = std::sqrt(length);
  if (!std::isfinite(length)) {
    return false;
  }
  for (int t = 0; t < m; ++t) {
    const double upper = m_column[t];
    const double lower = m_column[t + 1];
    m_column[t] = m_cosine[t] * upper + m_sine[t] * lower;
    m_column[t + 1] = -m_sine[t] * upper + m_cosine[t] * lower;
  }
  const double below = h_next <= rounding * length ? 0 : h_next;
  const double diagonal = std::hypot(m_column[m], below);
  if (!(diagonal > rounding * length)) {
    return false;
  }
  m_cosine[m] = m_column[m] / diagonal;
  m_sine[m] = below / diagonal;
  m_column[m] = diagonal;
  std::copy_n(m_column.begin(), m + 1,
              m_triangle.begin() + static_cast<std::ptrdiff_t>(m) * (m_restart + 1));
  m_rhs[m + 1] = -m_sine[m] * m_rhs[m];
  m_rhs[m] *= m_cosine[m];
  ++m_size;
  return true;
}

double GivensLeastSquares::residual() const { return std::abs(m_rhs[m_size]); }

void GivensLeastSquares::solve_leading(int count, std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  std::copy_n(m_rhs.begin(), count, y.begin());
  for (int column = count - 1; column >= 0; --column) {
    const auto R = triangle(column);
    y[column] /= R[column];
    for (int row = 0; row < column; ++row) {
      y[row] -= R[row] * y[column];
    }
  }
}

int GivensLeastSquares::solve(std::span<double> y, double rounding) const {
  solve_leading(m_size, y);
  double squared_norm = 0;
  for (int column = 0; column < m_size; ++column) {
    for (const double entry : triangle(column)) {
      squared_norm += entry * entry;
    }
  }
  const double unit = rounding * std::sqrt(squared_norm);
  const auto error_of = [&] { return unit * norm(y); };
  int best = m_size;
  double least = residual() + error_of();
  if (least <= 2 * residual()) {
    return best;
  }
  double left = m_rhs[m_size] * m_rhs[m_size];  // the squared residual of `count` columns
  for (int count = m_size - 1; count >= 0; --count) {
    left += m_rhs[count] * m_rhs[count];
    if (!(std::sqrt(left) < least)) {
      break;  // fewer columns leave more
    }
    solve_leading(count, y);
    const double sum = std::sqrt(left) + error_of();
    if (sum < least) {
      least = sum;
      best = count;
    }
  }
  solve_leading(best, y);
  return best;
}

}  // namespace tessera::detail
