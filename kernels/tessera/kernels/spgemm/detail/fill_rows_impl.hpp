// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of fill_rows.
#pragma once

#include "tessera/kernels/spgemm/detail/fill_rows.hpp"
#include "tessera/kernels/spgemm/detail/hash_table.hpp"
#include "tessera/kernels/spgemm/detail/launch.hpp"

namespace tessera::kernels::spgemm_detail {

/// The largest table whose rows are sorted by counting smaller keys; larger ones by bitonic sort.
inline constexpr int max_log2_counting = 7;

/// A row's hash table with `parts` sums a slot, and the list of its keys.
template <class Scalar>
struct RowTable {
  Scalar* sums;  ///< parts times slots
  Ordinal* keys;  ///< slots
  Ordinal* found;  ///< list_length: the keys, listed
  Ordinal* counter;  ///< for listing by a team
  std::uint16_t* slots;  ///< list_length: where each listed key lies

  /// A bitonic sort pads the list to a power of two; as rows fill three quarters of a table at the
  /// most, that is no more than its slots.
  static KOKKOS_INLINE_FUNCTION constexpr int list_length(int log2_slots) {
    const int slots = 1 << log2_slots;
    return log2_slots <= max_log2_counting ? table_capacity(TableFill::three_quarters, slots)
                                           : slots;
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

/// Fills the rows of one bin.
template <class Scalar, class Space, class Offset>
struct FillRows {
  struct ByVector {};  ///< a row a team thread, in thread scratch; parts = 1
  struct ByTeam {};  ///< a row a team, in team scratch, A's row in parts
  template <class Tag>
  using Member = typename Kokkos::TeamPolicy<Space, Tag>::member_type;

  CsrView<Scalar, Space, Offset> A, B;
  ArrayView<const Ordinal, Space> rows;  ///< empty: all rows in natural order
  ArrayView<const Offset, Space> offsets;
  ArrayView<Ordinal, Space> columns;
  ArrayView<Scalar, Space> values;
  RowBin bin;
  int lanes;
  int parts;

  KOKKOS_FUNCTION void operator()(ByVector, const Member<ByVector>& member) const {
    void* memory = member.thread_scratch(0).get_shmem_aligned(table_bytes(), 8);
    const Ordinal index = member.league_rank() * member.team_size() + member.team_rank();
    if (index < bin.count) fill(VectorScope<Member<ByVector>>{member, lanes}, index, memory);
  }

  KOKKOS_FUNCTION void operator()(ByTeam, const Member<ByTeam>& member) const {
    void* memory = member.team_scratch(0).get_shmem_aligned(table_bytes(), 8);
    fill(TeamScope<Member<ByTeam>>{member, lanes}, member.league_rank(), memory);
  }

  KOKKOS_INLINE_FUNCTION int table_bytes() const {
    return RowTable<Scalar>::bytes(bin.log2_slots, parts);
  }

  template <class Scope>
  KOKKOS_INLINE_FUNCTION void fill(const Scope& scope, Ordinal index, void* memory) const {
    const Ordinal row = rows.extent(0) == 0 ? index : rows(bin.first + index);
    const auto table = RowTable<Scalar>::at(memory, bin.log2_slots, parts);
    const auto size = static_cast<Ordinal>(offsets(row + 1) - offsets(row));
    if (size == 0) return;  // the whole scope agrees
    sum_products(scope, row, table);
    scope.compact(
        Ordinal(1) << bin.log2_slots, table.counter,
        [&](Ordinal slot) { return table.keys[slot] != empty_slot; },
        [&](Ordinal slot, Ordinal position) {
          table.found[position] = table.keys[slot];
          table.slots[position] = static_cast<std::uint16_t>(slot);
        });
    if (bin.log2_slots <= max_log2_counting) {
      write_by_rank(scope, offsets(row), size, table);
    } else {
      bitonic_sort(scope, size, table.found, table.slots);
      scope.for_each(size, [&](Ordinal i) { write(offsets(row) + i, i, table); });
    }
  }

  template <class Scope>
  KOKKOS_INLINE_FUNCTION void sum_products(const Scope& scope, Ordinal row,
                                           const RowTable<Scalar>& table) const {
    const int log2_slots = bin.log2_slots;
    scope.for_each(Ordinal(1) << log2_slots, [&](Ordinal slot) { table.keys[slot] = empty_slot; });
    scope.for_each(parts << log2_slots, [&](Ordinal slot) { table.sums[slot] = Scalar(0); });
    scope.for_each_part(parts, [&](int part) {
      Scalar* sums = table.sums + (part << log2_slots);
      for_each_product(scope.member, A, B, row, part, parts, [&](Ordinal column, Scalar product) {
        bool fresh;
        sums[find_or_insert(table.keys, log2_slots, column, fresh)] += product;
      });
    });
  }

  /// Writes each entry to the place that the number of smaller columns gives.
  template <class Scope>
  KOKKOS_INLINE_FUNCTION void write_by_rank(const Scope& scope, Offset begin, Ordinal size,
                                            const RowTable<Scalar>& table) const {
    scope.for_each(size, [&](Ordinal i) {
      const Ordinal column = table.found[i];
      Ordinal rank = 0;
      for (Ordinal j = 0; j < size; ++j)
        rank += table.found[j] < column;
      write(begin + rank, i, table);
    });
  }

  KOKKOS_INLINE_FUNCTION void write(Offset entry, Ordinal i, const RowTable<Scalar>& table) const {
    const int slot = table.slots[i];
    Scalar sum = table.sums[slot];
    for (int part = 1; part < parts; ++part)
      sum += table.sums[(part << bin.log2_slots) + slot];
    columns(entry) = table.found[i];
    values(entry) = sum;
  }
};

/// The largest numeric table that team scratch holds.
template <class Scalar, class Space>
int max_log2_numeric() {
  const int limit = Kokkos::TeamPolicy<Space>::scratch_size_max(0) - 64;
  int log2_slots = smallest_log2_slots;
  while (log2_slots < smallest_log2_slots + num_classes - 2 &&
         RowTable<Scalar>::bytes(log2_slots + 1, 1) <= limit)
    ++log2_slots;
  return log2_slots;
}

/// Scratch of one team thread, with room to align it.
template <class Scalar, class Space, class Offset>
int bytes_by_vector(const FillRows<Scalar, Space, Offset>& fill) {
  return fill.table_bytes() + 16;
}

template <class Scalar, class Space, class Offset>
void fill_bin_by_vector(const Space& exec, const FillRows<Scalar, Space, Offset>& fill) {
  const int bytes = bytes_by_vector(fill);
  const int team = rows_in_team<Space>(fill.lanes, bytes);
  Kokkos::TeamPolicy<Space, typename FillRows<Scalar, Space, Offset>::ByVector> policy(
      exec, (fill.bin.count + team - 1) / team, team, fill.lanes);
  policy.set_scratch_size(0, Kokkos::PerThread(bytes));
  Kokkos::parallel_for("tessera::spgemm::fill_by_vector", policy, fill);
}

template <class Scalar, class Space, class Offset>
void fill_bin_by_team(const Space& exec, FillRows<Scalar, Space, Offset> fill) {
  const int limit = Kokkos::TeamPolicy<Space>::scratch_size_max(0) - 16;
  const int threads = threads_in_team<Space>(std::max(128, fill.parts * fill.lanes), fill.lanes);
  while (fill.parts > 1 && fill.table_bytes() > limit)
    fill.parts /= 2;
  Kokkos::TeamPolicy<Space, typename FillRows<Scalar, Space, Offset>::ByTeam, LargeTeams> policy(
      exec, fill.bin.count, threads, fill.lanes);
  policy.set_scratch_size(0, Kokkos::PerTeam(fill.table_bytes() + 16));
  Kokkos::parallel_for("tessera::spgemm::fill_by_team", policy, fill);
}

template <class Scalar, class Space, class Offset>
void fill_rows(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
               const CsrView<Scalar, Space, Offset>& B, const SizeHistogram& histogram,
               const ArrayView<const Ordinal, Space>& sizes,
               const ArrayView<const Offset, Space>& offsets,
               const ArrayView<Ordinal, Space>& columns, const ArrayView<Scalar, Space>& values) {
  const RowBins<Space> bins = bin_rows<Space>(exec, TableFill::three_quarters, histogram,
                                              max_log2_numeric<Scalar, Space>(), sizes);
  const int lanes = lanes_for<Space>(mean_length(B.columns.extent(0), B.offsets.extent(0)));
  const double a_length = mean_length(A.columns.extent(0), A.offsets.extent(0));
  for (const RowBin& bin : bins.bins) {
    const int parts = parts_for(exec, bin, lanes, a_length);
    const FillRows<Scalar, Space, Offset> fill{A,      B,   bins.rows, offsets, columns,
                                               values, bin, lanes,     parts};
    if (!bin.in_scratch) {
      fill_dense_rows<Scalar, Space, Offset>(exec, A, B, bins.rows, bin, offsets, columns, values);
    } else if (parts > 1 || bin.log2_slots > max_log2_by_vector ||
               !fits_by_vector<Space>(lanes, bytes_by_vector(fill))) {
      fill_bin_by_team(exec, fill);
    } else {
      fill_bin_by_vector(exec, fill);
    }
  }
}

}  // namespace tessera::kernels::spgemm_detail
