// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The sums of a tile row by one thread of a host that predicts the maps of the tiles.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/format/prefetch.hpp"

#include <bit>
#include <cstddef>
#include <utility>

namespace tessera::kernels::detail {

/// The running sums of a tile row for `N` columns of x, one or two. `v` stands at a tile's first
/// packed value and moves to the next tile's; the tile's part of a column begins at `x`, the second
/// column `ldx` further.
template <class Sum, int N>
struct BitmapSums {
  Sum sums[N][tile_size] = {};

  /// A tile whose map is known: no bit is looked at.
  template <unsigned map, class Values, class Working>
  TESSERA_DETAIL_ALWAYS_INLINE void add(Values& v, const Working* x, std::size_t ldx) {
    add_rows<map>(v, x, ldx, std::make_integer_sequence<int, tile_size>());
    v.data += std::popcount(map);
  }

  /// A tile's next entry, which lies at `place`.
  template <int place, class Values, class Working>
  TESSERA_DETAIL_ALWAYS_INLINE void add_place(Values& v, const Working* x, std::size_t ldx) {
    for (int c = 0; c < N; ++c)
      sums[c][place / tile_size] += v[0] * static_cast<Sum>(x[place % tile_size + c * ldx]);
    ++v.data;
  }

  Sum sum(int row, int column) const { return sums[column][row]; }

 private:
  template <unsigned map, class Values, class Working, int... row>
  TESSERA_DETAIL_ALWAYS_INLINE void add_rows(const Values& v, const Working* x, std::size_t ldx,
                                             std::integer_sequence<int, row...>) {
    (add_row<map, row>(v, x, ldx), ...);
  }
  template <unsigned map, int row, class Values, class Working>
  TESSERA_DETAIL_ALWAYS_INLINE void add_row(const Values& v, const Working* x, std::size_t ldx) {
    constexpr unsigned bits = row_bits(map, row);
    if constexpr (bits != 0) {
      constexpr int before = std::popcount(map & ((1u << (tile_size * row)) - 1));
      for (int c = 0; c < N; ++c)
        sums[c][row] += row_product<bits>(v, before, x + c * ldx);
    }
  }
  template <unsigned bits, class Values, class Working>
  static Sum row_product(const Values& v, int next, const Working* x) {
    const Sum product = v[next] * static_cast<Sum>(x[std::countr_zero(bits)]);
    constexpr unsigned rest = bits & (bits - 1);
    if constexpr (rest == 0) {
      return product;
    } else {
      return product + row_product<rest>(v, next + 1, x);
    }
  }
};

#if defined(__GNUC__)
/// Two sums that are added and multiplied at once, for which every 64-bit processor has
/// instructions. Written out, as g++ makes them only of sums that live in one basic block, not over
/// the branches on maps. Pairs of neighbours in a row, for one column, and pairs of float were
/// no faster than single sums with every compiler (docs/notebook/products.md).
using DoublePair __attribute__((vector_size(16))) = double;

/// Two columns in double: each value times a pair of x, one of each column. The order of each
/// column's sums is that of one alone.
template <>
struct BitmapSums<double, 2> {
  DoublePair rows[tile_size] = {};

  /// A tile whose map is known: no bit is looked at.
  template <unsigned map, class Values, class Working>
  TESSERA_DETAIL_ALWAYS_INLINE void add(Values& v, const Working* x, std::size_t ldx) {
    const DoublePair pairs[tile_size] = {x_at(x, 0, ldx), x_at(x, 1, ldx), x_at(x, 2, ldx),
                                         x_at(x, 3, ldx)};
    add_rows<map>(v, pairs, std::make_integer_sequence<int, tile_size>());
    v.data += std::popcount(map);
  }

  /// A tile's next entry, which lies at `place`.
  template <int place, class Values, class Working>
  TESSERA_DETAIL_ALWAYS_INLINE void add_place(Values& v, const Working* x, std::size_t ldx) {
    rows[place / tile_size] += twice(v[0]) * x_at(x, place % tile_size, ldx);
    ++v.data;
  }

  double sum(int row, int column) const { return rows[row][column]; }

 private:
  static DoublePair twice(double value) { return DoublePair{value, value}; }
  template <class Working>
  static DoublePair x_at(const Working* x, int i, std::size_t ldx) {
    return DoublePair{static_cast<double>(x[i]), static_cast<double>(x[i + ldx])};
  }

  template <unsigned map, class Values, int... row>
  TESSERA_DETAIL_ALWAYS_INLINE void add_rows(const Values& v, const DoublePair (&x)[tile_size],
                                             std::integer_sequence<int, row...>) {
    (add_row<map, row>(v, x), ...);
  }
  template <unsigned map, int row, class Values>
  TESSERA_DETAIL_ALWAYS_INLINE void add_row(const Values& v, const DoublePair (&x)[tile_size]) {
    constexpr unsigned bits = row_bits(map, row);
    if constexpr (bits != 0) {
      constexpr int before = std::popcount(map & ((1u << (tile_size * row)) - 1));
      rows[row] += row_product<bits>(v, before, x);
    }
  }
  template <unsigned bits, class Values>
  static DoublePair row_product(const Values& v, int next, const DoublePair (&x)[tile_size]) {
    const DoublePair product = twice(v[next]) * x[std::countr_zero(bits)];
    constexpr unsigned rest = bits & (bits - 1);
    if constexpr (rest == 0) {
      return product;
    } else {
      return product + row_product<rest>(v, next + 1, x);
    }
  }
};
#endif

/// A tile of any map, bit by bit: the places unrolled so that the sums stay in registers.
template <class Sum, int N, class Values, class Working, int... place>
TESSERA_DETAIL_ALWAYS_INLINE inline void add_places(BitmapSums<Sum, N>& sums, unsigned map,
                                                    Values& v, const Working* x, std::size_t ldx,
                                                    std::integer_sequence<int, place...>) {
  ((map >> place & 1u ? sums.template add_place<place>(v, x, ldx) : void()), ...);
}

/// A tile of any map. The tiles of a stencil on a grid are mostly diagonals, the three diagonals of
/// a line of the grid, and the corners where it goes on in the next tile; those of blocks are full.
template <class Sum, int N, class Values, class Working>
TESSERA_DETAIL_ALWAYS_INLINE inline void add_tile(BitmapSums<Sum, N>& sums, unsigned map, Values& v,
                                                  const Working* x, std::size_t ldx) {
  constexpr unsigned diagonal = 0x8421u;
  constexpr unsigned three_diagonals = 0xce73u;
  constexpr unsigned upper_corner = 0x0008u;
  constexpr unsigned lower_corner = 0x1000u;
  constexpr unsigned full = 0xffffu;
  if (map == diagonal) {
    sums.template add<diagonal>(v, x, ldx);
  } else if (map == upper_corner) {
    sums.template add_place<std::countr_zero(upper_corner)>(v, x, ldx);
  } else if (map == lower_corner) {
    sums.template add_place<std::countr_zero(lower_corner)>(v, x, ldx);
  } else if (map == three_diagonals) {
    sums.template add<three_diagonals>(v, x, ldx);
  } else if (map == full) {
    sums.template add<full>(v, x, ldx);
  } else {
    add_places(sums, map, v, x, ldx, std::make_integer_sequence<int, tile_places>());
  }
}

}  // namespace tessera::kernels::detail
