// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the lanes of a warp that multiplies one tile row by several vectors have in common: the
/// vectors are A, transposed, the tiles are B, so that C (16 by 8) has eight vectors twice, for two
/// pieces of x, and each row of the tile row twice, for two pieces of its values.
#pragma once

#include "tessera/kernels/spmv/cuda/tile_pairs.hpp"

namespace tessera::kernels::cuda {

inline constexpr int vectors_per_group = 8;

template <class Storage, TileLayout layout>
class TileRowLane {
 public:
  static constexpr int tile_rows = 1;

  KOKKOS_FORCEINLINE_FUNCTION TileRowLane(const detail::TileArrays<Storage, float>& arrays,
                                          Ordinal tile_row, int lane)
      : m_arrays(arrays), m_tiles(arrays, tile_row, lane), m_lane(lane), m_tile_row(tile_row) {}

  /// Whether this lane has the sum of its row for its vector of `group`.
  KOKKOS_FORCEINLINE_FUNCTION bool has_result(int group) const {
    return row() < m_arrays.num_rows && column(group) < m_arrays.active;
  }
  KOKKOS_FORCEINLINE_FUNCTION Ordinal row() const {
    return tile_size * m_tile_row + MmaTf32::c_col(m_lane, 0) / 2;
  }
  KOKKOS_FORCEINLINE_FUNCTION int column(int group) const {
    return vectors_per_group * group + MmaTf32::c_row(m_lane, 0);
  }

 protected:
  const detail::TileArrays<Storage, float>& m_arrays;
  TilePairs<Storage, layout> m_tiles;
  int m_lane;

 private:
  Ordinal m_tile_row;
};

}  // namespace tessera::kernels::cuda
