// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/detail/givens.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::detail {

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

void GivensLeastSquares::solve(std::span<double> y) const {
  const auto R = [this](int row, int column) {
    return m_triangle[static_cast<std::size_t>(column) * (m_restart + 1) + row];
  };
  for (int row = m_size - 1; row >= 0; --row) {
    double sum = m_rhs[row];
    for (int column = row + 1; column < m_size; ++column) {
      sum -= R(row, column) * y[column];
    }
    y[row] = sum / R(row, row);
  }
}

}  // namespace tessera::detail
