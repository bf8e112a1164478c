// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The numeric phase of rows whose tables are small: a row a group of lanes.
#pragma once

#include "tessera/kernels/spgemm/detail/fill_rows.hpp"
#include "tessera/kernels/spgemm/detail/group_rows.hpp"
#include "tessera/kernels/spgemm/detail/row_table.hpp"

namespace tessera::kernels::spgemm_detail {

/// Fills the rows of one bin. The rows of B are added one after the other, in the order of A's row,
/// each by all lanes: its columns differ, so that no two lanes add to one sum. What is loaded for
/// that is on its way for several rows of B at once, and for a group's length of A's row.
template <class Scalar, class Space, class Offset>
struct FillRowsByGroup {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  static constexpr int rows_at_once = 4;

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
    sum_products(group, mine.row, table, log2_slots);
    list_keys(group, table, 1 << log2_slots);
    write_sorted(group, table, size, begin);
  }

  /// A row of B and its factor.
  struct Term {
    Offset begin;
    Ordinal length;
    Scalar factor;
  };

  KOKKOS_INLINE_FUNCTION void sum_products(const LaneGroup& group, Ordinal row,
                                           const RowTable<Scalar>& table, int log2_slots) const {
    const Offset begin = row < 0 ? 0 : A.offsets(row);
    const Offset end = row < 0 ? 0 : A.offsets(row + 1);
    const Offset longest = group.warp_max(end - begin);
    for (Offset first = 0; first < longest; first += group.size()) {
      const Offset k = begin + first + group.lane();
      Term term{0, 0, Scalar(0)};
      if (k < end) {
        const Ordinal middle = A.columns(k);
        term.begin = B.offsets(middle);
        term.length = static_cast<Ordinal>(B.offsets(middle + 1) - term.begin);
        term.factor = A.values(k);
      }
      const Offset left = longest - first;
      const int num_terms = left < group.size() ? static_cast<int>(left) : group.size();
      if (group.warp_max(term.length) <= group.size()) {
        add_short_terms(group, term, num_terms, table, log2_slots);
      } else {
        add_long_terms(group, term, num_terms, table, log2_slots);
      }
    }
  }

  KOKKOS_INLINE_FUNCTION static void add(const RowTable<Scalar>& table, int log2_slots,
                                         Ordinal column, Scalar factor, Scalar value) {
    bool fresh;
    table.sums[find_or_insert_in_bucket(table.keys, log2_slots, column, fresh)] += factor * value;
  }

  /// Rows of B no longer than the group is wide.
  KOKKOS_INLINE_FUNCTION void add_short_terms(const LaneGroup& group, const Term& term,
                                              int num_terms, const RowTable<Scalar>& table,
                                              int log2_slots) const {
    for (int first = 0; first < num_terms; first += rows_at_once) {
      Ordinal column[rows_at_once];
      Scalar factor[rows_at_once];
      Scalar value[rows_at_once];
      for (int q = 0; q < rows_at_once; ++q) {
        const int source = first + q;
        const Offset entry = group.from_lane(term.begin, source) + group.lane();
        const Ordinal length = group.from_lane(term.length, source);
        factor[q] = group.from_lane(term.factor, source);
        const bool has_entry = source < num_terms && group.lane() < length;
        column[q] = has_entry ? B.columns(entry) : empty_slot;
        value[q] = has_entry ? B.values(entry) : Scalar(0);
      }
      for (int q = 0; q < rows_at_once; ++q) {
        if (column[q] != empty_slot) add(table, log2_slots, column[q], factor[q], value[q]);
        group.sync();
      }
    }
  }

  KOKKOS_INLINE_FUNCTION void add_long_terms(const LaneGroup& group, const Term& term,
                                             int num_terms, const RowTable<Scalar>& table,
                                             int log2_slots) const {
    for (int source = 0; source < num_terms; ++source) {
      const Offset begin = group.from_lane(term.begin, source);
      const Ordinal length = group.from_lane(term.length, source);
      const Scalar factor = group.from_lane(term.factor, source);
      for (Ordinal i = group.lane(); i < length; i += group.size())
        add(table, log2_slots, B.columns(begin + i), factor, B.values(begin + i));
      group.sync();
    }
  }

  /// found and slots of the table, in the order of slots.
  KOKKOS_INLINE_FUNCTION void list_keys(const LaneGroup& group, const RowTable<Scalar>& table,
                                        int num_slots) const {
    int num_found = 0;
    const int most_slots = group.warp_max(num_slots);
    for (int first = 0; first < most_slots; first += group.size()) {
      const int slot = first + group.lane();
      const Ordinal key = slot < num_slots ? table.keys[slot] : empty_slot;
      const std::uint32_t with_key = group.lanes_where(key != empty_slot);
      if (key != empty_slot) {
        const std::uint32_t before = with_key & ((std::uint32_t(1) << group.lane()) - 1);
        const int position = num_found + Kokkos::Experimental::popcount_builtin(before);
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
      const Ordinal padded = padded_for_sort(group.warp_max(size));
      bitonic_sort(GroupScope{group}, size, padded, table.found, table.slots);
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
