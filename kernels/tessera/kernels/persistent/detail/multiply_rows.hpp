// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Products of a share's rows with a vector.
#pragma once

#include "tessera/kernels/persistent/detail/long_rows.hpp"

namespace tessera::kernels::detail {

/// `multiply_rows` but for long rows.
template <class Group, class Share, class Entry, class Function>
KOKKOS_FUNCTION void multiply_short_rows(const Group& group, const Share& share, int lanes_per_row,
                                         const Entry& entry, const Function& function) {
  const int groups = group.num_lanes() / lanes_per_row;
  const int lane_group = group.lane() / lanes_per_row;
  const int lane = group.lane() % lanes_per_row;
  // As many turns for all lanes, for they add up together.
  for (int base = 0; base < share.rows; base += groups) {
    const int l = base + lane_group;
    const bool is_row = l < share.rows && !share.is_long(l);
    decltype(share.product(0, 0, 1, entry)) sum = 0;
    if constexpr (Group::one_share_per_worker && Share::holds_entries) {
      const bool is_first = base == 0;
      if (is_first && share.held.count > 0) sum = share.held.add_to(sum, entry);
      if (is_row && (share.has_rest || !is_first))
        sum = share.add_product(sum, l, is_first ? lane + share.held_step : lane, lanes_per_row,
                                entry);
    } else if (is_row) {
      sum = share.product(l, lane, lanes_per_row, entry);
    }
    sum = group.sum_of_lanes(sum, lanes_per_row);
    if (is_row && lane == 0) function(l, sum);
  }
}

/// Calls `function(l, sum)` for the rows of a share, by one lane each: `sum` is the row times the
/// vector, `entry(column)` an entry of this. All lanes of the worker call it, and synchronize with
/// all others before they do so again.
template <class Group, class Share, class Entry, class Function>
KOKKOS_FUNCTION void multiply_rows(const Group& group, const Share& share, int lanes_per_row,
                                   const Entry& entry, const Function& function) {
  bool is_done = false;
  if constexpr (Group::one_share_per_worker && Share::may_have_window) {
    if (share.window.entries != nullptr) {
      share.window.fill(group, entry);
      group.synchronize_lanes();
      multiply_short_rows(group, share, lanes_per_row, share.window, function);
      is_done = true;
    }
  }
  if (!is_done) multiply_short_rows(group, share, lanes_per_row, entry, function);
  if constexpr (Group::one_share_per_worker && Share::may_have_long_rows) {
    if (share.long_rows != nullptr) multiply_long_rows(group, share, entry, function);
  }
}

/// Calls `function(l)` for each row of a share, by one lane each.
template <class Group, class Share, class Function>
KOKKOS_FUNCTION void visit_rows(const Group& group, const Share& share, const Function& function) {
  for (int l = group.lane(); l < share.rows; l += group.num_lanes())
    function(l);
}

}  // namespace tessera::kernels::detail
