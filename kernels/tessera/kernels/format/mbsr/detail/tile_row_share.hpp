// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A tile row merged by several lanes, and a long one window by window.
#pragma once

#include "tessera/kernels/format/mbsr/detail/tile_row.hpp"

namespace tessera::kernels::detail {

/// The first of `columns` from `begin` up to `end` that is not before tile column `tile`, or `end`.
template <class Index>
KOKKOS_INLINE_FUNCTION Index first_not_before(const Ordinal* columns, Index begin, Index end,
                                              Ordinal tile) {
  while (begin < end) {
    const Index middle = begin + (end - begin) / 2;
    if (tile_of(columns[middle]) < tile) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

/// Whether columns ascend strictly in each row. Of `shares` lanes each looks at its share of the
/// entries, and the answers of all count.
template <class Index>
KOKKOS_INLINE_FUNCTION bool ascends(const Ordinal* columns, const TileRowSpan<Index>& span,
                                    int share, int shares) {
  bool ascending = true;
  for (Index e = span.begin[0] + 1 + share; e < span.begin[tile_size]; e += shares) {
    if (columns[e] <= columns[e - 1]) ascending = ascending && span.begins_row(e);
  }
  return ascending;
}

/// The share of a tile row that one of `shares` lanes merges: the tiles from one tile column up to
/// another, so that no tile is divided. The longest row is divided evenly, and the others where it
/// is. Tile columns from `limit` on are left out.
struct TileRowShare {
  TileRowCursor<int> cursor;
  Ordinal end;  ///< the tile column that ends it
  int position;  ///< entries of the tile row before it

  KOKKOS_INLINE_FUNCTION TileRowShare(const Ordinal* columns, const TileRowSpan<int>& span,
                                      int share, int shares, Ordinal limit)
      : cursor(span, columns), end(limit), position(0) {
    if (shares == 1) return;
    int longest = 0;
    int from = span.begin[0];
    for (int r = 0; r < tile_size; ++r) {
      const int length = span.begin[r + 1] - span.begin[r];
      if (length > longest) from = span.begin[r];
      longest = Kokkos::max(longest, length);
    }
    if (longest == 0) return;
    const auto tile_at = [&](int s) { return tile_of(columns[from + s * longest / shares]); };
    if (share + 1 < shares) end = Kokkos::min(limit, tile_at(share + 1));
    if (share > 0) skip_to(tile_at(share));
  }

  KOKKOS_INLINE_FUNCTION void skip_to(Ordinal tile) {
    for (int r = 0; r < tile_size; ++r) {
      const int first = first_not_before(cursor.columns, cursor.at[r], cursor.end[r], tile);
      position += first - cursor.at[r];
      cursor.at[r] = first;
      cursor.look(r);
    }
  }

  KOKKOS_INLINE_FUNCTION std::int32_t count_tiles() {
    std::int32_t tiles = 0;
    for (Ordinal tile = cursor.tile_column(); tile < end; tile = cursor.tile_column()) {
      cursor.take(tile, [](int, int) {});
      ++tiles;
    }
    return tiles;
  }
};

/// Goes along a tile row that does not fit into a stage: each window is the next entries of its
/// four rows, a quarter of a stage each, up to the tile column that one of the rows ends with.
/// Columns must ascend strictly.
template <class Offset>
struct TileRowWindow {
  int quarter;  ///< entries, at least `tile_size`: a row never ends in the tile that it begins with
  Offset at[tile_size];
  Offset end[tile_size];

  KOKKOS_INLINE_FUNCTION TileRowWindow(const TileRowSpan<Offset>& span, int capacity)
      : quarter(capacity / tile_size) {
    for (int r = 0; r < tile_size; ++r) {
      at[r] = span.begin[r];
      end[r] = span.begin[r + 1];
    }
  }

  KOKKOS_INLINE_FUNCTION bool is_empty() const {
    bool empty = true;
    for (int r = 0; r < tile_size; ++r)
      empty = empty && at[r] == end[r];
    return empty;
  }

  /// The tile column that the window goes up to.
  KOKKOS_INLINE_FUNCTION Ordinal limit(const Ordinal* columns) const {
    Ordinal least = TileRowCursor<Offset>::past_the_end;
    for (int r = 0; r < tile_size; ++r)
      if (end[r] - at[r] > quarter) least = Kokkos::min(least, tile_of(columns[at[r] + quarter]));
    return least;
  }

  /// Where the rows begin in the stage, those of entries beyond the limit included.
  KOKKOS_INLINE_FUNCTION TileRowSpan<int> span() const {
    TileRowSpan<int> result;
    result.begin[0] = 0;
    for (int r = 0; r < tile_size; ++r) {
      const auto length = static_cast<int>(Kokkos::min(Offset(quarter), end[r] - at[r]));
      result.begin[r + 1] = result.begin[r] + length;
    }
    return result;
  }

  /// Past the entries of the window, as many of each row as `taken` says. Returns all of them.
  KOKKOS_INLINE_FUNCTION int advance(const int* taken) {
    int sum = 0;
    for (int r = 0; r < tile_size; ++r) {
      at[r] += taken[r];
      sum += taken[r];
    }
    return sum;
  }
};

}  // namespace tessera::kernels::detail
