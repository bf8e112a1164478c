// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Two sorted rows side by side.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <limits>

namespace tessera::kernels::detail {

/// A place in a sorted row; takes one column at a time, duplicates added up.
template <class Scalar, class Space, class Offset>
struct RowCursor {
  static constexpr Ordinal past_the_end = std::numeric_limits<Ordinal>::max();
  const CsrView<Scalar, Space, Offset>& A;
  Offset at;
  Offset end;

  KOKKOS_INLINE_FUNCTION RowCursor(const CsrView<Scalar, Space, Offset>& matrix, Ordinal row)
      : A(matrix), at(matrix.offsets(row)), end(matrix.offsets(row + 1)) {}

  KOKKOS_INLINE_FUNCTION Ordinal column() const { return at < end ? A.columns(at) : past_the_end; }

  /// The sum of the entries of `wanted`, which is not before column(); 0 where there is none.
  KOKKOS_INLINE_FUNCTION Scalar take(Ordinal wanted) {
    Scalar sum = 0;
    for (; at < end && A.columns(at) == wanted; ++at)
      sum += A.values(at);
    return sum;
  }
};

/// Calls visit(column, a, in_A, b, in_B) for every column that row `row` of `A` or of `B` has, in
/// ascending order. The rows are sorted.
template <class Scalar, class Space, class Offset, class Visit>
KOKKOS_INLINE_FUNCTION void merge_rows(const CsrView<Scalar, Space, Offset>& A,
                                       const CsrView<Scalar, Space, Offset>& B, Ordinal row,
                                       const Visit& visit) {
  RowCursor<Scalar, Space, Offset> a(A, row);
  RowCursor<Scalar, Space, Offset> b(B, row);
  while (a.at < a.end || b.at < b.end) {
    const bool in_a = a.column() <= b.column();
    const bool in_b = b.column() <= a.column();
    const Ordinal column = in_a ? a.column() : b.column();
    const Scalar a_value = a.take(column);
    const Scalar b_value = b.take(column);
    visit(column, a_value, in_a, b_value, in_b);
  }
}

}  // namespace tessera::kernels::detail
