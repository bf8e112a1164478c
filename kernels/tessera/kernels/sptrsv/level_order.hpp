// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A copy of a triangle with its rows in the order of their levels.
#pragma once

#include "tessera/kernels/sptrsv/levels.hpp"

namespace tessera::kernels {

/// Row `rows(p)` is at position p; rows of a level are neighbours, and so are their entries, so
/// that whoever solves level by level reads memory from one end to the other. Columns are numbers
/// of rows, not positions.
template <class Scalar, class Space>
struct LevelOrder {
  Ordinal num_rows = 0, num_levels = 0;
  Array<const Ordinal, Space> rows;
  Array<const Ordinal, Space> level_offsets;  ///< positions; length num_levels + 1
  Array<Ordinal, Space> offsets;  ///< of entries, by position; length num_rows + 1
  Array<Ordinal, Space> columns;
  Array<Scalar, Space> values;
  Array<Scalar, Space> inverse_diagonal;  ///< by position; length 0: a diagonal of ones
};

/// `levels`: those of all rows of T. Waits for the number of entries.
/// @throws OffsetOverflow where there are more entries than an Ordinal counts.
template <class Scalar, class Space, class Offset>
LevelOrder<Scalar, Space> order_by_levels(const Space& exec,
                                          const TriangleView<Scalar, Space, Offset>& T,
                                          const TriangleLevels<Space>& levels);

/// The values of T, which has the pattern that `order` was made of, again. Nothing waits.
template <class Scalar, class Space, class Offset>
void refill(const Space& exec, const TriangleView<Scalar, Space, Offset>& T,
            const LevelOrder<Scalar, Space>& order);

namespace detail {

/// See LevelOrder.
template <class Scalar>
struct PlainLevels {
  Ordinal num_rows = 0;
  Ordinal num_levels = 0;
  const Ordinal* rows = nullptr;
  const Ordinal* level_offsets = nullptr;
  const Ordinal* offsets = nullptr;
  const Ordinal* columns = nullptr;
  const Scalar* values = nullptr;
  const Scalar* inverse_diagonal = nullptr;  ///< null: ones

  /// Solves for the row at position `p` by itself.
  KOKKOS_FUNCTION void solve_row(Ordinal p, const Scalar* b, Scalar* x) const {
    Scalar sum = 0;
    for (Ordinal e = offsets[p]; e < offsets[p + 1]; ++e)
      sum += values[e] * x[columns[e]];
    const Scalar rest = b[rows[p]] - sum;
    x[rows[p]] = inverse_diagonal == nullptr ? rest : rest * inverse_diagonal[p];
  }
};

template <class Scalar, class Space>
PlainLevels<Scalar> plain(const LevelOrder<Scalar, Space>& order) {
  return {order.num_rows,
          order.num_levels,
          order.rows.data(),
          order.level_offsets.data(),
          order.offsets.data(),
          order.columns.data(),
          order.values.data(),
          order.inverse_diagonal.extent(0) == 0 ? nullptr : order.inverse_diagonal.data()};
}

}  // namespace detail
}  // namespace tessera::kernels
