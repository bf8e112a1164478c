// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// mBSR, sparse rows of 4 by 4 tiles with maps of their entries (AmgT paper, section IV.B): the
/// view that kernels see and the arrays that own the memory.
#pragma once

#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/format/tile_map.hpp"

#include <cstddef>

namespace tessera::kernels {

/// How the values of a tile lie in memory.
enum class TileLayout {
  packed,  ///< only the entries of the map, in row-major order: fewer bytes than CSR at any density
  dense  ///< all 16 places in row-major order, zeros where the map has no entry
};

/// A `num_rows` by `num_cols` matrix of 4 by 4 tiles, not owned. Tile row `i` covers rows 4 i up to
/// 4 i + 4 (the last one perhaps fewer); it is tiles `tile_offsets(i)` up to `tile_offsets(i + 1)`,
/// sorted by column, none without an entry. Packed values of tile row `i` begin at
/// `value_offsets(i)` and follow tile by tile; dense values of tile `t` begin at 16 t.
///
/// An entry's value is `scale` times what is stored: with 8 and 16 bits the scale, a power of two,
/// brings the values into range. Tiles are counted by 32 bits, values by 64.
template <class Storage, class Space>
struct MbsrView {
  using storage_type = Storage;
  using execution_space = Space;

  Ordinal num_rows = 0;
  Ordinal num_cols = 0;
  std::int32_t num_tiles = 0;
  std::size_t num_entries = 0;  ///< set bits of all maps
  TileLayout layout = TileLayout::packed;
  double scale = 1;
  ArrayView<const std::int32_t, Space> tile_offsets;  ///< length num_tile_rows() + 1
  ArrayView<const Ordinal, Space>
      tile_columns;  ///< in tiles: tile column j covers columns from 4 j
  ArrayView<const TileMap, Space> maps;
  ArrayView<const std::int64_t, Space> value_offsets;  ///< packed only: num_tile_rows() + 1
  ArrayView<const Storage, Space> values;  ///< packed: num_entries; dense: 16 num_tiles

  KOKKOS_INLINE_FUNCTION Ordinal num_tile_rows() const { return tiles_for(num_rows); }
  KOKKOS_INLINE_FUNCTION Ordinal num_tile_cols() const { return tiles_for(num_cols); }
};

/// The same with ownership shared through Kokkos Views. Offsets, columns and maps are never changed
/// in place; values may be.
template <class Storage, class Space>
struct Mbsr {
  using storage_type = Storage;
  using execution_space = Space;

  Ordinal num_rows = 0;
  Ordinal num_cols = 0;
  std::size_t num_entries = 0;
  TileLayout layout = TileLayout::packed;
  double scale = 1;
  Array<const std::int32_t, Space> tile_offsets;
  Array<const Ordinal, Space> tile_columns;
  Array<const TileMap, Space> maps;
  Array<const std::int64_t, Space> value_offsets;
  Array<Storage, Space> values;

  std::int32_t num_tiles() const { return static_cast<std::int32_t>(tile_columns.extent(0)); }
  /// Bytes of all arrays.
  std::size_t bytes() const {
    return tile_offsets.span() * sizeof(std::int32_t) + tile_columns.span() * sizeof(Ordinal) +
           maps.span() * sizeof(TileMap) + value_offsets.span() * sizeof(std::int64_t) +
           values.span() * sizeof(Storage);
  }

  MbsrView<Storage, Space> view() const {
    return {num_rows,     num_cols,     num_tiles(), num_entries,   layout, scale,
            tile_offsets, tile_columns, maps,        value_offsets, values};
  }
};

/// Entries per tile, 0 without tiles; no pass.
template <class Storage, class Space>
double entries_per_tile(const MbsrView<Storage, Space>& A) {
  return A.num_tiles == 0 ? 0 : static_cast<double>(A.num_entries) / A.num_tiles;
}

}  // namespace tessera::kernels
