// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Lengths of tile rows into offsets.
#pragma once

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/format/mbsr.hpp"

#include <limits>
#include <string>

namespace tessera::kernels::detail {

/// In place of the length of a tile row whose entries do not ascend strictly.
inline constexpr std::int32_t not_ascending = -1;

/// A running sum of lengths of tile rows, and of those that are `not_ascending`.
struct TileTotals {
  std::int64_t tiles = 0;
  std::int64_t not_ascending_rows = 0;

  KOKKOS_INLINE_FUNCTION TileTotals& operator+=(const TileTotals& other) {
    tiles += other.tiles;
    not_ascending_rows += other.not_ascending_rows;
    return *this;
  }
};

/// Replaces the lengths by their running sums, with the total in the last of the places, and
/// returns the totals. Waits for them.
template <class Space>
TileTotals scan_tile_lengths(const Space& exec, const ArrayView<std::int32_t, Space>& lengths) {
  TileTotals totals;
  const auto last = static_cast<Ordinal>(lengths.extent(0)) - 1;
  Kokkos::parallel_scan(
      "tessera::tile_offsets", Kokkos::RangePolicy<Space>(exec, 0, last + 1),
      KOKKOS_LAMBDA(const Ordinal i, TileTotals& running, const bool is_final) {
        const std::int32_t length = i < last ? lengths(i) : 0;
        if (is_final) lengths(i) = static_cast<std::int32_t>(running.tiles);
        running += length == not_ascending ? TileTotals{0, 1} : TileTotals{length, 0};
      },
      totals);
  return totals;
}

/// Throws where there are more tiles than 32 bits count.
inline std::int32_t checked_tile_count(const TileTotals& totals) {
  require(totals.tiles <= std::numeric_limits<std::int32_t>::max(), [&] {
    return "the matrix has " + std::to_string(totals.tiles) +
           " tiles of 4 by 4, more than 32 bits can count";
  });
  return static_cast<std::int32_t>(totals.tiles);
}

}  // namespace tessera::kernels::detail
