// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How a device kernel spreads its threads over short rows.
#pragma once

#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels::detail {

/// A team policy with `lanes` vector lanes per row, as a function of the mean row length.
template <class Space>
struct RowTeams {
  static constexpr int threads = 256;
  int lanes = 1;
  Kokkos::TeamPolicy<Space> policy;

  RowTeams(const Space& exec, Ordinal num_rows, std::size_t num_entries)
      : lanes(lanes_for(num_rows, num_entries)),
        policy(exec, num_rows == 0 ? 0 : (num_rows - 1) / (threads / lanes) + 1, threads / lanes,
               lanes) {}

  static int lanes_for(Ordinal num_rows, std::size_t num_entries) {
    int lanes = 1;
    while (lanes < 32 && static_cast<std::size_t>(lanes) * num_rows < num_entries)
      lanes *= 2;
    return lanes;
  }
};

/// The row of this thread of the team; may be past the last.
template <class Member>
KOKKOS_INLINE_FUNCTION Ordinal row_of_thread(const Member& member) {
  return member.league_rank() * member.team_size() + member.team_rank();
}

/// Rows up to this length are sorted by counting, for each item, the smaller ones; longer rows by
/// the bitonic network.
inline constexpr int longest_counted_row = 256;

/// The teams that share all long rows of a matrix on a device.
inline constexpr int long_row_teams = 256;
inline constexpr int long_row_team_threads = 256;

/// The rows that the counting kernel leaves to the bitonic one, in no particular order; each is
/// sorted on its own, so that the order does not show in the result.
template <class Space>
struct LongRowList {
  Array<Ordinal, Space> rows;
  Array<int, Space> count;

  LongRowList(const Space& exec, std::size_t num_entries)
      : rows(allocate<Ordinal>(exec, "tessera::long_rows", num_entries / longest_counted_row)),
        count(Kokkos::view_alloc(exec, "tessera::long_row_count"), 1) {}

  KOKKOS_INLINE_FUNCTION void push(Ordinal row) const {
    rows(Kokkos::atomic_fetch_add(&count(0), 1)) = row;
  }
};

}  // namespace tessera::kernels::detail
