// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How a kernel spreads lanes over short lists.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/format/detail/lanes.hpp"

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

}  // namespace tessera::kernels::detail
