// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Places of entries among tiles, and the four rows of a tile row of CSR side by side.
#pragma once

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/format/detail/scaled_values.hpp"
#include "tessera/kernels/format/tile_map.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace tessera::kernels::detail {

/// The tile column of a column, or the tile row of a row.
KOKKOS_INLINE_FUNCTION constexpr Ordinal tile_of(Ordinal column) {
  return static_cast<Ordinal>(static_cast<std::uint32_t>(column) / tile_size);
}

/// The place in its tile of an entry in row `r` of a tile row.
KOKKOS_INLINE_FUNCTION constexpr int place_of(int r, Ordinal column) {
  return tile_size * r + static_cast<int>(static_cast<std::uint32_t>(column) % tile_size);
}

/// Where the four rows of a tile row begin among the entries of a CSR matrix; a row past the last
/// is empty.
template <class Offset>
struct TileRowSpan {
  Offset begin[tile_size + 1];

  TileRowSpan() = default;

  template <class Offsets>
  KOKKOS_INLINE_FUNCTION TileRowSpan(const Offsets& offsets, Ordinal num_rows, Ordinal tile_row) {
    const Ordinal first = tile_size * tile_row;
    for (int r = 0; r <= tile_size; ++r)
      begin[r] = offsets(first + Kokkos::min(Ordinal(r), num_rows - first));
  }

  KOKKOS_INLINE_FUNCTION Offset length() const { return begin[tile_size] - begin[0]; }

  KOKKOS_INLINE_FUNCTION bool begins_row(Offset entry) const {
    bool begins = false;
    for (int r = 0; r < tile_size; ++r)
      begins = begins || entry == begin[r];
    return begins;
  }
};

/// Goes through a tile row one tile after the other: the four rows, each sorted by column, merged
/// by tile column.
template <class Offset>
struct TileRowCursor {
  static constexpr std::uint32_t no_column = std::numeric_limits<std::uint32_t>::max();
  static constexpr auto past_the_end = static_cast<Ordinal>(no_column / tile_size);

  const Ordinal* columns;
  Offset at[tile_size];
  Offset end[tile_size];
  std::uint32_t column[tile_size];  ///< of each row's next entry, no_column after the last

  KOKKOS_INLINE_FUNCTION TileRowCursor(const TileRowSpan<Offset>& span,
                                       const Ordinal* entry_columns)
      : columns(entry_columns) {
    for (int r = 0; r < tile_size; ++r) {
      at[r] = span.begin[r];
      end[r] = span.begin[r + 1];
      look(r);
    }
  }

  KOKKOS_INLINE_FUNCTION void look(int r) {
    column[r] = at[r] < end[r] ? static_cast<std::uint32_t>(columns[at[r]]) : no_column;
  }

  /// The least tile column that is left, past_the_end after the last.
  KOKKOS_INLINE_FUNCTION Ordinal tile_column() const {
    const std::uint32_t least =
        Kokkos::min(Kokkos::min(column[0], column[1]), Kokkos::min(column[2], column[3]));
    return static_cast<Ordinal>(least / tile_size);
  }

  /// Calls visit(place, entry) for the entries of `tile_column`, which is the least left, in
  /// row-major order, and goes past them.
  template <class Visit>
  KOKKOS_INLINE_FUNCTION void take(Ordinal tile_column, const Visit& visit) {
    for (int r = 0; r < tile_size; ++r) {
      while (tile_of(static_cast<Ordinal>(column[r])) == tile_column) {
        visit(place_of(r, static_cast<Ordinal>(column[r])), at[r]);
        ++at[r];
        look(r);
      }
    }
  }
};

/// The tiles of a tile row of few entries, in a list that each of the four rows goes along in turn.
/// Neighbouring rows reach mostly the same tiles, so that little is inserted: three times as fast
/// on a host as the merge of four.
struct ShortTileRow {
  static constexpr int capacity = 512;  ///< entries, of which each may be a tile

  int count = 0;
  bool ascending = true;  ///< columns ascend strictly in each row; where not, the rest is void
  Ordinal tile[capacity];
  TileMap map[capacity];

  template <class Offset>
  KOKKOS_INLINE_FUNCTION ShortTileRow(const TileRowSpan<Offset>& span, const Ordinal* columns) {
    for (int r = 0; r < tile_size; ++r)
      add_row(r, columns + span.begin[r], static_cast<int>(span.begin[r + 1] - span.begin[r]));
  }

 private:
  KOKKOS_INLINE_FUNCTION void add_row(int r, const Ordinal* columns, int length) {
    int at = 0;
    Ordinal before = -1;
    for (int e = 0; e < length; ++e) {
      const Ordinal column = columns[e];
      ascending = ascending && before < column;
      before = column;
      const Ordinal mine = tile_of(column);
      while (at < count && tile[at] < mine)
        ++at;
      if (at == count || tile[at] != mine) insert(at, mine);
      map[at] = static_cast<TileMap>(map[at] | 1u << place_of(r, column));
    }
  }
  KOKKOS_INLINE_FUNCTION void insert(int at, Ordinal mine) {
    for (int i = count; i > at; --i) {
      tile[i] = tile[i - 1];
      map[i] = map[i - 1];
    }
    tile[at] = mine;
    map[at] = 0;
    ++count;
  }
};

}  // namespace tessera::kernels::detail
