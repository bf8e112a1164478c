// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How large entries are beside the largest of their row.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::amg::detail {

/// As floats, for magnitudes that differ by round-off alone are equals on every device.
template <class Scalar, class Space, class Offset>
struct RelativeSizes {
  kernels::CsrView<Scalar, Space, Offset> A;
  double share;

  KOKKOS_FUNCTION float of(Offset k) const { return Kokkos::abs(static_cast<float>(A.values(k))); }
  /// `share` of the largest of a row.
  KOKKOS_FUNCTION float bound(Ordinal row) const { return bound_without(row, -1); }
  /// `share` of the largest coupling of a row of a square matrix.
  KOKKOS_FUNCTION float bound_of_couplings(Ordinal row) const { return bound_without(row, row); }

  KOKKOS_FUNCTION float bound_without(Ordinal row, Ordinal column) const {
    if (share == 0) return 0;
    float largest = 0;
    for (Offset k = A.offsets(row); k < A.offsets(row + 1); ++k)
      if (A.columns(k) != column) largest = Kokkos::max(largest, of(k));
    return static_cast<float>(share * static_cast<double>(largest));
  }
};

}  // namespace tessera::amg::detail
