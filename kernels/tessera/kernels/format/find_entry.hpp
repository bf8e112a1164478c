// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Entries of rows whose columns ascend, by bisection.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// The first of entries `low` up to `high` in or after `column`; `high` where there is none.
/// `columns`: a View or a pointer.
template <class Columns, class Offset>
KOKKOS_INLINE_FUNCTION Offset first_entry_from(const Columns& columns, Offset low, Offset high,
                                               Ordinal column) {
  while (low < high) {
    const Offset middle = low + (high - low) / 2;
    if (columns[middle] < column) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// The one of entries `low` up to `high` in `column`; `high` where there is none.
template <class Columns, class Offset>
KOKKOS_INLINE_FUNCTION Offset find_entry(const Columns& columns, Offset low, Offset high,
                                         Ordinal column) {
  const Offset found = first_entry_from(columns, low, high, column);
  return found < high && columns[found] == column ? found : high;
}

/// Entry (row, column) of A; the row's end where it is not stored.
template <class Scalar, class Space, class Offset>
KOKKOS_INLINE_FUNCTION Offset find_entry(const CsrView<Scalar, Space, Offset>& A, Ordinal row,
                                         Ordinal column) {
  return find_entry(A.columns, A.offsets(row), A.offsets(row + 1), column);
}

/// Its value; 0 where it is not stored.
template <class Scalar, class Space, class Offset>
KOKKOS_INLINE_FUNCTION Scalar value_at(const CsrView<Scalar, Space, Offset>& A, Ordinal row,
                                       Ordinal column) {
  const Offset found = find_entry(A, row, column);
  return found < A.offsets(row + 1) ? A.values(found) : Scalar(0);
}

}  // namespace tessera::kernels
