// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The product of some tiles of a tile row by one thread of a host.
#pragma once

#include "tessera/kernels/format/prefetch.hpp"
#include "tessera/kernels/spmv/mbsr/tile_arrays.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>

namespace tessera::kernels::detail {

/// The sums of the rows of a tile row, for `N` columns.
template <class Sum, int N>
struct TileRowSums {
  Sum value[N][tile_size];
};

/// The sums of tile rows one after the other, `num_rows` rows in all, for whichever epilogue there
/// is.
template <class Sum, int N>
struct UpdateTileRows {
  const TileRowSums<Sum, N>* sums;
  Sum scale;
  Ordinal first_row;
  Ordinal num_rows;
  int first_column;

  template <class Epilogue>
  KOKKOS_INLINE_FUNCTION void operator()(const Epilogue& epilogue) const {
    const Epilogue local = epilogue;  // what it holds stays in registers over the rows
    const Ordinal whole = num_rows / tile_size;
    for (Ordinal i = 0; i < whole; ++i)
      update(local, i, tile_size);
    update(local, whole, num_rows % tile_size);
  }

 private:
  template <class Epilogue>
  KOKKOS_FORCEINLINE_FUNCTION void update(const Epilogue& epilogue, Ordinal i, int rows) const {
    for (int c = 0; c < N; ++c) {
      for (int r = 0; r < rows; ++r)
        epilogue(first_row + tile_size * i + r, first_column + c, scale * sums[i].value[c][r]);
    }
  }
};

/// How the up to four values of a tile's row, whose columns its four bits tell, come to their
/// places: places 0 and 1 from the two values at low[bits], 2 and 3 from those at high[bits],
/// counted from the row's first value, each where its mask is all ones. The pairs begin one value
/// before the row at the earliest and end one behind it at the latest.
template <class Sum>
struct SpreadRow {
  using Mask = std::conditional_t<sizeof(Sum) == 8, std::uint64_t, std::uint32_t>;
  int low[16];
  int high[16];
  alignas(16) Mask mask[16][tile_size];
};

template <class Sum>
constexpr SpreadRow<Sum> make_spread_row() {
  using Mask = typename SpreadRow<Sum>::Mask;
  SpreadRow<Sum> result{};
  for (unsigned bits = 0; bits < 16; ++bits) {
    result.low[bits] = std::popcount(bits & 1u) - 1;
    result.high[bits] = std::popcount(bits & 7u) - 1;
    for (unsigned place = 0; place < tile_size; ++place)
      result.mask[bits][place] = (bits >> place & 1u) != 0 ? ~Mask(0) : Mask(0);
  }
  return result;
}
template <class Sum>
inline constexpr SpreadRow<Sum> spread_row = make_spread_row<Sum>();

/// Tiles times columns of x, `N` at a time.
template <class Storage, class Working, TileLayout layout>
struct HostTiles {
  using Sum = Arithmetic<Storage, Working>;
  using Values = StorageReader<Sum, Storage>;

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
  void sum(std::int32_t from, std::int32_t to, std::int64_t first_value, int column,
           TileRowSums<Sum, N>& sums) const {
    const Working* const x = arrays.x + column * arrays.ldx;
    if constexpr (layout == TileLayout::dense) {
      sum_dense<N>(from, to, x, sums.value);
    } else if (arrays.maps_repeat) {
      sum_foreseen_maps<N>(from, to, Values{arrays.values + first_value}, x, sums.value);
    } else {
      sum_any_maps<N>(from, to, Values{arrays.values + first_value}, x, sums.value);
    }
  }

  /// Where the packed values of tile row `i` begin.
  std::int64_t first_value(Ordinal i) const {
    if constexpr (layout == TileLayout::packed) {
      return arrays.value_offsets[i];
    } else {
      return 0;
    }
  }

  /// Hands the sums of `count` tile rows from `i` on to the update.
  template <int N>
  void finish(Ordinal i, Ordinal count, int column, const TileRowSums<Sum, N>* sums,
              const RowUpdate<Working>& update) const {
    const Ordinal first_row = tile_size * i;
    update.visit(UpdateTileRows<Sum, N>{sums, arrays.scale, first_row,
                                        std::min(arrays.num_rows - first_row, tile_size * count),
                                        arrays.first_column + column});
  }

 private:
  template <int N>
  using Sums = Sum[N][tile_size];

