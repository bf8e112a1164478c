// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Between the passes that cut a matrix into tiles: sums of what teams have found.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/lane_group.hpp"
#include "tessera/kernels/format/mixed_tiles/detail/tile_sums.hpp"

namespace tessera::kernels::detail {

/// From the totals of teams to what stands before each and to those of all, by one team.
template <class Space, class Offset>
struct AddUpTeams {
  static constexpr int threads = is_host_space<Space> ? 1 : 512;
  static constexpr int lanes = is_host_space<Space> ? 1 : 32;
  using Policy = Kokkos::TeamPolicy<Space>;

  TileSums<Offset> sums;
  int teams;
  std::int64_t* told;  ///< the totals of all, in memory that the host reads

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& member) const {
    const int rank = member.team_rank();
    const LaneGroup warp(lanes, rank);
    for (int k = rank / lanes; k < TileTotals::length; k += threads / lanes) {
      std::int64_t sum = 0;
      for (int team = warp.lane(); team < teams; team += lanes)
        sum += total(k, team);
      sum = warp.sum(sum);
      if (warp.lane() == 0) {
        sums.of_all[k] = sum;
        told[k] = sum;
      }
    }
    const int each = (teams + threads - 1) / threads;
    const int begin = rank * each < teams ? rank * each : teams;
    const int end = begin + each < teams ? begin + each : teams;
    TileCounts<Offset> sum;
    for (int team = begin; team < end; ++team)
      sum += counts(team);
    TileCounts<Offset> before{member.team_scan(sum.tiles), member.team_scan(sum.words)};
    for (int team = begin; team < end; ++team) {
      sums.before_teams[team] = before;
      before += counts(team);
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION std::int64_t total(int k, int team) const {
    return sums.of_teams[static_cast<std::int64_t>(k) * teams + team];
  }
  KOKKOS_INLINE_FUNCTION TileCounts<Offset> counts(int team) const {
    std::int64_t tiles = 0;
    for (int kind = 0; kind < num_tile_kinds; ++kind)
      tiles += total(kind, team);
    return {static_cast<Offset>(tiles),
            static_cast<Offset>(total(TileTotals::place_of_words, team))};
  }
};

}  // namespace tessera::kernels::detail
