// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The keys of a row's hash table, listed and put in order by a group of lanes.
#pragma once

#include "tessera/kernels/spgemm/detail/group_rows.hpp"
#include "tessera/kernels/spgemm/detail/row_table.hpp"

namespace tessera::kernels::spgemm_detail {

/// found and slots of the table, in the order of slots, as far as there is `room`; returns how many
/// keys there are. All groups of a warp together.
template <class Scalar>
KOKKOS_INLINE_FUNCTION int list_keys(const LaneGroup& group, const RowTable<Scalar>& table,
                                     int num_slots, int room) {
  int num_found = 0;
  const int max_slots = group.warp_max(num_slots);
  for (int first = 0; first < max_slots; first += group.size()) {
    const int slot = first + group.lane();
    const Ordinal key = slot < num_slots ? table.keys[slot] : empty_slot;
    const std::uint32_t with_key = group.lanes_where(key != empty_slot);
    const int position = num_found + group.count_before(with_key);
    if (key != empty_slot && position < room) {
      table.found[position] = key;
      table.slots[position] = static_cast<std::uint16_t>(slot);
    }
    num_found += Kokkos::Experimental::popcount_builtin(with_key);
  }
  return num_found;
}

struct alignas(16) FourKeys {
  Ordinal key[4];
};

/// visit(rank, i) for each of the list's `size` keys: found[i] has `rank` smaller ones.
/// `log2_slots` is that of the bin. All groups of a warp together.
template <class Scalar, class Visit>
KOKKOS_INLINE_FUNCTION void for_each_in_order(const LaneGroup& group, const RowTable<Scalar>& table,
                                              int log2_slots, Ordinal size, const Visit& visit) {
  group.sync();
  if (log2_slots > max_log2_counting) {
    // The groups of a warp keep step.
    sort_list(GroupScope{group}, table, size, detail::padded_for_sort(group.warp_max(size)));
    for (Ordinal i = group.lane(); i < size; i += group.size())
      visit(i, i);
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
    visit(rank, i);
  }
}

}  // namespace tessera::kernels::spgemm_detail
