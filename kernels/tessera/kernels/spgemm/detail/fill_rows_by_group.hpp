// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The numeric phase of rows whose tables are small: one row per group of lanes.
#pragma once

#include "tessera/kernels/spgemm/detail/claim_slot.hpp"
#include "tessera/kernels/spgemm/detail/fill_rows.hpp"
#include "tessera/kernels/spgemm/detail/group_products.hpp"
#include "tessera/kernels/spgemm/detail/row_list.hpp"

namespace tessera::kernels::spgemm_detail {

/// Fills the rows of one bin.
template <class Scalar, class Space, class Offset>
struct FillRowsByGroup {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;

  CsrView<Scalar, Space, Offset> A, B;
  ArrayView<const Ordinal, Space> rows;  ///< empty: all rows in natural order
  ArrayView<const Offset, Space> offsets;
  ArrayView<Ordinal, Space> columns;
  ArrayView<Scalar, Space> values;
  RowBin bin;
  int lanes;

  int row_bytes() const { return row_bytes(bin.log2_slots); }
  static KOKKOS_INLINE_FUNCTION constexpr int row_bytes(int log2_slots) {
    return padded_table_bytes(RowTable<Scalar>::bytes(log2_slots, 1));
  }

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const GroupRow mine = row_of_group(member, bin, rows, lanes, row_bytes(bin.log2_slots));
    const LaneGroup group(lanes, member.team_rank());
    const Offset begin = mine.row < 0 ? 0 : offsets(mine.row);
    const auto size = mine.row < 0 ? 0 : static_cast<Ordinal>(offsets(mine.row + 1) - begin);
    const int log2_slots = smallest_log2_slots + size_class(TableFill::three_quarters, size);
    const auto table = RowTable<Scalar>::at(mine.memory, bin.log2_slots, 1);
    for (int slot = group.lane(); slot < 1 << log2_slots; slot += group.size()) {
      table.keys[slot] = empty_slot;
      table.sums[slot] = Scalar(0);
    }
    group.sync();
    const GroupProducts<Scalar, Space, Offset> products{A, B};
    products.for_each(group, mine.row, [&](Ordinal column, Scalar factor, Scalar value) {
      bool fresh;
      table.sums[claim_slot(table.keys, log2_slots, column, fresh)] += factor * value;
    });
    list_keys(group, table, 1 << log2_slots, size);
    for_each_in_order(group, table, bin.log2_slots, size,
                      [&](Ordinal rank, Ordinal i) { write(table, begin + rank, i); });
  }

  KOKKOS_INLINE_FUNCTION void write(const RowTable<Scalar>& table, Offset entry, Ordinal i) const {
    columns(entry) = table.found[i];
    values(entry) = table.sums[table.slots[i]];
  }
};

}  // namespace tessera::kernels::spgemm_detail
