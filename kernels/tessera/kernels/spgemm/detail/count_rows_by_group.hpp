// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The symbolic phase of rows whose tables are small: one row per group of lanes.
#pragma once

#include "tessera/kernels/spgemm/detail/claim_slot.hpp"
#include "tessera/kernels/spgemm/detail/group_rows.hpp"

namespace tessera::kernels::spgemm_detail {

/// The count of a row that was not counted.
inline constexpr Ordinal unknown_count = -1;

/// Counts the rows of one bin whose tables may be too small: a bound by products is tens of times
/// too large where a coarse level's rows are summed up, and its table would leave room for few
/// rows. A row that finds no room is counted as `unknown_count`.
///
/// The order of insertions is free: `width` lanes take a row of B, and
/// a group several at once.
template <class Space, class Offset>
struct CountRowsByGroup {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;

  ArrayView<const Offset, Space> a_offsets;
  ArrayView<const Ordinal, Space> a_columns;
  ArrayView<const Offset, Space> b_offsets;
  ArrayView<const Ordinal, Space> b_columns;
  ArrayView<Ordinal, Space> counts;
  ArrayView<const Ordinal, Space> bounds;  ///< empty: every row as large as the bin's tables
  ArrayView<const Ordinal, Space> rows;  ///< empty: all rows in natural order
  RowBin bin;
  int lanes;
  int width;
  int log2_slots_of_largest;  ///< of the tables

  int row_bytes() const { return row_bytes(log2_slots_of_largest); }
  static KOKKOS_INLINE_FUNCTION constexpr int row_bytes(int log2_slots) {
    return static_cast<int>(sizeof(Ordinal)) << log2_slots;
  }

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const GroupRow mine = row_of_group(member, bin, rows, lanes, row_bytes(log2_slots_of_largest));
    const LaneGroup group(lanes, member.team_rank());
    const bool has_row = mine.row >= 0;
    int log2_slots = log2_slots_of_largest;
    if (bounds.extent(0) > 0 && has_row) {
      const int wanted = smallest_log2_slots + size_class(TableFill::full, bounds(mine.row));
      log2_slots = wanted < log2_slots ? wanted : log2_slots;
    }
    auto* keys = static_cast<Ordinal*>(mine.memory);
    for (int slot = group.lane(); slot < 1 << log2_slots; slot += group.size())
      keys[slot] = empty_slot;
    group.sync();
    const Offset last = has_row ? a_offsets(mine.row + 1) : 0;
    const Offset first = has_row ? a_offsets(mine.row) : 0;
    const int terms_at_once = group.size() / width;
    const int lane_in_term = group.lane() % width;
    // A table that holds all can have no longer run of full buckets than there are.
    const int max_buckets = bin.log2_slots > log2_slots_of_largest ? max_tried_buckets : 0;
    bool has_room = true;
    Ordinal num_fresh = 0;
    for (Offset k = first + group.lane() / width; k < last && has_room; k += terms_at_once) {
      const Ordinal middle = a_columns(k);
      const Offset end = b_offsets(middle + 1);
      for (Offset j = b_offsets(middle) + lane_in_term; j < end && has_room; j += width) {
        bool fresh;
        has_room = claim_slot(keys, log2_slots, b_columns(j), fresh, max_buckets) != no_slot;
        num_fresh += fresh;
      }
    }
    group.sync();
    num_fresh = group.sum(num_fresh);
    const bool is_known = group.lanes_where(!has_room) == 0;
    if (has_row && group.lane() == 0) counts(mine.row) = is_known ? num_fresh : unknown_count;
  }
};

/// Lanes of a row of B of `mean_length` entries: the power of two next below, at most `lanes`.
/// More would idle, and to tell each of the lanes next to it what it loads, so that no two load the
/// same offsets, took nearly twice as long.
template <class Space>
int width_of_terms(double mean_length, int lanes) {
  int width = 1;
  while (2 * width <= lanes && 2 * width <= mean_length)
    width *= 2;
  return width;
}

}  // namespace tessera::kernels::spgemm_detail
