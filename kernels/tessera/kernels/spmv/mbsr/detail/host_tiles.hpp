// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The product of some tiles of a tile row by one thread of a host.
#pragma once

#include "tessera/kernels/spmv/detail/prefetch.hpp"
#include "tessera/kernels/spmv/mbsr/tile_arrays.hpp"

#include <utility>

namespace tessera::kernels::detail {

/// The sums of the rows of a tile row, for `N` columns.
template <class Sum, int N>
struct TileRowSums {
  Sum value[N][tile_size] = {};
};

/// The sums of a tile row for whichever epilogue there is.
template <class Sum, int N>
struct UpdateTileRow {
  const TileRowSums<Sum, N>& sums;
  Sum scale;
  Ordinal first_row;
  int num_rows;
  int first_column;

  template <class Epilogue>
  KOKKOS_INLINE_FUNCTION void operator()(const Epilogue& epilogue) const {
    if (num_rows == tile_size) {
      update(epilogue, tile_size);
    } else {
      update(epilogue, num_rows);
    }
  }
  template <class Epilogue>
  KOKKOS_FORCEINLINE_FUNCTION void update(const Epilogue& epilogue, int rows) const {
    for (int c = 0; c < N; ++c) {
      for (int r = 0; r < rows; ++r)
        epilogue(first_row + r, first_column + c, scale * sums.value[c][r]);
    }
  }
};

/// Tiles times columns of x, `N` at a time.
template <class Storage, class Working, TileLayout layout>
struct HostTiles {
  using Sum = Arithmetic<Storage, Working>;

  TileArrays<Storage, Working> arrays;

  /// Calls `body(std::integral_constant<int, N>{}, c)` for all columns c of the group: few at a
  /// time, so that the sums fit registers and few streams of x are read at once. What the body
  /// reads of the matrix stays in the nearest cache meanwhile.
  template <class Body>
  void for_columns(const Body& body) const {
    int c = 0;
    for (; c + 1 < arrays.active; c += 2)
      body(std::integral_constant<int, 2>{}, c);
    if (c < arrays.active) body(std::integral_constant<int, 1>{}, c);
  }

  /// The sums of tiles `from` up to `to` of one tile row with columns `column` up to column + N;
  /// packed values begin at `first_value`.
  template <int N>
  TileRowSums<Sum, N> sum(std::int32_t from, std::int32_t to, std::int64_t first_value,
                          int column) const {
    TileRowSums<Sum, N> sums;
    const Working* const x = arrays.x + column * arrays.ldx;
    if constexpr (layout == TileLayout::packed) {
      add_packed(from, to, arrays.values + first_value, x, sums);
    } else {
      add_dense(from, to, x, sums);
    }
    return sums;
  }

  /// Where the packed values of tile row `i` begin.
  std::int64_t first_value(Ordinal i) const {
    if constexpr (layout == TileLayout::packed) {
      return arrays.value_offsets[i];
    } else {
      return 0;
    }
  }

  /// Hands the sums of tile row `i` to the update.
  template <int N>
  void finish(Ordinal i, int column, const TileRowSums<Sum, N>& sums,
              const RowUpdate<Working>& update) const {
    const Ordinal first_row = tile_size * i;
    const Ordinal rows = arrays.num_rows - first_row;
    update.visit(UpdateTileRow<Sum, N>{sums, arrays.scale, first_row,
                                       rows < tile_size ? rows : tile_size,
                                       arrays.first_column + column});
  }

 private:
  const Working* x_of(const Working* x, std::int32_t t) const {
    return x + tile_size * static_cast<std::size_t>(arrays.tile_columns[t]);
  }
  /// value * x(place), for each column.
  template <int place, int N>
  void add_place(Storage value, const Working* x, Sum (&s)[N][tile_size]) const {
    for (int c = 0; c < N; ++c) {
      s[c][place / tile_size] +=
          static_cast<Sum>(value) * static_cast<Sum>(x[place % tile_size + c * arrays.ldx]);
    }
  }
  /// Entry by entry, the places unrolled so that the sums stay in registers.
  template <int N, int... place>
  const Storage* add_places(unsigned map, const Storage* v, const Working* x,
                            Sum (&s)[N][tile_size], std::integer_sequence<int, place...>) const {
    ((map >> place & 1u ? add_place<place>(*v++, x, s) : void()), ...);
    return v;
  }

  /// The tiles of a stencil on a grid are mostly diagonals and corners, where the line of the grid
  /// goes on in the next tile.
  template <int N>
  void add_packed(std::int32_t from, std::int32_t to, const Storage* v, const Working* x_begin,
                  TileRowSums<Sum, N>& sums) const {
    constexpr unsigned diagonal = 0x8421u;
    constexpr int upper_corner = 3;
    constexpr int lower_corner = 12;
    Sum s[N][tile_size] = {};
    for (std::int32_t t = from; t < to; ++t) {
      const unsigned map = arrays.maps[t];
      const Working* const x = x_of(x_begin, t);
      prefetch_ahead(v);
      if (map == diagonal) {
        add_place<0>(v[0], x, s);
        add_place<5>(v[1], x, s);
        add_place<10>(v[2], x, s);
        add_place<15>(v[3], x, s);
        v += tile_size;
      } else if (map == 1u << upper_corner) {
        add_place<upper_corner>(*v++, x, s);
      } else if (map == 1u << lower_corner) {
        add_place<lower_corner>(*v++, x, s);
      } else {
        v = add_places(map, v, x, s, std::make_integer_sequence<int, tile_places>());
      }
    }
    for (int c = 0; c < N; ++c) {
      for (int r = 0; r < tile_size; ++r)
        sums.value[c][r] = s[c][r];
    }
  }

  /// All places of a tile, but for the last tile, which may reach over the last column.
  template <int N>
  void add_dense(std::int32_t from, std::int32_t to, const Working* x_begin,
                 TileRowSums<Sum, N>& sums) const {
    if (from == to) return;
    Sum s[N][tile_size][tile_size] = {};
    for (std::int32_t t = from; t < to - 1; ++t) {
      const Storage* const v = arrays.values + tile_places * static_cast<std::size_t>(t);
      prefetch_ahead(v);
      prefetch_ahead(v + tile_places / 2);
      const Working* const x = x_of(x_begin, t);
      for (int c = 0; c < N; ++c) {
        for (int r = 0; r < tile_size; ++r) {
          for (int j = 0; j < tile_size; ++j) {
            s[c][r][j] +=
                static_cast<Sum>(v[tile_size * r + j]) * static_cast<Sum>(x[j + c * arrays.ldx]);
          }
        }
      }
    }
    for (int c = 0; c < N; ++c) {
      for (int r = 0; r < tile_size; ++r)
        sums.value[c][r] = (s[c][r][0] + s[c][r][1]) + (s[c][r][2] + s[c][r][3]);
    }
    add_masked(arrays.maps[to - 1], arrays.values + tile_places * static_cast<std::size_t>(to - 1),
               x_of(x_begin, to - 1), sums.value, std::make_integer_sequence<int, tile_places>());
  }
  template <int N, int... place>
  void add_masked(unsigned map, const Storage* v, const Working* x, Sum (&s)[N][tile_size],
                  std::integer_sequence<int, place...>) const {
    ((map >> place & 1u ? add_place<place>(v[place], x, s) : void()), ...);
  }
};

}  // namespace tessera::kernels::detail
