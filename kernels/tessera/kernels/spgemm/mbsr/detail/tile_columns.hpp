// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One tile of A times a tile row of B on one thread: columns of the tile times rows of B.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"

#include <algorithm>
#include <bit>

namespace tessera::kernels::spgemm_detail {

/// The values of a tile row.
template <class Storage, class Space>
const Storage* values_of_row(const MbsrView<Storage, Space>& A, Ordinal row) {
  return A.values.data() + (A.layout == TileLayout::packed
                                ? A.value_offsets(row)
                                : std::int64_t(tile_places) * A.tile_offsets(row));
}

/// The entries of a tile, column after column.
template <class Scalar>
struct TileColumns {
  int begins[tile_size + 1];  ///< of column k
  int row_place[tile_places];  ///< 4 times an entry's row
  Scalar value[tile_places];

  template <class Storage>
  TileColumns(TileMap map, const Storage* values, bool packed) {
    int size = 0;
    begins[0] = 0;
    for (int k = 0; k < tile_size; ++k) {
      for (unsigned rows = (map >> k) & 0x1111u; rows != 0; rows &= rows - 1) {
        const int first = std::countr_zero(rows);  // the place of the row's first column
        const unsigned before = map & ((1u << (first + k)) - 1);
        value[size] = static_cast<Scalar>(values[packed ? std::popcount(before) : first + k]);
        row_place[size++] = first;
      }
      begins[k + 1] = size;
    }
  }

  int size() const { return begins[tile_size]; }
};

/// A tile row of B expanded: for each of its four rows, the tiles with entries in it, and the
/// four values there. Loops over them have no branches, and the four lie side by side.
template <class Scalar>
struct ExpandedRows {
  Ordinal* sizes;  ///< four
  Ordinal* columns;  ///< four times `longest`: tile columns
  Scalar* values;  ///< 16 times `longest`
  std::size_t longest;  ///< the most tiles of a tile row of B

  const Ordinal* columns_of(int k) const { return columns + k * longest; }
  const Scalar* values_of(int k) const { return values + tile_size * (k * longest); }

  template <class Storage>
  void load(std::int32_t num_tiles, const Ordinal* tile_columns, const TileMap* maps,
            const Storage* packed_or_dense, bool packed) const {
    std::fill_n(sizes, tile_size, 0);
    const Storage* b = packed_or_dense;
    for (std::int32_t t = 0; t < num_tiles; ++t)
      b += packed ? load_packed(maps[t], tile_columns[t], b)
                  : load_dense(maps[t], tile_columns[t], b);
  }

 private:
  /// Where the values of the next tile with entries in row k go.
  Scalar* next_row(int k, Ordinal column) const {
    const std::size_t place = k * longest + sizes[k]++;
    columns[place] = column;
    return values + tile_size * place;
  }

  /// Returns the number of values.
  template <class Storage>
  int load_packed(unsigned map, Ordinal column, const Storage* b) const {
    const Storage* const begin = b;
    for (int k = 0; k < tile_size; ++k) {
      unsigned bits = row_bits(map, k);
      if (bits == 0) continue;
      Scalar* const row = next_row(k, column);
      std::fill_n(row, tile_size, Scalar(0));
      for (; bits != 0; bits &= bits - 1)
        row[std::countr_zero(bits)] = static_cast<Scalar>(*b++);
    }
    return static_cast<int>(b - begin);
  }

  template <class Storage>
  int load_dense(unsigned map, Ordinal column, const Storage* b) const {
    for (int k = 0; k < tile_size; ++k) {
      if (row_bits(map, k) == 0) continue;
      Scalar* const row = next_row(k, column);
      for (int j = 0; j < tile_size; ++j)
        row[j] = static_cast<Scalar>(b[tile_size * k + j]);
    }
    return tile_places;
  }
};

/// Adds one column of a tile, `count` entries from `first` on, times row `k` of B, to 16 sums for
/// each tile of C; `mark`: the place of a tile column in C's row.
template <int count, class Scalar>
void add_column_times_row(const TileColumns<Scalar>& a, int first, const ExpandedRows<Scalar>& b,
                          int k, const Ordinal* mark, Scalar* sums) {
  const Ordinal size = b.sizes[k];
  const Ordinal* const columns = b.columns_of(k);
  const Scalar* row = b.values_of(k);
  for (Ordinal t = 0; t < size; ++t, row += tile_size) {
    Scalar* const tile_sums = sums + static_cast<std::size_t>(mark[columns[t]]) * tile_places;
    for (int entry = first; entry < first + count; ++entry) {
      Scalar* const c = tile_sums + a.row_place[entry];
      const Scalar factor = a.value[entry];
      Scalar products[tile_size];
      for (int j = 0; j < tile_size; ++j)
        products[j] = factor * row[j];
      for (int j = 0; j < tile_size; ++j)
        c[j] += products[j];
    }
  }
}

/// Adds a tile times a tile row of B; an entry is the sum over the columns of the tile in their
/// order.
template <class Scalar>
void add_tile_times_row(const TileColumns<Scalar>& a, const ExpandedRows<Scalar>& b,
                        const Ordinal* mark, Scalar* sums) {
  for (int k = 0; k < tile_size; ++k) {
    const int first = a.begins[k];
    switch (a.begins[k + 1] - first) {
      case 1:
        add_column_times_row<1>(a, first, b, k, mark, sums);
        break;
      case 2:
        add_column_times_row<2>(a, first, b, k, mark, sums);
        break;
      case 3:
        add_column_times_row<3>(a, first, b, k, mark, sums);
        break;
      case 4:
        add_column_times_row<4>(a, first, b, k, mark, sums);
        break;
      default:
        break;
    }
  }
}

}  // namespace tessera::kernels::spgemm_detail
