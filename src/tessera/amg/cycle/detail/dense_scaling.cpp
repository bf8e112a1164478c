// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/cycle/detail/dense_scaling.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::amg::detail {
namespace {

/// What makes the largest entry of each row 1, or nearly so.
Dense over_root_of_largest(const Dense& a, int n) {
  Dense s(n, 1.0);
  for (int i = 0; i < n; ++i) {
    double largest = 0;
    for (int j = 0; j < n; ++j)
      largest = std::max({largest, std::abs(at(a, n, i, j)), std::abs(at(a, n, j, i))});
    if (largest > 0) s[i] = 1 / std::sqrt(largest);
  }
  return s;
}

}  // namespace

void scale(Dense& a, int n, const Dense& r, const Dense& c) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i)
      at(a, n, i, j) = (r[i] * at(a, n, i, j)) * c[j];
  }
}

Dense scale_symmetric(Dense& a, int n) {
  Dense s(n, 1.0);
  for (int i = 0; i < n; ++i) {
    const double size = std::abs(at(a, n, i, i));
    if (size > 0) s[i] = 1 / std::sqrt(size);
  }
  scale(a, n, s, s);
  constexpr double just_above_one = 1.01;
  constexpr int max_steps = 10;
  const auto exceeds = [](double v) { return std::abs(v) > just_above_one; };
  for (int step = 0; step < max_steps && std::any_of(a.begin(), a.end(), exceeds); ++step) {
    const Dense t = over_root_of_largest(a, n);
    scale(a, n, t, t);
    for (int i = 0; i < n; ++i)
      s[i] *= t[i];
  }
  return s;
}

std::pair<Dense, Dense> scale_rows_and_columns(Dense& a, int n) {
  Dense r(n, 1.0);
  Dense c(n, 1.0);
  const Dense ones(n, 1.0);
  for (int i = 0; i < n; ++i) {
    double largest = 0;
    for (int j = 0; j < n; ++j)
      largest = std::max(largest, std::abs(at(a, n, i, j)));
    if (largest > 0) r[i] = 1 / largest;
  }
  scale(a, n, r, ones);
  for (int j = 0; j < n; ++j) {
    double largest = 0;
    for (int i = 0; i < n; ++i)
      largest = std::max(largest, std::abs(at(a, n, i, j)));
    if (largest > 0) c[j] = 1 / largest;
  }
  scale(a, n, ones, c);
  return {r, c};
}

bool symmetric(const Dense& a, int n, double tolerance) {
  const Dense of_largest = over_root_of_largest(a, n);
  Dense s(n);
  for (int i = 0; i < n; ++i) {
    const double diagonal = std::abs(at(a, n, i, i));
    s[i] = diagonal > 0 ? std::min(1 / std::sqrt(diagonal), 1e8 * of_largest[i]) : of_largest[i];
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < j; ++i) {
      const double difference = std::abs(at(a, n, i, j) - at(a, n, j, i));
      if ((s[i] * difference) * s[j] > tolerance) return false;
    }
  }
  return true;
}

}  // namespace tessera::amg::detail