  const Working* x_of(const Working* x, std::int32_t t) const {
    return x + tile_size * static_cast<std::size_t>(arrays.tile_columns[t]);
  }
  Sum x_at(const Working* x, int place, int c) const {
    return static_cast<Sum>(x[place % tile_size + c * arrays.ldx]);
  }

  /// The entries of a tile's row, whose columns `bits` tells, times column `c` of x.
  template <unsigned bits>
  Sum row_product(const Values& v, int next, const Working* x, int c) const {
    const Sum product = v[next] * x_at(x, std::countr_zero(bits), c);
    constexpr unsigned rest = bits & (bits - 1);
    if constexpr (rest == 0) {
      return product;
    } else {
      return product + row_product<rest>(v, next + 1, x, c);
    }
  }
  template <unsigned map, int r, int N>
  void add_row_of_map(const Values& v, const Working* x, Sums<N>& s) const {
    constexpr unsigned bits = row_bits(map, r);
    if constexpr (bits != 0) {
      constexpr int before = std::popcount(map & ((1u << (tile_size * r)) - 1));
      for (int c = 0; c < N; ++c)
        s[c][r] += row_product<bits>(v, before, x, c);
    }
  }
  /// The entries of a tile whose map is known: no bit is looked at.
  template <unsigned map, int N>
  void add_map(Values& v, const Working* x, Sums<N>& s) const {
    add_row_of_map<map, 0, N>(v, x, s);
    add_row_of_map<map, 1, N>(v, x, s);
    add_row_of_map<map, 2, N>(v, x, s);
    add_row_of_map<map, 3, N>(v, x, s);
    v.data += std::popcount(map);
  }

  template <int place, int N>
  void add_next(Values& v, const Working* x, Sums<N>& s) const {
    for (int c = 0; c < N; ++c)
      s[c][place / tile_size] += v[0] * x_at(x, place, c);
    ++v.data;
  }
  /// Bit by bit, the places unrolled so that the sums stay in registers.
  template <int N, int... place>
  TESSERA_DETAIL_ALWAYS_INLINE void add_places(unsigned map, Values& v, const Working* x,
                                               Sums<N>& s,
                                               std::integer_sequence<int, place...>) const {
    ((map >> place & 1u ? add_next<place, N>(v, x, s) : void()), ...);
  }
  /// The same in few instructions, for a tile here and there.
  template <int N>
  void add_bits(unsigned map, Values& v, const Working* x, Sums<N>& s) const {
    for (; map != 0; map &= map - 1) {
      const int place = std::countr_zero(map);
      for (int c = 0; c < N; ++c)
        s[c][place / tile_size] += v[0] * x_at(x, place, c);
      ++v.data;
    }
  }

  /// Where the thread can foresee the maps, a branch on a bit costs nothing. The tiles of a stencil
  /// on a grid are mostly diagonals, the three diagonals of a line of the grid, and the corners
  /// where it goes on in the next tile; those of blocks are full.
  template <int N>
  void sum_foreseen_maps(std::int32_t from, std::int32_t to, Values v, const Working* x_begin,
                         Sums<N>& sums) const {
    constexpr unsigned diagonal = 0x8421u;
    constexpr unsigned three_diagonals = 0xce73u;
    constexpr unsigned upper_corner = 0x0008u;
    constexpr unsigned lower_corner = 0x1000u;
    constexpr unsigned full = 0xffffu;
    Sum s[N][tile_size] = {};
    for (std::int32_t t = from; t < to; ++t) {
      const unsigned map = arrays.maps[t];
      const Working* const x = x_of(x_begin, t);
      prefetch_ahead(v.data);
      if (map == diagonal) {
        add_map<diagonal, N>(v, x, s);
      } else if (map == upper_corner) {
        add_map<upper_corner, N>(v, x, s);
      } else if (map == lower_corner) {
        add_map<lower_corner, N>(v, x, s);
      } else if (map == three_diagonals) {
        add_map<three_diagonals, N>(v, x, s);
      } else if (map == full) {
        add_map<full, N>(v, x, s);
      } else {
        add_places<N>(map, v, x, s, std::make_integer_sequence<int, tile_places>());
      }
    }
    for (int c = 0; c < N; ++c) {
      for (int r = 0; r < tile_size; ++r)
        sums[c][r] = s[c][r];
    }
  }

