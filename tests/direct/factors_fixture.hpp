// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrices for sparse factors, and what is left of their solves.
#pragma once

#include "support/host_matrix.hpp"
#include "tessera/direct/host_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

namespace tessera::test {

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();
inline constexpr double no_limit = 1e12;

inline direct::HostMatrix for_direct(const HostMatrix<double>& A) {
  direct::HostMatrix result;
  result.n = A.num_rows;
  result.offsets.assign(A.offsets.begin(), A.offsets.end());
  result.columns.assign(A.columns.begin(), A.columns.end());
  result.values.assign(A.values.begin(), A.values.end());
  return result;
}

inline double largest(const std::vector<double>& v) {
  double result = 0;
  for (const double x : v)
    result = std::max(result, std::abs(x));
  return result;
}

/// b - A x
inline std::vector<double> residual(const direct::HostMatrix& A, const std::vector<double>& x,
                                    std::vector<double> b) {
  for (int i = 0; i < A.n; ++i) {
    for (int e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      b[i] -= A.values[e] * x[A.columns[e]];
  }
  return b;
}

/// Entry by entry, in any order.
inline direct::HostMatrix from_triples(int n,
                                       const std::vector<std::tuple<int, int, double>>& triples) {
  return for_direct(by_rows<double>(n, n, [&](auto& A, int i) {
    for (int j = 0; j < n; ++j) {
      for (const auto& [row, column, value] : triples)
        if (row == i && column == j) A.push(j, value);
    }
  }));
}

/// Couplings of both signs on a grid of n by n points, with 1e-3 on the diagonal.
inline direct::HostMatrix skew_symmetric(int n) {
  auto A = poisson<double>(n, n);
  for_each_entry(A, [](int i, int j, double& value) {
    value = i == j ? 1e-3 : (i < j ? 1 : -1) * (1 + (i + j) % 7 / 10.0);
  });
  return for_direct(A);
}

/// The first row and the first column are full, so that one order has no fill, and others are full.
inline direct::HostMatrix arrow(int n) {
  return for_direct(by_rows<double>(n, n, [&](auto& A, int i) {
    if (i > 0) A.push(0, 1);
    A.push(i, i == 0 ? n : 2);
    for (int j = 1; j < n && i == 0; ++j)
      A.push(j, 1);
  }));
}

}  // namespace tessera::test
