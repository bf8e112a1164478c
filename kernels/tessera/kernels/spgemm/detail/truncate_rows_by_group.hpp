// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows of a product that are summed before anyone counted them, and truncated: one row per group
/// of lanes.
#pragma once

#include "tessera/kernels/spgemm/detail/claim_slot.hpp"
#include "tessera/kernels/spgemm/detail/group_products.hpp"
#include "tessera/kernels/spgemm/detail/largest_in_table.hpp"

namespace tessera::kernels::spgemm_detail {

/// What is kept of each row, in a matrix with room for `max_entries` of every one.
template <class Scalar, class Space, class Offset>
struct TruncatedRows {
  RowTruncation truncation;
  ArrayView<Offset, Space> counts;  ///< below 0 for a row that outgrew its table
  ArrayView<Ordinal, Space> columns;
  ArrayView<Scalar, Space> values;
};

/// Fills the rows of one bin, each in a table as large as it is taken to need.
template <class Scalar, class Space, class Offset>
struct TruncateRowsByGroup {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;

  CsrView<Scalar, Space, Offset> A, B;
  ArrayView<const Ordinal, Space> rows;  ///< empty: all rows in natural order
  ArrayView<const Ordinal, Space> estimates;  ///< empty: tables as large as the bin's
  TruncatedRows<Scalar, Space, Offset> result;
  RowBin bin;
  int lanes;

  static KOKKOS_INLINE_FUNCTION constexpr int row_bytes(int log2_slots) {
    return padded_table_bytes(RowTable<Scalar>::bytes(log2_slots, 1));
  }

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const GroupRow mine = row_of_group(member, bin, rows, lanes, row_bytes(bin.log2_slots));
    const LaneGroup group(lanes, member.team_rank());
    const bool has_row = mine.row >= 0;
    int log2_slots = bin.log2_slots;
    if (has_row && estimates.extent(0) > 0)
      log2_slots = smallest_log2_slots + size_class(TableFill::three_quarters, estimates(mine.row));
    const auto table = RowTable<Scalar>::at(mine.memory, bin.log2_slots, 1);
    for (int slot = group.lane(); slot < 1 << log2_slots; slot += group.size()) {
      table.keys[slot] = empty_slot;
      table.sums[slot] = Scalar(0);
    }
    group.sync();
    bool has_room = true;
    const GroupProducts<Scalar, Space, Offset> products{A, B};
    products.for_each(group, mine.row, [&](Ordinal column, Scalar factor, Scalar value) {
      bool fresh;
      const unsigned slot = claim_slot(table.keys, log2_slots, column, fresh, max_tried_buckets);
      if (slot == no_slot) {
        has_room = false;
      } else {
        table.sums[slot] += factor * value;
      }
    });
    const int room = RowTable<Scalar>::list_length(bin.log2_slots);
    const int num_found = list_keys(group, table, 1 << log2_slots, room);
    const bool is_whole = group.lanes_where(!has_room) == 0 && num_found <= room;
    const auto row =
        OrderedRow<Scalar>::of(group, table, bin.log2_slots, has_row && is_whole ? num_found : 0);
    const KeptPlaces kept = kept_places(group, row, result.truncation);
    if (!has_row) return;
    if (group.lane() == 0) result.counts(mine.row) = is_whole ? kept.count : -1;
    if (is_whole) write(group, mine.row, row, kept);
  }

 private:
  KOKKOS_INLINE_FUNCTION void write(const LaneGroup& group, Ordinal number,
                                    const OrderedRow<Scalar>& row, const KeptPlaces& kept) const {
    const RowTruncation& truncation = result.truncation;
    const double scale = scale_of_kept(row, kept, truncation.cancelling_share);
    const std::size_t first = static_cast<std::size_t>(number) * truncation.max_entries;
    for (int c = 0; c < KeptPlaces::max_count; ++c) {
      if (c >= kept.count || c % group.size() != group.lane()) continue;
      const std::size_t to = first + kept.rank(c);
      const Scalar value = row.value(kept.place[c]);
      result.columns(to) = row.column(kept.place[c]);
      result.values(to) =
          scale == 1 ? value : static_cast<Scalar>(static_cast<double>(value) * scale);
    }
  }
};

}  // namespace tessera::kernels::spgemm_detail
