// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/detail/indefinite.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace tessera::direct::detail {

bool is_surely_indefinite(const HostMatrix& A) {
  std::vector<double> root(A.n, 0.0);  // of the diagonal, so that no product overflows
  for (int i = 0; i < A.n; ++i) {
    for (int e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      if (A.columns[e] == i) root[i] = std::sqrt(A.values[e]);
    }
  }
  const auto length = [&](int i) { return A.offsets[i + 1] - A.offsets[i]; };
  // The roots and their product are rounded, and A's entries may be.
  constexpr double above_rounding = 1 + 16 * std::numeric_limits<double>::epsilon();
  for (int i = 0; i < A.n; ++i) {
    for (int e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      const int j = A.columns[e];
      if (j >= i) break;
      const double bound = root[i] * root[j];
      const double entry = std::abs(A.values[e]);
      if (entry > above_rounding * bound) return true;
      // Of a semidefinite matrix the vector that the minor takes to zero is in the nullspace.
      if (entry == bound && length(i) != length(j)) return true;
    }
  }
  return false;
}

}  // namespace tessera::direct::detail
