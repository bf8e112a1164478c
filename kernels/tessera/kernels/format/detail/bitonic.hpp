// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sorting one row by a team.
#pragma once

#include "tessera/kernels/types.hpp"

namespace tessera::kernels::detail {

/// Sorts items 0 to `length` with all threads of a team by Batcher's bitonic network, in place.
/// `compare_exchange(i, j)`, i < j, puts items i and j in ascending order. Every comparison is
/// ascending (the first step of a merge mirrors its upper half), so that any length works: items
/// past the end count as largest and stay where they are. Equal items end up in the same order on
/// every run.
template <class Member, class CompareExchange>
KOKKOS_INLINE_FUNCTION void bitonic_sort(const Member& member, std::int64_t length,
                                         const CompareExchange& compare_exchange) {
  std::int64_t padded = 1;
  while (padded < length)
    padded *= 2;
  const auto pairs = Kokkos::TeamVectorRange(member, padded / 2);
  for (std::int64_t block = 2; block <= padded; block *= 2) {
    for (std::int64_t half = block / 2; half > 0; half /= 2) {
      const bool mirror = half == block / 2;
      Kokkos::parallel_for(pairs, [&](const std::int64_t pair) {
        const std::int64_t low = (pair / half) * 2 * half + pair % half;
        const std::int64_t high =
            mirror ? (pair / half) * 2 * half + 2 * half - 1 - pair % half : low + half;
        if (high < length) compare_exchange(low, high);
      });
      member.team_barrier();
    }
  }
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