  /// Where it cannot, no branch depends on a map: each row's entries are spread over four places by
  /// masks. A value before or behind the tile's may be read with them, so that the first tile of
  /// all goes bit by bit, and so does the last of the tile row, which may reach over the last
  /// column.
  template <int N>
  void sum_any_maps(std::int32_t from, std::int32_t to, Values v, const Working* x_begin,
                    Sums<N>& sums) const {
    Sum first[N][tile_size] = {};
    std::int32_t t = from;
    if (t < to && v.data == arrays.values) {
      add_bits<N>(arrays.maps[t], v, x_of(x_begin, t), first);
      ++t;
    }
    Sum s[N][tile_size][2] = {};
    for (; t + 1 < to; ++t) {
      const std::uint32_t map = arrays.maps[t];
      const std::uint32_t counts = row_counts(map);
      // In the four bits of row r the entries of the rows before it.
      const std::uint32_t starts = counts * 0x1110u;
      const Working* const x = x_of(x_begin, t);
      prefetch_ahead(v.data);
      for (int r = 0; r < tile_size; ++r)
        add_spread_row<N>(row_bits(map, r), v, row_bits(starts, r), x, r, s);
      v.data += row_bits(starts, tile_size - 1) + row_bits(counts, tile_size - 1);
    }
    for (int c = 0; c < N; ++c) {
      for (int r = 0; r < tile_size; ++r)
        sums[c][r] = first[c][r] + (s[c][r][0] + s[c][r][1]);
    }
    if (t < to) add_bits<N>(arrays.maps[t], v, x_of(x_begin, t), sums);
  }
  template <int N>
  void add_spread_row(std::uint32_t bits, const Values& v, int start, const Working* x, int r,
                      Sum (&s)[N][tile_size][2]) const {
    const auto& mask = spread_row<Sum>.mask[bits];
    const int low = start + spread_row<Sum>.low[bits];
    const int high = start + spread_row<Sum>.high[bits];
    const Sum value[tile_size] = {masked(v[low], mask[0]), masked(v[low + 1], mask[1]),
                                  masked(v[high], mask[2]), masked(v[high + 1], mask[3])};
    for (int c = 0; c < N; ++c) {
      for (int i = 0; i < 2; ++i)
        s[c][r][i] += value[i] * x_at(x, i, c);
      for (int i = 0; i < 2; ++i)
        s[c][r][i] += value[2 + i] * x_at(x, 2 + i, c);
    }
  }
  static Sum masked(Sum value, typename SpreadRow<Sum>::Mask mask) {
    return std::bit_cast<Sum>(std::bit_cast<typename SpreadRow<Sum>::Mask>(value) & mask);
  }
  /// All places of a tile, but for the last tile, which may reach over the last column.
  template <int N>
  void sum_dense(std::int32_t from, std::int32_t to, const Working* x_begin, Sums<N>& sums) const {
    Sum s[N][tile_size][tile_size] = {};
    for (std::int32_t t = from; t < to - 1; ++t) {
      const Values v = dense_values(t);
      prefetch_ahead(v.data);
      prefetch_ahead(v.data + tile_places / 2);
      const Working* const x = x_of(x_begin, t);
      for (int c = 0; c < N; ++c) {
        for (int r = 0; r < tile_size; ++r) {
          for (int j = 0; j < tile_size; ++j) {
            s[c][r][j] += v[tile_size * r + j] * x_at(x, j, c);
          }
        }
      }
    }
    for (int c = 0; c < N; ++c) {
      for (int r = 0; r < tile_size; ++r)
        sums[c][r] = (s[c][r][0] + s[c][r][1]) + (s[c][r][2] + s[c][r][3]);
    }
    if (from < to) {
      add_entries<N>(arrays.maps[to - 1], dense_values(to - 1), x_of(x_begin, to - 1), sums);
    }
  }
  template <int N>
  void add_entries(unsigned map, const Values& v, const Working* x, Sums<N>& s) const {
    for (int place = 0; place < tile_places; ++place) {
      for (int c = 0; c < (map >> place & 1u ? N : 0); ++c)
        s[c][place / tile_size] += v[place] * x_at(x, place, c);
    }
  }
  Values dense_values(std::int32_t t) const {
    return {arrays.values + tile_places * static_cast<std::size_t>(t)};
  }
};

}  // namespace tessera::kernels::detail
