// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One tile of A times a tile row of B, by lanes: the innermost step of the numeric phase by teams.
///
/// The lanes first match the tiles of B with those of C, a tile each; then they multiply. A whole
/// scope of lanes calls `PlainTileProduct`, which returns with all of them in step.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"

namespace tessera::kernels::spgemm_detail {

/// A tile of A, expanded: zeros where its map has no entry.
template <class Scalar>
struct ExpandedTile {
  std::uint32_t map;
  const Scalar* values;  ///< 16
};

/// A tile of B and where its product goes.
struct MatchedTile {
  std::int64_t b_start;  ///< of its values
  std::uint32_t b_map;
  Ordinal c_tile;  ///< in the row of C; -1 where the product of the maps is empty
};

/// Tiles of B that are matched at once.
inline constexpr int matched_at_once = 32;

/// What the lanes of a scope share beside their sums.
template <class Scalar>
struct ProductScratch {
  MatchedTile* matched;  ///< matched_at_once
  Scalar* a;  ///< 16

  static KOKKOS_INLINE_FUNCTION constexpr int bytes() {
    return static_cast<int>(matched_at_once * sizeof(MatchedTile) + tile_places * sizeof(Scalar));
  }
  static KOKKOS_INLINE_FUNCTION ProductScratch at(void* memory) {
    ProductScratch result;
    result.matched = static_cast<MatchedTile*>(memory);
    result.a = reinterpret_cast<Scalar*>(result.matched + matched_at_once);
    return result;
  }
};

/// Where the sums of a tile row of C lie.
template <class Scalar>
struct TileRowSums {
  Scalar* sums;  ///< 16 for each tile, row-major
  const Ordinal* columns;  ///< ascending
  Ordinal size;

  /// Which tile has a column that is there.
  KOKKOS_INLINE_FUNCTION Ordinal tile_of(Ordinal column) const {
    Ordinal low = 0;
    for (Ordinal length = size; length > 1;) {
      const Ordinal half = length / 2;
      low += columns[low + half] <= column ? half : 0;
      length -= half;
    }
    return low;
  }
  KOKKOS_INLINE_FUNCTION Scalar* of(Ordinal tile) const {
    return sums + static_cast<std::int64_t>(tile) * tile_places;
  }
};

/// The value at a place of a tile of B, 0 where there is no entry.
template <class Scalar, class StorageB, class Space>
KOKKOS_INLINE_FUNCTION Scalar value_of(const MbsrView<StorageB, Space>& B, const MatchedTile& tile,
                                       int place) {
  if ((tile.b_map >> place & 1u) == 0) return Scalar(0);
  const int offset = B.layout == TileLayout::packed ? entries_before(tile.b_map, place) : place;
  return static_cast<Scalar>(B.values(tile.b_start + offset));
}

/// A lane takes a column of a tile of B, and so of C: each sum has one writer, and its products are
/// added in the order of the columns of A's tile. What A's tile lacks costs all lanes nothing.
struct PlainTileProduct {
  /// Adds `a` times `count` tiles of B to `c`.
  template <class Scope, class Scalar, class StorageB, class Space>
  KOKKOS_INLINE_FUNCTION void operator()(const Scope& scope, const ExpandedTile<Scalar>& a,
                                         const MatchedTile* matched, int count,
                                         const MbsrView<StorageB, Space>& B,
                                         const TileRowSums<Scalar>& c) const {
    scope.for_each(count * tile_size, [&](int i) {
      const MatchedTile tile = matched[i / tile_size];
      if (tile.c_tile < 0) return;
      const int column = i % tile_size;
      Scalar b[tile_size];
      for (int k = 0; k < tile_size; ++k)
        b[k] = value_of<Scalar>(B, tile, tile_size * k + column);
      Scalar* const target = c.of(tile.c_tile) + column;
      for (int row = 0; row < tile_size; ++row) {
        const std::uint32_t bits = row_bits(a.map, row);
        if (bits == 0) continue;
        const int first = tile_size * row;
        Scalar sum = target[first];
        for (int k = 0; k < tile_size; ++k)
          if ((bits >> k & 1u) != 0) sum += a.values[first + k] * b[k];
        target[first] = sum;
      }
    });
  }
};

}  // namespace tessera::kernels::spgemm_detail
