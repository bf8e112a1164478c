// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How a kernel spreads lanes over short lists, and which lists are too long for that.
#pragma once

#include "tessera/kernels/format/detail/lanes.hpp"
#include "tessera/kernels/format/host_space.hpp"

namespace tessera::kernels::detail {

/// A team policy of one thread an item, whose vector lanes share the item's list of
/// `length / items` things on average. On the host a thread has one lane.
template <class Space>
Kokkos::TeamPolicy<Space> lane_teams(const Space& exec, Ordinal items, std::size_t length) {
  if constexpr (is_host_space<Space>) {
    return Kokkos::TeamPolicy<Space>(exec, items, 1, 1);
  } else {
    return RowTeams<Space>(exec, items, length).policy;
  }
}

/// A policy of few teams of one lane a thread that share all lists of a matrix that are too long
/// for lane_teams.
template <class Space>
Kokkos::TeamPolicy<Space> long_list_teams(const Space& exec) {
  if constexpr (is_host_space<Space>) {
    return Kokkos::TeamPolicy<Space>(exec, exec.concurrency(), 1, 1);
  } else {
    return Kokkos::TeamPolicy<Space>(exec, 256, 256, 1);
  }
}

/// The items with lists of more than `longest_short` things, in no particular order: each is worked
/// on by itself, so that the order does not show in the result.
template <class Space>
struct LongLists {
  std::int64_t longest_short;
  Array<Ordinal, Space> items;
  Array<int, Space> count;

  LongLists(const Space& exec, std::size_t length, std::int64_t longest)
      : longest_short(longest),
        items(allocate<Ordinal>(exec, "tessera::long_lists", length / (longest + 1))),
        count(allocate<int>(exec, "tessera::long_list_count", 1)) {
    Kokkos::deep_copy(exec, count, 0);
  }

  bool possible() const { return items.extent(0) > 0; }
  KOKKOS_INLINE_FUNCTION void push(Ordinal item) const {
    items(Kokkos::atomic_fetch_add(&count(0), 1)) = item;
  }
};

}  // namespace tessera::kernels::detail
