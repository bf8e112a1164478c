// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A triangle in the order of its levels, by plain pointers.
#pragma once

#include "tessera/kernels/sptrsv/level_order.hpp"

namespace tessera::kernels::detail {

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

}  // namespace tessera::kernels::detail
