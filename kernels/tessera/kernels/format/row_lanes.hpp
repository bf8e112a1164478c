// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Passes over the rows of a matrix by several lanes per row, which read it side by side.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/lane_group.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/format/selection_rules.hpp"

#include <algorithm>
#include <utility>

namespace tessera::kernels {

/// Lanes that share a row on a device: each has two to four of its entries, on average, or more of
/// rows of more than 128. 0, for one thread per row, on a host and where rows are short.
template <class Scalar, class Space, class Offset>
int lanes_per_row(const CsrView<Scalar, Space, Offset>& A) {
  if (is_host_space<Space>) return 0;
  const double entries_per_row =
      static_cast<double>(A.num_entries) / std::max<Ordinal>(1, A.num_rows);
  if (entries_per_row < rules::min_entries_for_lanes) return 0;
  int lanes = 4;
  while (lanes < 32 && 4 * lanes < entries_per_row)
    lanes *= 2;
  return lanes;
}

/// Calls a functor for rows by groups of lanes.
template <class Space, class Functor>
struct RowsByGroups {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;

  Functor functor;
  Ordinal num_rows;
  int lanes;

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const int rows = member.team_size() / lanes;
    const std::int64_t row =
        static_cast<std::int64_t>(member.league_rank()) * rows + member.team_rank() / lanes;
    functor(LaneGroup(lanes, member.team_rank()), row < num_rows ? static_cast<Ordinal>(row) : -1);
  }
};

/// Adds up what a functor has of rows by groups of lanes.
template <class Space, class Value, class Functor>
struct SumOfRowsByGroups {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  using value_type = Value;

  Functor functor;
  Ordinal num_rows;
  int lanes;

  KOKKOS_FUNCTION void operator()(const Member& member, Value& sum) const {
    const int rows = member.team_size() / lanes;
    const std::int64_t rows_of_all = static_cast<std::int64_t>(member.league_size()) * rows;
    const LaneGroup group(lanes, member.team_rank());
    for (std::int64_t first = static_cast<std::int64_t>(member.league_rank()) * rows;
         first < num_rows; first += rows_of_all) {
      const std::int64_t row = first + member.team_rank() / lanes;
      functor(group, row < num_rows ? static_cast<Ordinal>(row) : -1, sum);
    }
  }
};

/// Calls `functor(i)` for each row, or, with lanes above 0, `functor(group, i)` by groups of
/// `lanes` lanes on a device and of one on a host. The groups of a warp keep step: those beyond the
/// last row are called with i = -1, and have nothing to do but to go along.
template <class Space, class Functor>
void for_each_row(const Space& exec, const char* label, Ordinal num_rows, int lanes,
                  const Functor& functor) {
  if (lanes == 0) {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(exec, 0, num_rows), functor);
    return;
  }
  if (num_rows == 0) return;
  constexpr int threads_of_a_team = 128;
  const int width = is_host_space<Space> ? 1 : lanes;
  const int rows = is_host_space<Space> ? 1 : std::max(1, threads_of_a_team / lanes);
  Kokkos::parallel_for(label,
                       Kokkos::TeamPolicy<Space>(exec, (num_rows - 1) / rows + 1, rows * width, 1),
                       RowsByGroups<Space, Functor>{functor, num_rows, width});
}

/// The sum of what functor(group, i, sum) adds for each row, as `for_each_row` calls it with lanes
/// above 0, in a certain order; `result` is a `Value` on the host, for which this waits, or a
/// reducer. What several lanes add counts several times.
template <class Value, class Space, class Functor, class Result>
void sum_of_rows(const Space& exec, const char* label, Ordinal num_rows, int lanes,
                 const Functor& functor, Result&& result) {
  constexpr int threads_of_a_team = 128;
  // As many as an H200 holds: on CUDA one warp adds up what all teams have, one after the other.
  constexpr Ordinal max_teams = 2048;
  const int width = is_host_space<Space> ? 1 : lanes;
  const int rows = is_host_space<Space> ? 1 : std::max(1, threads_of_a_team / lanes);
  const Ordinal teams = std::min(max_teams, num_rows == 0 ? 0 : (num_rows - 1) / rows + 1);
  Kokkos::parallel_reduce(label, Kokkos::TeamPolicy<Space>(exec, teams, rows * width, 1),
                          SumOfRowsByGroups<Space, Value, Functor>{functor, num_rows, width},
                          std::forward<Result>(result));
}

}  // namespace tessera::kernels
