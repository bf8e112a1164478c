// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The step that both factorisations are made of, and what becomes of a pivot.
#pragma once

#include "tessera/kernels/execution/lane_group.hpp"

namespace tessera::kernels::detail {

/// A pattern by plain pointers.
template <class Offset>
struct PlainIluPattern {
  const Offset* offsets;
  const Ordinal* columns;
  const Offset* diagonal;  ///< entry (i, i)

  /// Entry (row, column) of those from `low` up to `high` of that row; `high` where it is not
  /// stored.
  KOKKOS_FUNCTION Offset find(Offset low, Offset high, Ordinal column) const {
    const Offset none = high;
    while (low < high) {
      const Offset middle = low + (high - low) / 2;
      if (columns[middle] < column) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < none && columns[low] == column ? low : none;
  }
};

/// to(i, j) -= l u_kj for the j above k of row k, as far as row i, whose entry (i, k) is `at`, has
/// them; each lane of the group takes some. Row i's entries are written by one lane each, and one k
/// is to be done before the next.
template <class Scalar, class Offset>
KOKKOS_FUNCTION void eliminate(const PlainIluPattern<Offset>& pattern, const LaneGroup& group,
                               Ordinal row, Offset at, Scalar l, const Scalar* from, Scalar* to) {
  const Ordinal k = pattern.columns[at];
  const Offset row_end = pattern.offsets[row + 1];
  const Offset end = pattern.offsets[k + 1];
  Offset low = at + 1;
  for (Offset e = pattern.diagonal[k] + 1 + group.lane(); e < end; e += group.size()) {
    const Offset q = pattern.find(low, row_end, pattern.columns[e]);
    if (q == row_end) continue;
    to[q] -= l * from[e];
    low = q + 1;
  }
}

/// What becomes of pivots: see IluOptions::shift.
template <class Scalar>
struct PivotRule {
  Scalar shift;
  const Scalar* row_norms;
  Scalar* found;  ///< the pivots as they were
  Scalar* inverse_diagonal;

  KOKKOS_FUNCTION bool is_small(Ordinal row, Scalar pivot) const {
    return Kokkos::abs(pivot) <= shift * row_norms[row];
  }
  /// The pivot of that row, whose inverse is kept.
  KOKKOS_FUNCTION Scalar settle(Ordinal row, Scalar pivot) const {
    found[row] = pivot;
    if (shift > 0 && is_small(row, pivot)) {
      const Scalar bound = row_norms[row] > 0 ? shift * row_norms[row] : Scalar(1);
      pivot = pivot < 0 ? -bound : bound;
    }
    inverse_diagonal[row] = Scalar(1) / pivot;
    return pivot;
  }
};

}  // namespace tessera::kernels::detail
