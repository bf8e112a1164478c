// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A matrix that a diagonal suits or does not, as its coupling is.
#pragma once

#include "support/reference.hpp"

#include <cstdint>

namespace tessera::test {

/// Ones on the diagonal, and `coupling` to the right of it.
inline HostMatrix<double> bidiagonal(int n, double coupling) {
  HostMatrix<double> A;
  A.num_rows = A.num_cols = n;
  A.offsets.assign(1, 0);
  for (int i = 0; i < n; ++i) {
    A.columns.push_back(i);
    A.values.push_back(1);
    if (i + 1 < n) {
      A.columns.push_back(i + 1);
      A.values.push_back(coupling);
    }
    A.offsets.push_back(static_cast<std::int64_t>(A.columns.size()));
  }
  return A;
}

}  // namespace tessera::test
