// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Lengths of tile rows into offsets.
#pragma once

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/format/mbsr/detail/tile_row.hpp"

#include <limits>
#include <string>

namespace tessera::kernels::detail {

/// In place of the length of a tile row whose entries do not ascend strictly.
inline constexpr std::int32_t not_ascending = -1;

/// What a first pass over a CSR matrix learns of its tile rows.
template <class Space>
struct TileRowSizes {
  Array<std::int32_t, Space> lengths;  ///< in tiles, or not_ascending
  Array<std::int64_t, Space> value_offsets;  ///< one more; none where tiles are dense

  /// `values_end` = the entries up to the end of the tile row.
  KOKKOS_INLINE_FUNCTION void store(Ordinal tile_row, std::int64_t values_end,
                                    std::int32_t length) const {
    lengths(tile_row) = length;
    if (value_offsets.extent(0) == 0) return;
    if (tile_row == 0) value_offsets(0) = 0;
    value_offsets(tile_row + 1) = values_end;
  }
};

/// A running sum of lengths of tile rows, and of those that are `not_ascending`.
struct TileLengthSums {
  std::int64_t tiles = 0;
  std::int64_t not_ascending_rows = 0;

  KOKKOS_INLINE_FUNCTION TileLengthSums& operator+=(const TileLengthSums& other) {
    tiles += other.tiles;
    not_ascending_rows += other.not_ascending_rows;
    return *this;
  }
};

/// Replaces lengths by their running sums, a group of them in each step of the scan: a device
/// spends most of a scan on what it does for each step, far more than on reading a length.
template <class Space>
struct ScanTileLengths {
  using value_type = TileLengthSums;
  static constexpr Ordinal group = 16;

  ArrayView<std::int32_t, Space> lengths;  ///< the last place is for the total

  Ordinal size() const { return static_cast<Ordinal>(lengths.extent(0)); }
  Ordinal steps() const { return (size() - 1) / group + 1; }

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal step, TileLengthSums& running,
                                         bool is_final) const {
    const auto last = static_cast<Ordinal>(lengths.extent(0)) - 1;
    const Ordinal begin = step * group;
    // All are read before any is written, so that they are on their way at once.
    std::int32_t length[group];
    for (Ordinal i = 0; i < group; ++i)
      length[i] = begin + i < last ? lengths(begin + i) : 0;
    for (Ordinal i = 0; i < group; ++i) {
      if (is_final && begin + i <= last)
        lengths(begin + i) = static_cast<std::int32_t>(running.tiles);
      running += length[i] == not_ascending ? TileLengthSums{0, 1} : TileLengthSums{length[i], 0};
    }
  }
};

/// Replaces the lengths by their running sums, with the total in the last of the places, and
/// returns the totals. Waits for them.
template <class Space>
TileLengthSums scan_tile_lengths(const Space& exec, const ArrayView<std::int32_t, Space>& lengths) {
  TileLengthSums totals;
  const ScanTileLengths<Space> scan{lengths};
  Kokkos::parallel_scan("tessera::tile_offsets", Kokkos::RangePolicy<Space>(exec, 0, scan.steps()),
                        scan, totals);
  return totals;
}

/// Throws where there are more tiles than 32 bits count.
inline std::int32_t checked_tile_count(const TileLengthSums& totals) {
  require(totals.tiles <= std::numeric_limits<std::int32_t>::max(), [&] {
    return "the matrix has " + std::to_string(totals.tiles) +
           " tiles of 4 by 4, more than 32 bits can count";
  });
  return static_cast<std::int32_t>(totals.tiles);
}

}  // namespace tessera::kernels::detail
