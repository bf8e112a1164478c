// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CSR to mBSR, one thread per tile row: the four rows merged into tiles, once to count the tiles
/// and once to write them.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/format/mbsr/detail/tile_offsets.hpp"
#include "tessera/kernels/format/mbsr/detail/tile_row_share.hpp"
#include "tessera/kernels/format/mbsr/detail/tile_target.hpp"
#include "tessera/kernels/format/prefetch.hpp"

namespace tessera::kernels::detail {

/// Asks for the entries of a tile row ahead, on a host.
template <class T, class Offset>
KOKKOS_INLINE_FUNCTION void prefetch_entries([[maybe_unused]] const T* entries,
                                             [[maybe_unused]] const TileRowSpan<Offset>& span) {
  [[maybe_unused]] constexpr int line_entries = 64 / sizeof(T);
  KOKKOS_IF_ON_HOST((for (Offset e = span.begin[0]; e < span.begin[tile_size];
                          e += line_entries) { prefetch_ahead(entries + e); }))
}

/// Tiles of each tile row, or `not_ascending`, and where its values begin.
template <class Space, class Offset>
struct CountTilesByMerging {
  ArrayView<const Offset, Space> offsets;
  ArrayView<const Ordinal, Space> columns;
  Ordinal num_rows;
  TileRowSizes<Space> sizes;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal tile_row) const {
    const TileRowSpan<Offset> span(offsets, num_rows, tile_row);
    sizes.store(tile_row, span.begin[tile_size], count(span));
  }

  KOKKOS_INLINE_FUNCTION std::int32_t count(const TileRowSpan<Offset>& span) const {
    prefetch_entries(columns.data(), span);
    if (span.length() <= ShortTileRow::capacity) {
      const ShortTileRow row(span, columns.data());
      return row.ascending ? row.count : not_ascending;
    }
    if (!ascends(columns.data(), span, 0, 1)) return not_ascending;
    TileRowCursor<Offset> cursor(span, columns.data());
    std::int32_t tiles = 0;
    for (Ordinal tile = cursor.tile_column(); tile != cursor.past_the_end;
         tile = cursor.tile_column()) {
      cursor.take(tile, [](int, Offset) {});
      ++tiles;
    }
    return tiles;
  }
};

template <class Storage, class Scalar, class Space, class Offset>
struct FillTilesByMerging {
  CsrView<Scalar, Space, Offset> A;
  TileTarget<Storage, Space> target;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal tile_row) const {
    const TileRowSpan<Offset> span(A.offsets, A.num_rows, tile_row);
    prefetch_entries(A.columns.data(), span);
    prefetch_entries(A.values.data(), span);
    if (span.length() <= ShortTileRow::capacity) {
      fill_short(span, target.tile_offsets(tile_row));
      return;
    }
    TileRowCursor<Offset> cursor(span, A.columns.data());
    std::int32_t tile = target.tile_offsets(tile_row);
    // Entries of the rows before take as many places here as there.
    auto packed = static_cast<std::size_t>(span.begin[0]);
    for (Ordinal column = cursor.tile_column(); column != cursor.past_the_end;
         column = cursor.tile_column(), ++tile) {
      target.tile_columns(tile) = column;
      if (target.layout == TileLayout::packed) {
        fill_packed(cursor, column, tile, packed);
      } else {
        fill_dense(cursor, column, tile);
      }
    }
  }

  KOKKOS_INLINE_FUNCTION void fill_short(const TileRowSpan<Offset>& span,
                                         std::int32_t first_tile) const {
    const ShortTileRow row(span, A.columns.data());
    Offset at[tile_size];
    for (int r = 0; r < tile_size; ++r)
      at[r] = span.begin[r];
    auto packed = static_cast<std::size_t>(span.begin[0]);
    for (int i = 0; i < row.count; ++i) {
      target.tile_columns(first_tile + i) = row.tile[i];
      target.maps(first_tile + i) = row.map[i];
      if (target.layout == TileLayout::packed) {
        copy_packed(row.map[i], at, packed);
      } else {
        copy_dense(row.map[i], at, target.values.data() + target.dense_start(first_tile + i));
      }
    }
  }
  /// The next entries of each row, as many as the map has.
  KOKKOS_INLINE_FUNCTION void copy_packed(std::uint32_t map, Offset (&at)[tile_size],
                                          std::size_t& next) const {
    const std::uint32_t counts = row_counts(map);
    for (int r = 0; r < tile_size; ++r) {
      const auto n = static_cast<int>(row_bits(counts, r));
      copy_row(A.values.data() + at[r], target.values.data() + next, n);
      at[r] += n;
      next += n;
    }
  }
  /// Up to four values: fewer than a loop is worth.
  KOKKOS_INLINE_FUNCTION void copy_row(const Scalar* from, Storage* to, int n) const {
    if (n > 0) to[0] = target.stored(from[0]);
    if (n > 1) to[1] = target.stored(from[1]);
    if (n > 2) to[2] = target.stored(from[2]);
    if (n > 3) to[3] = target.stored(from[3]);
  }
  KOKKOS_INLINE_FUNCTION void copy_dense(std::uint32_t map, Offset (&at)[tile_size],
                                         Storage* values) const {
    for (int place = 0; place < tile_places; ++place) {
      const bool entry = (map >> place & 1u) != 0;
      values[place] = entry ? target.stored(A.values(at[place / tile_size]++)) : Storage(0);
    }
  }

  KOKKOS_INLINE_FUNCTION void fill_packed(TileRowCursor<Offset>& cursor, Ordinal column,
                                          std::int32_t tile, std::size_t& next) const {
    std::uint32_t map = 0;
    cursor.take(column, [&](int place, Offset entry) {
      map |= 1u << place;
      target.values(next++) = target.stored(A.values(entry));
    });
    target.maps(tile) = static_cast<TileMap>(map);
  }

  KOKKOS_INLINE_FUNCTION void fill_dense(TileRowCursor<Offset>& cursor, Ordinal column,
                                         std::int32_t tile) const {
    Storage* const values = target.values.data() + target.dense_start(tile);
    for (int place = 0; place < tile_places; ++place)
      values[place] = Storage(0);
    std::uint32_t map = 0;
    cursor.take(column, [&](int place, Offset entry) {
      map |= 1u << place;
      values[place] = target.stored(A.values(entry));
    });
    target.maps(tile) = static_cast<TileMap>(map);
  }
};

/// How the tiles of a CSR matrix are counted and written, one thread per tile row.
template <class Space, class Offset>
struct TilesByMerging {
  void count(const Space& exec, const ArrayView<const Offset, Space>& offsets,
             const ArrayView<const Ordinal, Space>& columns, Ordinal num_rows,
             const TileRowSizes<Space>& sizes) const {
    Kokkos::parallel_for("tessera::count_tiles",
                         Kokkos::RangePolicy<Space>(exec, 0, tiles_for(num_rows)),
                         CountTilesByMerging<Space, Offset>{offsets, columns, num_rows, sizes});
  }

  template <class Storage, class Scalar>
  void fill(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
            const TileTarget<Storage, Space>& target) const {
    Kokkos::parallel_for("tessera::fill_tiles",
                         Kokkos::RangePolicy<Space>(exec, 0, tiles_for(A.num_rows)),
                         FillTilesByMerging<Storage, Scalar, Space, Offset>{A, target});
  }
};

}  // namespace tessera::kernels::detail
