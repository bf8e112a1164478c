// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Who has which rows of tiles in the two passes that cut a matrix into tiles: how many there are
/// and how large each is, and the tiles themselves.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/format/mixed_tiles/detail/tile_cursor.hpp"
#include "tessera/kernels/format/mixed_tiles/tile_layout.hpp"

#include <algorithm>

namespace tessera::kernels::detail {

/// What the passes read, by plain pointers, and who has which rows of tiles: a group of lanes those
/// that follow one another, the next group the next ones, the same in each pass.
template <class Scalar, class Space, class Offset, int size>
struct TileRows {
  static constexpr int lanes = is_host_space<Space> ? 1 : size;
  using Cursor = TileCursor<Scalar, Offset, size, lanes>;
  using Policy = Kokkos::TeamPolicy<Space>;
  using Member = typename Policy::member_type;

  const Offset* offsets;
  const Ordinal* columns;
  const Scalar* values;
  Ordinal num_rows;
  Ordinal num_tile_rows;
  int threads;  ///< of a team
  int teams;
  Ordinal rows_of_a_group;

  /// Not more teams than run at once, each of which tells its sums once: on a device small ones
  /// where there are not rows for all, so that these are spread over it.
  TileRows(const Space& exec, const CsrView<Scalar, Space, Offset>& A)
      : offsets(A.offsets.data()),
        columns(A.columns.data()),
        values(A.values.data()),
        num_rows(A.num_rows),
        num_tile_rows(tiles_along(A.num_rows, size)) {
    constexpr int max_teams_of_a_host = 1024;
    const std::int64_t at_once =
        is_host_space<Space> ? max_teams_of_a_host : exec.concurrency() / lanes;
    const bool fills_device = num_tile_rows >= at_once;
    threads = is_host_space<Space> ? 1 : fills_device ? 256 : 128;
    const std::int64_t groups = std::clamp<std::int64_t>(at_once, 1, num_tile_rows);
    rows_of_a_group = static_cast<Ordinal>((num_tile_rows + groups - 1) / groups);
    const std::int64_t rows_of_a_team = std::int64_t{groups_of_a_team()} * rows_of_a_group;
    teams = static_cast<int>((num_tile_rows + rows_of_a_team - 1) / rows_of_a_team);
  }

  KOKKOS_INLINE_FUNCTION int groups_of_a_team() const { return threads / lanes; }
  std::size_t num_groups() const { return static_cast<std::size_t>(teams) * groups_of_a_team(); }
  Policy policy(const Space& exec) const { return {exec, teams, threads, 1}; }

  KOKKOS_INLINE_FUNCTION std::int64_t group_number(const Member& member) const {
    return static_cast<std::int64_t>(member.league_rank()) * groups_of_a_team() +
           member.team_rank() / lanes;
  }
  /// `f(row of tiles)` for those of the group, by all lanes of a warp as often: a row beyond the
  /// last one has no tiles.
  template <class Function>
  KOKKOS_INLINE_FUNCTION void for_tile_rows(const Member& member, const Function& f) const {
    const std::int64_t first = group_number(member) * rows_of_a_group;
    for (Ordinal k = 0; k < rows_of_a_group; ++k)
      f(first + k < num_tile_rows ? static_cast<Ordinal>(first + k) : num_tile_rows);
  }
  KOKKOS_INLINE_FUNCTION Cursor cursor(const LaneGroup& group, Ordinal tile_row) const {
    return Cursor(group, tile_row, tile_row < num_tile_rows ? num_rows : 0, offsets, columns);
  }
  /// Where the first of a row's tiles is noted: there are no more tiles than entries.
  KOKKOS_INLINE_FUNCTION Offset first_note(Ordinal tile_row) const {
    return offsets[static_cast<std::int64_t>(tile_row) * size];
  }
};

/// The rows of a tile that have entries, from how many those of each lane have; by all lanes.
template <int num_rows>
KOKKOS_INLINE_FUNCTION std::uint32_t rows_with_entries(const LaneGroup& group,
                                                       const int (&entries)[num_rows]) {
  if constexpr (num_rows == 1) {
    return group.lanes_where(entries[0] > 0);
  } else {
    std::uint32_t rows = 0;
    for (int k = 0; k < num_rows; ++k)
      rows |= entries[k] > 0 ? std::uint32_t(1) << k : std::uint32_t(0);
    return rows;
  }
}

template <int n>
KOKKOS_INLINE_FUNCTION int sum_of(const int (&numbers)[n]) {
  int sum = 0;
  for (int k = 0; k < n; ++k)
    sum += numbers[k];
  return sum;
}

}  // namespace tessera::kernels::detail
