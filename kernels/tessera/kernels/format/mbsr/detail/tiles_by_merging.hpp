// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CSR to mBSR, one thread a tile row: the rows merged tile by tile, once to count the tiles and
/// once to write them.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/format/mbsr/detail/tile_offsets.hpp"
#include "tessera/kernels/format/mbsr/detail/tile_row.hpp"

namespace tessera::kernels::detail {

/// Where a conversion writes to, and how it stores a value.
template <class Storage, class Space>
struct TileTarget {
  TileLayout layout;
  double inverse_scale;
  Array<std::int32_t, Space> tile_offsets;
  Array<Ordinal, Space> tile_columns;
  Array<TileMap, Space> maps;
  Array<Storage, Space> values;

  template <class Scalar>
  KOKKOS_INLINE_FUNCTION Storage stored(Scalar value) const {
    return static_cast<Storage>(static_cast<double>(value) * inverse_scale);
  }
  KOKKOS_INLINE_FUNCTION std::size_t dense_start(std::int32_t tile) const {
    return static_cast<std::size_t>(tile) * tile_places;
  }
};

/// Tiles of each tile row, or `not_ascending`.
template <class Space, class Offset>
struct CountTilesByMerging {
  ArrayView<const Offset, Space> offsets;
  ArrayView<const Ordinal, Space> columns;
  Ordinal num_rows;
  Array<std::int32_t, Space> lengths;

  KOKKOS_INLINE_FUNCTION bool ascends(Offset begin, Offset end) const {
    bool ascending = true;
    for (Offset e = begin + 1; e < end; ++e)
      ascending = ascending && columns(e - 1) < columns(e);
    return ascending;
  }

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal tile_row) const {
    const TileRowSpan<Offset> span(offsets, num_rows, tile_row);
    bool ascending = true;
    for (int r = 0; r < tile_size; ++r)
      ascending = ascending && ascends(span.begin[r], span.begin[r + 1]);
    if (!ascending) {
      lengths(tile_row) = not_ascending;
      return;
    }
    TileRowCursor<Offset> cursor(span, columns.data());
    std::int32_t tiles = 0;
    for (Ordinal tile = cursor.tile_column(); tile != cursor.past_the_end;
         tile = cursor.tile_column()) {
      cursor.take(tile, [](int, Offset) {});
      ++tiles;
    }
    lengths(tile_row) = tiles;
  }
};

template <class Storage, class Scalar, class Space, class Offset>
struct FillTilesByMerging {
  CsrView<Scalar, Space, Offset> A;
  TileTarget<Storage, Space> target;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal tile_row) const {
    const TileRowSpan<Offset> span(A.offsets, A.num_rows, tile_row);
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

/// How the tiles of a CSR matrix are counted and written, one thread a tile row.
template <class Space, class Offset>
struct TilesByMerging {
  void count(const Space& exec, const ArrayView<const Offset, Space>& offsets,
             const ArrayView<const Ordinal, Space>& columns, Ordinal num_rows,
             const Array<std::int32_t, Space>& lengths) const {
    Kokkos::parallel_for("tessera::count_tiles",
                         Kokkos::RangePolicy<Space>(exec, 0, tiles_for(num_rows)),
                         CountTilesByMerging<Space, Offset>{offsets, columns, num_rows, lengths});
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
