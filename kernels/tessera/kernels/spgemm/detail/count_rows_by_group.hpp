// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The symbolic phase of rows whose tables are small: a row a group of lanes.
#pragma once

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
    Inserted inserted;
    const Offset last = has_row ? a_offsets(mine.row + 1) : 0;
    const Offset first = has_row ? a_offsets(mine.row) : 0;
    const Offset longest = group.warp_max(last - first);
    for (Offset done = 0; done < longest; done += group.size()) {
      const Offset k = first + done + group.lane();
      Term term{0, 0};
      if (k < last) {
        const Ordinal middle = a_columns(k);
        term.begin = b_offsets(middle);
        term.length = static_cast<Ordinal>(b_offsets(middle + 1) - term.begin);
      }
      const Offset left = longest - done;
      insert_terms(group, term, left < group.size() ? static_cast<int>(left) : group.size(), keys,
                   log2_slots, inserted);
      // A large row that finds no room early is not read to its end.
      if (may_be_too_small() && group.warp_max(int(inserted.has_room && k < last)) == 0) break;
    }
    group.sync();
    const Ordinal num_fresh = group.sum(inserted.num_fresh);
    const bool is_known = group.lanes_where(!inserted.has_room) == 0;
    if (has_row && group.lane() == 0) counts(mine.row) = is_known ? num_fresh : unknown_count;
  }

 private:
  /// A row of B.
  struct Term {
    Offset begin;
    Ordinal length;
  };
  struct Inserted {
    Ordinal num_fresh = 0;
    bool has_room = true;
  };

  KOKKOS_INLINE_FUNCTION bool may_be_too_small() const {
    return bin.log2_slots > log2_slots_of_largest;
  }

  KOKKOS_INLINE_FUNCTION void insert(Ordinal* keys, int log2_slots, Ordinal column,
                                     Inserted& inserted) const {
    // A table that holds all can have no longer run of full buckets than there are.
    const int most_buckets = may_be_too_small() ? 16 : 0;
    bool fresh;
    if (find_or_insert_in_bucket(keys, log2_slots, column, fresh, most_buckets) == no_slot)
      inserted.has_room = false;
    inserted.num_fresh += fresh;
  }

  /// The terms of the first `num_terms` lanes, each by `width` lanes. What is loaded is on its way
  /// for several terms of a lane and two of its entries of each.
  KOKKOS_INLINE_FUNCTION void insert_terms(const LaneGroup& group, const Term& term, int num_terms,
                                           Ordinal* keys, int log2_slots,
                                           Inserted& inserted) const {
    constexpr int rounds_at_once = 2;
    const int terms_of_a_round = group.size() / width;
    const int lane_in_term = group.lane() % width;
    for (int round = 0; round < num_terms; round += rounds_at_once * terms_of_a_round) {
      Term mine[rounds_at_once];
      Ordinal column[rounds_at_once][2];
      for (int q = 0; q < rounds_at_once; ++q) {
        const int source = round + q * terms_of_a_round + group.lane() / width;
        mine[q].begin = group.from_lane(term.begin, source);
        mine[q].length = group.from_lane(term.length, source);
        if (source >= num_terms) mine[q].length = 0;
        for (int part = 0; part < 2; ++part) {
          const Ordinal e = lane_in_term + part * width;
          column[q][part] = e < mine[q].length ? b_columns(mine[q].begin + e) : empty_slot;
        }
      }
      for (int q = 0; q < rounds_at_once; ++q) {
        for (int part = 0; part < 2; ++part) {
          if (column[q][part] != empty_slot && inserted.has_room)
            insert(keys, log2_slots, column[q][part], inserted);
        }
        for (Ordinal e = lane_in_term + 2 * width; e < mine[q].length && inserted.has_room;
             e += width)
          insert(keys, log2_slots, b_columns(mine[q].begin + e), inserted);
      }
    }
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
