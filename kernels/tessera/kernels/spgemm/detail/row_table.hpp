// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A row's hash table with sums, and how it is written out sorted.
#pragma once

#include "tessera/kernels/format/bitonic_sort.hpp"
#include "tessera/kernels/spgemm/detail/hash_table.hpp"
#include "tessera/kernels/spgemm/detail/row_bins.hpp"

namespace tessera::kernels::spgemm_detail {

/// The largest table whose rows are sorted by counting smaller keys; larger ones by bitonic sort.
inline constexpr int max_log2_counting = 7;

/// A row's hash table with `parts` sums per slot, and the list of its keys.
template <class Scalar>
struct RowTable {
  Scalar* sums;  ///< parts times slots
  Ordinal* keys;  ///< slots
  Ordinal* found;  ///< list_length: the keys, listed
  Ordinal* counter;  ///< for listing by a team
  std::uint16_t* slots;  ///< list_length: where each listed key lies

  /// Rows fill three quarters of a table at the most.
  static KOKKOS_INLINE_FUNCTION constexpr int list_length(int log2_slots) {
    return table_capacity(TableFill::three_quarters, 1 << log2_slots);
  }
  static KOKKOS_INLINE_FUNCTION constexpr int bytes(int log2_slots, int parts) {
    const int slots = 1 << log2_slots;
    const int list = list_length(log2_slots);
    const int total = parts * slots * static_cast<int>(sizeof(Scalar)) +
                      (slots + list + 1) * static_cast<int>(sizeof(Ordinal)) +
                      list * static_cast<int>(sizeof(std::uint16_t));
    return (total + 7) / 8 * 8;
  }
  static KOKKOS_INLINE_FUNCTION RowTable at(void* memory, int log2_slots, int parts) {
    const int slots = 1 << log2_slots;
    RowTable table;
    table.sums = static_cast<Scalar*>(memory);
    table.keys = reinterpret_cast<Ordinal*>(table.sums + parts * slots);
    table.found = table.keys + slots;
    table.counter = table.found + list_length(log2_slots);
    table.slots = reinterpret_cast<std::uint16_t*>(table.counter + 1);
    return table;
  }
};

/// All slots empty, all sums zero.
template <class Scope, class Scalar>
KOKKOS_INLINE_FUNCTION void clear_table(const Scope& scope, const RowTable<Scalar>& table,
                                        int log2_slots, int parts) {
  scope.for_each(Ordinal(1) << log2_slots, [&](Ordinal slot) { table.keys[slot] = empty_slot; });
  scope.for_each(parts << log2_slots, [&](Ordinal slot) { table.sums[slot] = Scalar(0); });
}

/// Sorts the first `size` keys of the list with their slots; `padded`: see `bitonic_sort`.
template <class Scope, class Scalar>
KOKKOS_INLINE_FUNCTION void sort_list(const Scope& scope, const RowTable<Scalar>& table,
                                      Ordinal size, Ordinal padded) {
  detail::bitonic_sort(scope, size, padded, [&](Ordinal low, Ordinal high) {
    const Ordinal first = table.found[low];
    const Ordinal second = table.found[high];
    if (first < second) return;
    table.found[low] = second;
    table.found[high] = first;
    Kokkos::kokkos_swap(table.slots[low], table.slots[high]);
  });
}

/// write(position, i) for each of the table's `size` keys found[i], whose slot is slots[i]:
/// `position` counts the smaller keys.
template <class Scope, class Scalar, class Write>
KOKKOS_INLINE_FUNCTION void write_sorted(const Scope& scope, const RowTable<Scalar>& table,
                                         int log2_slots, Ordinal size, const Write& write) {
  scope.compact(
      Ordinal(1) << log2_slots, table.counter,
      [&](Ordinal slot) { return table.keys[slot] != empty_slot; },
      [&](Ordinal slot, Ordinal position) {
        table.found[position] = table.keys[slot];
        table.slots[position] = static_cast<std::uint16_t>(slot);
      });
  if (log2_slots > max_log2_counting) {
    sort_list(scope, table, size, detail::padded_for_sort(size));
    scope.for_each(size, [&](Ordinal i) { write(i, i); });
    return;
  }
  scope.for_each(size, [&](Ordinal i) {
    const Ordinal column = table.found[i];
    Ordinal rank = 0;
    for (Ordinal j = 0; j < size; ++j)
      rank += table.found[j] < column;
    write(rank, i);
  });
}

/// The largest such table that team scratch holds.
template <class Scalar, class Space>
int max_log2_numeric() {
  const int limit = Kokkos::TeamPolicy<Space>::scratch_size_max(0) - 64;
  int log2_slots = smallest_log2_slots;
  while (log2_slots < smallest_log2_slots + num_classes - 2 &&
         RowTable<Scalar>::bytes(log2_slots + 1, 1) <= limit)
    ++log2_slots;
  return log2_slots;
}

}  // namespace tessera::kernels::spgemm_detail
