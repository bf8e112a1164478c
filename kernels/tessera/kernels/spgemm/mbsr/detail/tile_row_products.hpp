// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The tile products of a tile row, walked over by groups of lanes.
#pragma once

#include "tessera/kernels/spgemm/detail/hash_table.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/tile_symbolic.hpp"

namespace tessera::kernels::spgemm_detail {

/// visit(column, map) for lane `i` of the scope's `size` and its share of the products of tile row
/// `row` of A B whose map is not empty: a group of `lanes` lanes takes a tile of A, each lane some
/// tiles of B's row.
template <class Space, class Visit>
KOKKOS_INLINE_FUNCTION void for_each_map(const TilePatternView<Space>& A,
                                         const TilePatternView<Space>& B, Ordinal row, int i,
                                         int size, int lanes, const Visit& visit) {
  const std::int32_t last = A.offsets(row + 1);
  for (std::int32_t k = A.offsets(row) + i / lanes; k < last; k += size / lanes) {
    const TileMap a_map = A.maps(k);
    const Ordinal middle = A.columns(k);
    const std::int32_t end = B.offsets(middle + 1);
    for (std::int32_t j = B.offsets(middle) + i % lanes; j < end; j += lanes) {
      const TileMap product = multiply_maps(a_map, B.maps(j));
      if (product != 0) visit(B.columns(j), product);
    }
  }
}

/// Joins the maps of the row's products in `maps`, one a tile column in global memory.
template <class Scope, class Space>
KOKKOS_INLINE_FUNCTION void join_in_memory(const Scope& scope, const TilePatternView<Space>& A,
                                           const TilePatternView<Space>& B, Ordinal row,
                                           unsigned* maps) {
  const int size = scope.size();
  scope.for_each(size, [&](Ordinal i) {
    for_each_map(A, B, row, i, size, scope.lanes, [&](Ordinal column, TileMap product) {
      Kokkos::atomic_or(maps + column, static_cast<unsigned>(product));
    });
  });
}

}  // namespace tessera::kernels::spgemm_detail
