// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The numeric phase of rows whose tables are small: one row per group of lanes.
#pragma once

#include "tessera/kernels/spgemm/detail/claim_slot.hpp"
#include "tessera/kernels/spgemm/detail/fill_rows.hpp"
#include "tessera/kernels/spgemm/detail/group_products.hpp"
#include "tessera/kernels/spgemm/detail/group_rows.hpp"
#include "tessera/kernels/spgemm/detail/row_table.hpp"

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
    list_keys(group, table, 1 << log2_slots);
    write_sorted(group, table, size, begin);
  }

  /// found and slots of the table, in the order of slots.
  KOKKOS_INLINE_FUNCTION void list_keys(const LaneGroup& group, const RowTable<Scalar>& table,
                                        int num_slots) const {
    int num_found = 0;
    const int max_slots = group.warp_max(num_slots);
    for (int first = 0; first < max_slots; first += group.size()) {
      const int slot = first + group.lane();
      const Ordinal key = slot < num_slots ? table.keys[slot] : empty_slot;
      const std::uint32_t with_key = group.lanes_where(key != empty_slot);
      if (key != empty_slot) {
        const int position = num_found + group.count_before(with_key);
        table.found[position] = key;
        table.slots[position] = static_cast<std::uint16_t>(slot);
      }
      num_found += Kokkos::Experimental::popcount_builtin(with_key);
    }
  }

  struct alignas(16) FourKeys {
    Ordinal key[4];
  };

  KOKKOS_INLINE_FUNCTION void write_sorted(const LaneGroup& group, const RowTable<Scalar>& table,
                                           Ordinal size, Offset begin) const {
    group.sync();
    if (bin.log2_slots > max_log2_counting) {
      // The groups of a warp keep step.
      sort_list(GroupScope{group}, table, size, detail::padded_for_sort(group.warp_max(size)));
      for (Ordinal i = group.lane(); i < size; i += group.size())
        write(table, begin + i, i);
      return;
    }
    // A key's place is the number of smaller ones; the list ends in none that is smaller.
    const Ordinal padded = (size + 3) / 4 * 4;
    if (group.lane() == 0) {
      for (Ordinal i = size; i < padded; ++i)
        table.found[i] = Kokkos::Experimental::finite_max_v<Ordinal>;
    }
    group.sync();
    for (Ordinal i = group.lane(); i < size; i += group.size()) {
      const Ordinal column = table.found[i];
      Ordinal rank = 0;
      for (Ordinal j = 0; j < padded; j += 4) {
        const FourKeys four = *reinterpret_cast<const FourKeys*>(table.found + j);
        for (int q = 0; q < 4; ++q)
          rank += four.key[q] < column;
      }
      write(table, begin + rank, i);
    }
  }

  KOKKOS_INLINE_FUNCTION void write(const RowTable<Scalar>& table, Offset entry, Ordinal i) const {
    columns(entry) = table.found[i];
    values(entry) = table.sums[table.slots[i]];
  }
};

}  // namespace tessera::kernels::spgemm_detail
