// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The tiles of a matrix, each with the place of its values.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/format/detail/lanes.hpp"
#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/format/offsets.hpp"

namespace tessera::kernels::detail {

/// A team policy of one thread per item, whose vector lanes share the item's list of
/// `length / items` things on average. On the host a thread has one lane.
template <class Space>
Kokkos::TeamPolicy<Space> lane_teams(const Space& exec, Ordinal items, std::size_t length) {
  if constexpr (is_host_space<Space>) {
    return Kokkos::TeamPolicy<Space>(exec, items, 1, 1);
  } else {
    return RowTeams<Space>(exec, items, length).policy;
  }
}

/// Calls visit(place) for the places of a map in ascending order.
template <class Visit>
KOKKOS_INLINE_FUNCTION void for_each_place(std::uint32_t map, const Visit& visit) {
  for (; map != 0; map &= map - 1)
    visit(Kokkos::Experimental::countr_zero_builtin(map));
}

/// What tells where the values of a matrix's tiles are, whatever they are stored in.
template <class Space>
struct TilePlaces {
  Ordinal num_tile_rows;
  std::int32_t num_tiles;
  TileLayout layout;
  ArrayView<const std::int32_t, Space> tile_offsets;
  ArrayView<const TileMap, Space> maps;
  ArrayView<const std::int64_t, Space> value_offsets;  ///< packed only
};

template <class Storage, class Space>
TilePlaces<Space> tile_places_of(const MbsrView<Storage, Space>& A) {
  return {A.num_tile_rows(), A.num_tiles, A.layout, A.tile_offsets, A.maps, A.value_offsets};
}

/// Calls visit(tile_row, tile, start) for every tile, `start` being the place of its first value.
template <class Space, class Visit>
struct VisitTiles {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;

  TilePlaces<Space> pattern;
  Visit visit;

  KOKKOS_INLINE_FUNCTION std::int64_t values_of(std::int32_t tile) const {
    return pattern.layout == TileLayout::packed ? count_bits(pattern.maps(tile)) : tile_places;
  }
  KOKKOS_INLINE_FUNCTION std::int64_t first_value(Ordinal tile_row) const {
    return pattern.layout == TileLayout::packed
               ? pattern.value_offsets(tile_row)
               : static_cast<std::int64_t>(pattern.tile_offsets(tile_row)) * tile_places;
  }

  /// One thread per tile row.
  KOKKOS_INLINE_FUNCTION void operator()(Ordinal tile_row) const {
    const std::int32_t end = pattern.tile_offsets(tile_row + 1);
    std::int64_t start = first_value(tile_row);
    for (std::int32_t tile = pattern.tile_offsets(tile_row); tile < end; ++tile) {
      visit(tile_row, tile, start);
      start += values_of(tile);
    }
  }

  /// One lane per tile.
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const Ordinal tile_row = row_of_thread(member);
    if (tile_row >= pattern.num_tile_rows) return;
    const std::int32_t begin = pattern.tile_offsets(tile_row);
    const std::int64_t first = first_value(tile_row);
    const int length = pattern.tile_offsets(tile_row + 1) - begin;
    Kokkos::parallel_scan(Kokkos::ThreadVectorRange(member, length),
                          [&](const int i, std::int64_t& before, const bool is_final) {
                            if (is_final) visit(tile_row, begin + i, first + before);
                            before += values_of(begin + i);
                          });
  }
};

template <class Space, class Visit>
void for_each_tile_by_rows(const Space& exec, const char* label, const TilePlaces<Space>& pattern,
                           const Visit& visit) {
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(exec, 0, pattern.num_tile_rows),
                       VisitTiles<Space, Visit>{pattern, visit});
}

template <class Space, class Visit>
void for_each_tile_by_lanes(const Space& exec, const char* label, const TilePlaces<Space>& pattern,
                            const Visit& visit) {
  Kokkos::parallel_for(label, lane_teams(exec, pattern.num_tile_rows, pattern.num_tiles),
                       VisitTiles<Space, Visit>{pattern, visit});
}

/// The way that suits the space.
template <class Space, class Visit>
void for_each_tile(const Space& exec, const char* label, const TilePlaces<Space>& pattern,
                   const Visit& visit) {
  if constexpr (is_host_space<Space>) {
    for_each_tile_by_rows(exec, label, pattern, visit);
  } else {
    for_each_tile_by_lanes(exec, label, pattern, visit);
  }
}

template <class Space>
struct CountValues {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;

  TilePlaces<Space> pattern;
  Array<std::int64_t, Space> result;

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const Ordinal tile_row = row_of_thread(member);
    if (tile_row >= pattern.num_tile_rows) return;
    const auto tiles = Kokkos::ThreadVectorRange(member, pattern.tile_offsets(tile_row),
                                                 pattern.tile_offsets(tile_row + 1));
    std::int64_t entries = 0;
    Kokkos::parallel_reduce(
        tiles,
        [&](const std::int32_t tile, std::int64_t& mine) {
          mine += count_bits(pattern.maps(tile));
        },
        entries);
    Kokkos::single(Kokkos::PerThread(member), [&] { result(tile_row) = entries; });
  }
};

/// The entries of each tile row, with their running sums then in `value_offsets`.
template <class Space>
Array<std::int64_t, Space> count_values(const Space& exec, const TilePlaces<Space>& pattern) {
  const auto result =
      allocate<std::int64_t>(exec, "tessera::value_offsets", pattern.num_tile_rows + 1ul);
  Kokkos::parallel_for("tessera::count_values",
                       lane_teams(exec, pattern.num_tile_rows, pattern.num_tiles),
                       CountValues<Space>{pattern, result});
  counts_to_offsets_async<std::int64_t, Space>(exec, result);
  return result;
}

}  // namespace tessera::kernels::detail
