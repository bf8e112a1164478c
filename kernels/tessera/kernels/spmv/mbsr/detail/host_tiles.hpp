// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The product of some tiles of a tile row by one thread of a host.
#pragma once

#include "tessera/kernels/format/prefetch.hpp"
#include "tessera/kernels/spmv/mbsr/detail/bitmap_sums.hpp"
#include "tessera/kernels/spmv/mbsr/tile_arrays.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

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
struct ExpandedRow {
  using Mask = std::conditional_t<sizeof(Sum) == 8, std::uint64_t, std::uint32_t>;
  int low[16];
  int high[16];
  alignas(16) Mask mask[16][tile_size];
};

template <class Sum>
constexpr ExpandedRow<Sum> make_expanded_row() {
  using Mask = typename ExpandedRow<Sum>::Mask;
  ExpandedRow<Sum> result{};
  for (unsigned bits = 0; bits < 16; ++bits) {
    result.low[bits] = std::popcount(bits & 1u) - 1;
    result.high[bits] = std::popcount(bits & 7u) - 1;
    for (unsigned place = 0; place < tile_size; ++place)
      result.mask[bits][place] = (bits >> place & 1u) != 0 ? ~Mask(0) : Mask(0);
  }
  return result;
}
template <class Sum>
inline constexpr ExpandedRow<Sum> expanded_row = make_expanded_row<Sum>();

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
      sum_by_bitmaps<N>(from, to, Values{arrays.values + first_value}, x, sums.value);
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

  /// Bit by bit in few instructions, for a tile here and there.
  template <int N>
  void add_bits(unsigned map, Values& v, const Working* x, Sums<N>& s) const {
    for (; map != 0; map &= map - 1) {
      const int place = std::countr_zero(map);
      for (int c = 0; c < N; ++c)
        s[c][place / tile_size] += v[0] * x_at(x, place, c);
      ++v.data;
    }
  }

  /// Where the thread can predict the maps, a branch on one costs nothing.
  template <int N>
  void sum_by_bitmaps(std::int32_t from, std::int32_t to, Values v, const Working* x_begin,
                      Sums<N>& sums) const {
    BitmapSums<Sum, N> s;
    for (std::int32_t t = from; t < to; ++t) {
      prefetch_ahead(v.data);
      add_tile(s, arrays.maps[t], v, x_of(x_begin, t), arrays.ldx);
    }
    for (int c = 0; c < N; ++c) {
      for (int r = 0; r < tile_size; ++r)
        sums[c][r] = s.sum(r, c);
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
        add_expanded_row<N>(row_bits(map, r), v, row_bits(starts, r), x, r, s);
      v.data += row_bits(starts, tile_size - 1) + row_bits(counts, tile_size - 1);
    }
    for (int c = 0; c < N; ++c) {
      for (int r = 0; r < tile_size; ++r)
        sums[c][r] = first[c][r] + (s[c][r][0] + s[c][r][1]);
    }
    if (t < to) add_bits<N>(arrays.maps[t], v, x_of(x_begin, t), sums);
  }
  template <int N>
  void add_expanded_row(std::uint32_t bits, const Values& v, int start, const Working* x, int r,
                        Sum (&s)[N][tile_size][2]) const {
    const auto& mask = expanded_row<Sum>.mask[bits];
    const int low = start + expanded_row<Sum>.low[bits];
    const int high = start + expanded_row<Sum>.high[bits];
    const Sum value[tile_size] = {masked(v[low], mask[0]), masked(v[low + 1], mask[1]),
                                  masked(v[high], mask[2]), masked(v[high + 1], mask[3])};
    for (int c = 0; c < N; ++c) {
      for (int i = 0; i < 2; ++i)
        s[c][r][i] += value[i] * x_at(x, i, c);
      for (int i = 0; i < 2; ++i)
        s[c][r][i] += value[2 + i] * x_at(x, 2 + i, c);
    }
  }
  static Sum masked(Sum value, typename ExpandedRow<Sum>::Mask mask) {
    return std::bit_cast<Sum>(std::bit_cast<typename ExpandedRow<Sum>::Mask>(value) & mask);
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
