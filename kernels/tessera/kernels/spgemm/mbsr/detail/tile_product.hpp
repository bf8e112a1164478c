// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One tile of A times a tile row of B, by lanes: the innermost step of the numeric phase by teams.
///
/// A tile product is a function object `product(scope, a, B, b_starts, b_row, c)` that a whole
/// scope of lanes calls; it returns with all of them in step. The plain one below suits every
/// space; one for a device's matrix units has the same form.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"

namespace tessera::kernels::spgemm_detail {

/// The four bits of column `c`: bit r is row r.
KOKKOS_INLINE_FUNCTION constexpr std::uint32_t column_bits(std::uint32_t map, int c) {
  // The factor moves bit 4 r to bit 12 + r.
  return ((((map >> c) & 0x1111u) * 0x1248u) >> 12) & 0xfu;
}

/// A tile's map and values.
template <class Storage>
struct Tile {
  std::uint32_t map;
  const Storage* values;
  bool packed;

  /// The value at a place of the map.
  KOKKOS_INLINE_FUNCTION Storage at(int place) const {
    return values[packed ? entries_before(map, place) : place];
  }
};

/// Where the sums of a tile row of C lie.
template <class Scalar>
struct TileRowSums {
  Scalar* sums;  ///< 16 for each tile, row-major
  const Ordinal* columns;  ///< ascending
  Ordinal size;

  /// The sums of the tile of a column that is there.
  KOKKOS_INLINE_FUNCTION Scalar* of(Ordinal column) const {
    Ordinal low = 0;
    for (Ordinal length = size; length > 1;) {
      const Ordinal half = length / 2;
      low += columns[low + half] <= column ? half : 0;
      length -= half;
    }
    return sums + static_cast<std::int64_t>(low) * tile_places;
  }
};

/// A lane takes a place of a tile of C, so that each sum has one writer at a time; its products are
/// added in the order of the columns of A's tile.
struct PlainTileProduct {
  /// Adds `a` times tile row `b_row` of B to `c`. `b_starts`: where the values of each packed tile
  /// of B begin.
  template <class Scope, class Scalar, class StorageA, class StorageB, class Space>
  KOKKOS_INLINE_FUNCTION void operator()(const Scope& scope, const Tile<StorageA>& a,
                                         const MbsrView<StorageB, Space>& B,
                                         const std::int64_t* b_starts, Ordinal b_row,
                                         const TileRowSums<Scalar>& c) const {
    const std::int32_t first = B.tile_offsets(b_row);
    const std::int64_t num_tiles = B.tile_offsets(b_row + 1) - first;
    const bool packed = B.layout == TileLayout::packed;
    scope.for_each(num_tiles * tile_places, [&](std::int64_t i) {
      const auto t = first + static_cast<std::int32_t>(i / tile_places);
      const auto place = static_cast<int>(i % tile_places);
      const int row = place / tile_size;
      const int column = place % tile_size;
      const std::uint32_t map = B.maps(t);
      const std::uint32_t common = row_bits(a.map, row) & column_bits(map, column);
      if (common == 0) return;  // C may lack this tile
      const std::int64_t start = packed ? b_starts[t] : std::int64_t(tile_places) * t;
      const Tile<StorageB> b{map, B.values.data() + start, packed};
      Scalar* const target = c.of(B.tile_columns(t)) + place;
      Scalar sum = *target;
      for (int k = 0; k < tile_size; ++k) {
        if ((common >> k & 1u) == 0) continue;
        sum += static_cast<Scalar>(a.at(tile_size * row + k)) *
               static_cast<Scalar>(b.at(tile_size * k + column));
      }
      *target = sum;
    });
  }
};

}  // namespace tessera::kernels::spgemm_detail
