// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrices that a diagonal or float suits or does not.
#pragma once

#include "support/host_matrix.hpp"

#include <algorithm>

namespace tessera::test {

/// Ones on the diagonal, and `coupling` to the right of it.
inline HostMatrix<double> bidiagonal(int n, double coupling) {
  return by_rows<double>(n, n, [=](auto& A, int i) {
    A.push(i, 1);
    if (i + 1 < n) A.push(i + 1, coupling);
  });
}

/// A clamped beam of n points, which has the square of the Laplacian's condition number: 2e12 with
/// 3000 points. What rounding to float makes of the smallest eigenvalue may have either sign.
inline HostMatrix<double> clamped_beam(int n) {
  constexpr double stencil[] = {1, -4, 6, -4, 1};
  return by_rows<double>(n, n, [&](auto& A, int i) {
    for (int j = std::max(0, i - 2); j <= std::min(n - 1, i + 2); ++j)
      A.push(j, stencil[j - i + 2]);
  });
}

}  // namespace tessera::test
