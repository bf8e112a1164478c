// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The tiles of a CSR matrix counted without building them, tile row by tile row.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/format/detail/lanes.hpp"
#include "tessera/kernels/format/tile_map.hpp"

namespace tessera::kernels::detail {

/// What a tile row holds.
struct TileTally {
  std::int32_t tiles = 0;
  std::int32_t duplicates = 0;  ///< entries of the same row and column as the one before
  std::int32_t descents = 0;  ///< entries whose column is below that of the one before

  KOKKOS_INLINE_FUNCTION TileTally& operator+=(const TileTally& other) {
    tiles += other.tiles;
    duplicates += other.duplicates;
    descents += other.descents;
    return *this;
  }
};

/// Counts the tiles of each tile row. The count is right where rows are sorted.
template <class Space, class Offset>
struct CountTiles {
  ArrayView<const Offset, Space> offsets;
  ArrayView<const Ordinal, Space> columns;
  Ordinal num_rows;
  ArrayView<TileTally, Space> tallies;

  KOKKOS_INLINE_FUNCTION Offset begin_of(Ordinal tile_row, int r) const {
    return offsets(Kokkos::min(tile_row * tile_size + r, num_rows));
  }

  /// How entry `e` compares with the one before it in its row, which begins at `begin`.
  KOKKOS_INLINE_FUNCTION TileTally order_of(Offset begin, Offset e) const {
    TileTally order;
    if (e > begin) {
      order.duplicates = columns(e - 1) == columns(e) ? 1 : 0;
      order.descents = columns(e - 1) > columns(e) ? 1 : 0;
    }
    return order;
  }

  /// By one thread, which merges the four rows.
  KOKKOS_INLINE_FUNCTION void operator()(Ordinal tile_row) const {
    TileTally tally;
    Offset at[tile_size];
    for (int r = 0; r < tile_size; ++r)
      at[r] = begin_of(tile_row, r);
    for (bool more = true; more;) {
      more = false;
      Ordinal tile = 0;
      for (int r = 0; r < tile_size; ++r) {
        if (at[r] == begin_of(tile_row, r + 1)) continue;
        const Ordinal mine = columns(at[r]) / tile_size;
        tile = more ? Kokkos::min(tile, mine) : mine;
        more = true;
      }
      if (!more) break;
      ++tally.tiles;
      for (int r = 0; r < tile_size; ++r) {
        const Offset begin = begin_of(tile_row, r);
        const Offset end = begin_of(tile_row, r + 1);
        for (; at[r] < end && columns(at[r]) / tile_size == tile; ++at[r])
          tally += order_of(begin, at[r]);
      }
    }
    tallies(tile_row) = tally;
  }

  /// True where the row of entries [begin, end) reaches into `tile`.
  KOKKOS_INLINE_FUNCTION bool has_tile(Offset begin, Offset end, Ordinal tile) const {
    const Offset last = end;
    while (begin < end) {
      const Offset middle = begin + (end - begin) / 2;
      if (columns(middle) / tile_size < tile) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin < last && columns(begin) / tile_size == tile;
  }

  /// What entry `e` of row `r` adds: a tile, if it is the first entry of the tile in its row and no
  /// row above it has one.
  KOKKOS_INLINE_FUNCTION TileTally tally_of(Ordinal tile_row, int r, Offset e) const {
    const Offset begin = begin_of(tile_row, r);
    TileTally tally = order_of(begin, e);
    const Ordinal tile = columns(e) / tile_size;
    bool seen = e > begin && columns(e - 1) / tile_size == tile;
    for (int above = 0; above < r && !seen; ++above)
      seen = has_tile(begin_of(tile_row, above), begin_of(tile_row, above + 1), tile);
    tally.tiles = seen ? 0 : 1;
    return tally;
  }

  /// By the lanes of one thread of a team, an entry each.
  template <class Member>
    requires requires(const Member& member) { member.league_rank(); }
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const Ordinal tile_row = row_of_thread(member);
    if (tile_row >= tiles_for(num_rows)) return;
    TileTally all;
    for (int r = 0; r < tile_size; ++r) {
      TileTally of_row;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(member, begin_of(tile_row, r), begin_of(tile_row, r + 1)),
          [&](const Offset e, TileTally& mine) { mine += tally_of(tile_row, r, e); }, of_row);
      all += of_row;
    }
    Kokkos::single(Kokkos::PerThread(member), [&] { tallies(tile_row) = all; });
  }
};

}  // namespace tessera::kernels::detail
