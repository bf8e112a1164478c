// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the passes that cut a matrix into tiles hand on, and what the host reads.
#pragma once

#include "tessera/kernels/format/mixed_tiles/tile_layout.hpp"

namespace tessera::kernels::detail {

/// Of a tile: its exponent and its kind.
class TileNote {
 public:
  TileNote() = default;
  KOKKOS_INLINE_FUNCTION TileNote(int exponent, TileKind kind)
      : m_bits(static_cast<std::uint16_t>(static_cast<unsigned>(exponent + bias) |
                                          static_cast<unsigned>(kind) << kind_at)) {}
  KOKKOS_INLINE_FUNCTION int exponent() const {
    return static_cast<int>(m_bits & ((1u << kind_at) - 1)) - bias;
  }
  KOKKOS_INLINE_FUNCTION TileKind kind() const { return static_cast<TileKind>(m_bits >> kind_at); }

 private:
  static constexpr int bias = 1024;
  static constexpr int kind_at = 12;
  static_assert(no_tile_exponent + bias < 1 << kind_at);
  std::uint16_t m_bits;
};

/// What is counted: tiles and entries of each kind, words, and rows of tiles whose entries are not
/// sorted.
struct TileTotals {
  std::int64_t tiles[num_tile_kinds] = {};
  std::int64_t entries[num_tile_kinds] = {};
  std::int64_t words = 0;
  std::int64_t unsorted = 0;

  static constexpr int place_of_words = 2 * num_tile_kinds;
  static constexpr int place_of_unsorted = place_of_words + 1;
  /// As numbers in a row.
  static constexpr int length = place_of_unsorted + 1;

  /// Adds them to numbers that other threads add to.
  KOKKOS_INLINE_FUNCTION void add_to(std::int64_t* sums) const {
    for (int kind = 0; kind < num_tile_kinds; ++kind) {
      add(sums + kind, tiles[kind]);
      add(sums + num_tile_kinds + kind, entries[kind]);
    }
    add(sums + place_of_words, words);
    add(sums + place_of_unsorted, unsorted);
  }
  static TileTotals of(const std::int64_t* sums) {
    TileTotals totals;
    for (int kind = 0; kind < num_tile_kinds; ++kind) {
      totals.tiles[kind] = sums[kind];
      totals.entries[kind] = sums[num_tile_kinds + kind];
    }
    totals.words = sums[place_of_words];
    totals.unsorted = sums[place_of_unsorted];
    return totals;
  }

 private:
  KOKKOS_INLINE_FUNCTION static void add(std::int64_t* to, std::int64_t part) {
    if (part != 0) Kokkos::atomic_add(to, part);
  }
};

/// Tiles and words, of a group or of what stands before something.
template <class Offset>
struct TileCounts {
  Offset tiles = 0;
  Offset words = 0;

  KOKKOS_INLINE_FUNCTION TileCounts& operator+=(const TileCounts& other) {
    tiles += other.tiles;
    words += other.words;
    return *this;
  }
};

/// What the passes hand on of groups and teams.
template <class Offset>
struct TileSums {
  TileCounts<Offset>* of_groups;
  TileCounts<Offset>* before_teams;
  std::int64_t* of_teams;  ///< TileTotals, the first number of all teams, the second of all, …
  std::int64_t* of_all;  ///< TileTotals
};

}  // namespace tessera::kernels::detail
