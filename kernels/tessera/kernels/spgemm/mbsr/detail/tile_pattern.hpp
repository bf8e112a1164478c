// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The pattern of an mBSR matrix: what the symbolic phase of a product reads and makes, whatever
/// the values are stored in.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"

namespace tessera::kernels::spgemm_detail {

/// Tile columns and maps, not owned.
template <class Space>
struct TilePatternView {
  Ordinal num_tile_rows = 0;
  Ordinal num_tile_cols = 0;
  ArrayView<const std::int32_t, Space> offsets;
  ArrayView<const Ordinal, Space> columns;
  ArrayView<const TileMap, Space> maps;
};

template <class Storage, class Space>
TilePatternView<Space> pattern_of(const MbsrView<Storage, Space>& A) {
  return {A.num_tile_rows(), A.num_tile_cols(), A.tile_offsets, A.tile_columns, A.maps};
}

/// The pattern that the symbolic phase makes.
template <class Space>
struct TilePattern {
  Array<Ordinal, Space> sizes;  ///< tiles of each tile row
  Array<std::int32_t, Space> offsets;  ///< num_tile_rows + 1
  Array<Ordinal, Space> columns;
  Array<TileMap, Space> maps;
  Array<std::int64_t, Space> value_offsets;  ///< entries before each tile row; num_tile_rows + 1
  std::size_t num_entries = 0;
};

}  // namespace tessera::kernels::spgemm_detail
