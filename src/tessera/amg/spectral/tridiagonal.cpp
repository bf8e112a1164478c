// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/spectral/tridiagonal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::amg {
namespace {

/// The largest eigenvalue, by Sturm sequences: the pivots of T - x I are all negative just where
/// every eigenvalue is below x.
double largest_eigenvalue(const Tridiagonal& matrix) {
  const std::size_t k = matrix.diagonal.size();
  double low = -std::numeric_limits<double>::infinity();
  double high = low;
  for (std::size_t i = 0; i < k; ++i) {
    const double before = i > 0 ? std::sqrt(matrix.squares[i - 1]) : 0;
    const double after = i + 1 < k ? std::sqrt(matrix.squares[i]) : 0;
    low = std::max(low, matrix.diagonal[i]);
    high = std::max(high, matrix.diagonal[i] + before + after);
  }
  const auto all_below = [&](double x) {
    double pivot = matrix.diagonal[0] - x;
    for (std::size_t i = 1; i < k && pivot < 0; ++i) {
      pivot = matrix.diagonal[i] - x - matrix.squares[i - 1] / pivot;
    }
    return pivot < 0;
  };
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = low + (high - low) / 2;
    (all_below(middle) ? high : low) = middle;
  }
  return high;
}

/// |last component| of the eigenvector of `value`, by the three-term recurrence, times the entry
/// that would come next: the residual's norm.
double ritz_residual(const Tridiagonal& matrix, double value) {
  const std::size_t k = matrix.diagonal.size();
  double previous = 0;
  double current = 1;
  double norm_squared = 1;
  for (std::size_t i = 0; i + 1 < k; ++i) {
    const double before = i > 0 ? std::sqrt(matrix.squares[i - 1]) : 0;
    const double next =
        ((value - matrix.diagonal[i]) * current - before * previous) / std::sqrt(matrix.squares[i]);
    previous = current;
    current = next;
    norm_squared += next * next;
  }
  return std::sqrt(matrix.squares[k - 1] / norm_squared) * std::abs(current);
}

}  // namespace

detail::RitzValue largest_ritz_value(const Tridiagonal& matrix) {
  Tridiagonal negated = matrix;
  for (double& entry : negated.diagonal)
    entry = -entry;
  const double top = largest_eigenvalue(matrix);
  const double bottom = largest_eigenvalue(negated);
  if (top >= bottom) return {top, ritz_residual(matrix, top)};
  return {-bottom, ritz_residual(negated, bottom)};
}

}  // namespace tessera::amg
