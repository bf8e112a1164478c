// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The product of some tiles of a tile row, one of their four rows at a time, by one thread or by
/// the lanes of one.
#pragma once

#include "tessera/kernels/spmv/detail/column_sums.hpp"
#include "tessera/kernels/spmv/mbsr/tile_arrays.hpp"

#include <bit>

namespace tessera::kernels::detail {

/// Tiles whose maps are read together, in words of four.
inline constexpr int tiles_per_window = 8;

/// The maps of tiles `first` up to `first + 8`, `first` a multiple of 4; those outside [from, to)
/// are 0.
struct MapWindow {
  static constexpr int maps_per_word = 4;
  static constexpr int map_bits = 16;

  std::uint64_t low;
  std::uint64_t high;

  KOKKOS_INLINE_FUNCTION MapWindow(const TileMap* maps, std::int32_t first, std::int32_t from,
                                   std::int32_t to)
      : low(word(maps, first, from, to)),
        high(word(maps, std::int64_t(first) + maps_per_word, from, to)) {}

  KOKKOS_INLINE_FUNCTION std::uint32_t map(int q) const {
    const std::uint64_t word = q < maps_per_word ? low : high;
    return static_cast<std::uint32_t>(word >> (map_bits * (q % maps_per_word))) & 0xffffu;
  }
  /// The number of entries before tile `q` of the window.
  KOKKOS_INLINE_FUNCTION int entries_before(int q) const {
    const std::uint64_t below = (std::uint64_t(1) << (map_bits * (q % maps_per_word))) - 1;
    return q < maps_per_word ? count(low & below) : count(low) + count(high & below);
  }
  KOKKOS_INLINE_FUNCTION int entries() const { return count(low) + count(high); }

 private:
  KOKKOS_INLINE_FUNCTION static int count(std::uint64_t bits) {
    return Kokkos::Experimental::popcount_builtin(bits);
  }
  KOKKOS_INLINE_FUNCTION static std::uint64_t word(const TileMap* maps, std::int64_t first,
                                                   std::int32_t from, std::int32_t to) {
    const bool whole = from <= first && first + maps_per_word <= to;
    if (whole && std::endian::native == std::endian::little && is_aligned(maps)) {
      std::uint64_t result;
      __builtin_memcpy(&result, __builtin_assume_aligned(maps + first, sizeof(result)),
                       sizeof(result));
      return result;
    }
    std::uint64_t result = 0;
    for (int q = 0; q < maps_per_word; ++q) {
      if (first + q >= from && first + q < to)
        result |= static_cast<std::uint64_t>(maps[first + q]) << (map_bits * q);
    }
    return result;
  }
  KOKKOS_INLINE_FUNCTION static bool is_aligned(const TileMap* maps) {
    return reinterpret_cast<std::uintptr_t>(maps) % sizeof(std::uint64_t) == 0;
  }
};

/// Tiles that one thread has in flight.
inline constexpr int tiles_in_flight = 4;

/// The entries of one row of a tile that are still to come.
template <class Storage, class Working>
struct TileRowEntries {
  using Sum = Arithmetic<Storage, Working>;

  std::uint32_t bits;  ///< their columns
  const Storage* values;  ///< of the first one (packed), or of column 0 (dense)
  const Working* x;  ///< the tile's piece

  KOKKOS_INLINE_FUNCTION int column() const {
    return count_bits((bits - 1) & ~bits);  // zeros below the lowest set bit
  }
  KOKKOS_INLINE_FUNCTION Sum entry(TileLayout layout) const {
    return static_cast<Sum>(layout == TileLayout::packed ? *values : values[column()]);
  }
  KOKKOS_INLINE_FUNCTION Sum x_at(std::size_t column_begin) const {
    return static_cast<Sum>(x[column() + column_begin]);
  }
  KOKKOS_INLINE_FUNCTION void next(TileLayout layout) {
    bits &= bits - 1;
    if (layout == TileLayout::packed) ++values;
  }
};

/// Row `r` of tiles times `N` columns of x.
template <class Storage, class Working, TileLayout layout, int N>
struct DeviceTiles {
  using Sum = Arithmetic<Storage, Working>;
  using Sums = ColumnSums<Sum, N>;

  TileArrays<Storage, Working> arrays;

  /// Where the packed values of tile row `i` begin.
  KOKKOS_INLINE_FUNCTION std::int64_t first_value(Ordinal i) const {
    if constexpr (layout == TileLayout::packed) {
      return arrays.value_offsets[i];
    } else {
      return 0;
    }
  }

  /// Tiles `from` up to `to`, in their order; packed values begin at `value`.
  KOKKOS_INLINE_FUNCTION Sums by_thread(std::int32_t from, std::int32_t to, std::int64_t value,
                                        int r) const {
    Sums sums;
    std::int32_t t = from;
    for (; t + tiles_in_flight <= to; t += tiles_in_flight)
      add_tiles(sums, t, value, r);
    for (; t < to; ++t) {
      const std::uint32_t map = arrays.maps[t];
      add_tile(sums, t, map, value, r);
      value += count_bits(map);
    }
    return sums;
  }

  /// The same by `lanes` lanes of a team's thread, a power of two up to 8: lane g takes every tile
  /// whose number leaves g.
  template <class Member>
  KOKKOS_INLINE_FUNCTION Sums by_lanes(const Member& member, int lanes, std::int32_t from,
                                       std::int32_t to, std::int64_t value, int r) const {
    Sums sums;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(member, lanes),
        [&](const int lane, Sums& mine) { add_lane(mine, lane, lanes, from, to, value, r); }, sums);
    return sums;
  }

 private:
  KOKKOS_INLINE_FUNCTION void add_lane(Sums& sums, int lane, int lanes, std::int32_t from,
                                       std::int32_t to, std::int64_t value, int r) const {
    std::int32_t first = from - from % MapWindow::maps_per_word;
    while (first < to) {
      const MapWindow window(arrays.maps, first, from, to);
      for (int q = lane; q < tiles_per_window; q += lanes) {
        const std::uint32_t map = window.map(q);
        if (map != 0) add_tile(sums, first + q, map, value + window.entries_before(q), r);
      }
      value += window.entries();
      if (to - first <= tiles_per_window) return;
      first += tiles_per_window;
    }
  }

  /// Row `r` of `tiles_in_flight` tiles from `t`. What a tile needs is loaded for all of them
  /// before it is used, so that a thread waits for the memory twice (map and column, value and x)
  /// and not twice a tile.
  KOKKOS_INLINE_FUNCTION void add_tiles(Sums& sums, std::int32_t t, std::int64_t& value,
                                        int r) const {
    std::uint32_t map[tiles_in_flight];
    Ordinal column[tiles_in_flight];
    for (int q = 0; q < tiles_in_flight; ++q) {
      map[q] = arrays.maps[t + q];
      column[q] = arrays.tile_columns[t + q];
    }
    TileRowEntries<Storage, Working> row[tiles_in_flight];
    for (int q = 0; q < tiles_in_flight; ++q) {
      row[q] = row_of(t + q, map[q], column[q], value, r);
      value += count_bits(map[q]);
    }
    Sum entry[tiles_in_flight];
    Sum x_at[tiles_in_flight][N];
    for (int q = 0; q < tiles_in_flight; ++q) {  // most rows of a tile have one entry at most
      entry[q] = row[q].bits != 0 ? row[q].entry(layout) : Sum(0);
      for (int c = 0; c < N; ++c)
        x_at[q][c] = row[q].bits != 0 ? row[q].x_at(arrays.column_begin(c)) : Sum(0);
    }
    for (int q = 0; q < tiles_in_flight; ++q) {
      for (int c = 0; c < N; ++c)
        sums.value[c] += entry[q] * x_at[q][c];
      row[q].next(layout);
      add_entries(sums, row[q]);
    }
  }

  KOKKOS_INLINE_FUNCTION void add_entries(Sums& sums, TileRowEntries<Storage, Working> row) const {
    for (; row.bits != 0; row.next(layout)) {
      const Sum entry = row.entry(layout);
      for (int c = 0; c < N; ++c)
        sums.value[c] += entry * row.x_at(arrays.column_begin(c));
    }
  }

  KOKKOS_INLINE_FUNCTION TileRowEntries<Storage, Working> row_of(std::int32_t t, std::uint32_t map,
                                                                 Ordinal column, std::int64_t value,
                                                                 int r) const {
    // Widened once it is multiplied: by 64 bits a product took a tenth more instructions.
    const int places_before = tile_size * r;
    const std::int64_t place = layout == TileLayout::packed
                                   ? value + entries_before(map, places_before)
                                   : std::int64_t{tile_places} * t + places_before;
    return {row_bits(map, r), arrays.values + place,
            arrays.x + static_cast<std::size_t>(tile_size) * column};
  }

  /// Row `r` of tile `t`; the tile's packed values begin at `value`.
  KOKKOS_INLINE_FUNCTION void add_tile(Sums& sums, std::int32_t t, std::uint32_t map,
                                       std::int64_t value, int r) const {
    add_entries(sums, row_of(t, map, arrays.tile_columns[t], value, r));
  }
};

}  // namespace tessera::kernels::detail
