// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of count_rows.
#pragma once

#include "tessera/kernels/spgemm/detail/column_bits.hpp"
#include "tessera/kernels/spgemm/detail/count_rows_by_group.hpp"
#include "tessera/kernels/spgemm/detail/fill_rows.hpp"
#include "tessera/kernels/spgemm/detail/team_products.hpp"

namespace tessera::kernels::spgemm_detail {

/// Counts the rows of one bin with large tables, or those of them that are unknown. The order of
/// insertions is free: only the set's size is used.
template <class Space, class Offset>
struct CountRows {
  struct ByTeam {};  ///< one row per team, hash set in team scratch
  struct ByBits {};  ///< one row per team, a bit for each column, teams loop over rows
  template <class Tag>
  using Member = typename Kokkos::TeamPolicy<Space, Tag>::member_type;

  ArrayView<const Offset, Space> a_offsets;
  ArrayView<const Ordinal, Space> a_columns;
  ArrayView<const Offset, Space> b_offsets;
  ArrayView<const Ordinal, Space> b_columns;
  ArrayView<Ordinal, Space> counts;
  ArrayView<const Ordinal, Space> rows;  ///< empty: all rows in natural order
  RowBin bin;
  int lanes;
  Ordinal num_cols;
  bool counts_unknown;  ///< those alone whose count is `unknown_count`
  ArrayView<unsigned, Space> global = {};  ///< ByBits: TeamMemory::global

  KOKKOS_INLINE_FUNCTION Ordinal row_of(Ordinal index) const {
    return rows.extent(0) == 0 ? index : rows(bin.first + index);
  }

  KOKKOS_INLINE_FUNCTION bool skips(Ordinal row) const {
    return counts_unknown && counts(row) != unknown_count;
  }

  template <class Scope, class Set>
  KOKKOS_INLINE_FUNCTION void count(const Scope& scope, Ordinal row, const Set& set) const {
    // As a rule a row has more products than half the slots of its bin, beyond scratch even more.
    const std::int64_t products = std::int64_t(1) << (bin.in_scratch ? bin.log2_slots - 1 : 12);
    const Ordinal size =
        insert_columns(scope, a_offsets, a_columns, b_offsets, b_columns, row, products,
                       [&](Ordinal column) { return set.insert(column); });
    Kokkos::single(Kokkos::PerThread(scope.member), [&]() { counts(row) = size; });
  }

  KOKKOS_FUNCTION void operator()(ByTeam, const Member<ByTeam>& member) const {
    auto* keys = static_cast<Ordinal*>(
        member.team_scratch(0).get_shmem_aligned(table_bytes(bin.log2_slots), 8));
    const TeamScope<Member<ByTeam>> scope{member, lanes};
    const Ordinal row = row_of(member.league_rank());
    if (skips(row)) return;
    scope.for_each(Ordinal(1) << bin.log2_slots, [&](Ordinal slot) { keys[slot] = empty_slot; });
    count(scope, row, HashSet{keys, bin.log2_slots});
  }

  KOKKOS_FUNCTION void operator()(ByBits, const Member<ByBits>& member) const {
    const TeamScope<Member<ByBits>> scope{member, lanes};
    const Ordinal num_words = ColumnBits::num_words(num_cols);
    const ColumnBits bits{team_words<Member<ByBits>, Space>(member, global, num_words)};
    for (Ordinal index = member.league_rank(); index < bin.count; index += member.league_size()) {
      const Ordinal row = row_of(index);
      if (skips(row)) continue;
      scope.for_each(num_words, [&](Ordinal word) { bits.words[word] = 0; });
      count(scope, row, bits);
    }
  }

  static KOKKOS_INLINE_FUNCTION constexpr int table_bytes(int log2_slots) {
    return static_cast<int>(sizeof(Ordinal)) << log2_slots;
  }
};

/// The largest symbolic table that team scratch holds.
template <class Space>
int max_log2_symbolic() {
  const int limit = Kokkos::TeamPolicy<Space>::scratch_size_max(0) - 64;
  int log2_slots = smallest_log2_slots;
  while (log2_slots < smallest_log2_slots + num_classes - 2 &&
         (static_cast<int>(sizeof(Ordinal)) << (log2_slots + 1)) <= limit)
    ++log2_slots;
  return log2_slots;
}

template <class Space, class Offset>
void count_bin_by_bits(const Space& exec, CountRows<Space, Offset> count) {
  using Functor = CountRows<Space, Offset>;
  const TeamMemory<Space> memory(exec, count.bin.count,
                                 sizeof(unsigned) * ColumnBits::num_words(count.num_cols), 0);
  count.global = memory.global;
  Kokkos::TeamPolicy<Space, typename Functor::ByBits, LargeTeams> policy(
      exec, memory.teams, threads_in_team<Space>(memory.lanes_in_team(), count.lanes), count.lanes);
  policy.set_scratch_size(0, Kokkos::PerTeam(memory.scratch_bytes));
  Kokkos::parallel_for("tessera::spgemm::count_by_bits", policy, count);
}

template <class Space, class Offset>
void count_rows(const Space& exec, const ArrayView<const Offset, Space>& a_offsets,
                const ArrayView<const Ordinal, Space>& a_columns,
                const ArrayView<const Offset, Space>& b_offsets,
                const ArrayView<const Ordinal, Space>& b_columns, Ordinal num_cols,
                const RowWorkspace<Space>& work, const std::optional<SizeHistogram>& bounds) {
  const int max_log2_slots = max_log2_symbolic<Space>();
  const int smallest = log2_slots_of_smallest_bin;
  // Where one bin holds all rows, it is of no matter which bound is whose.
  const bool has_bounds = !bounds || group_classes(*bounds, max_log2_slots, smallest).size() > 1;
  if (has_bounds)
    bound_row_sizes<Space, Offset>(exec, a_offsets, a_columns, b_offsets, num_cols, work.bounds);
  const SizeHistogram histogram =
      bounds ? *bounds : histogram_of_sizes<Space>(exec, TableFill::full, work.bounds);
  const RowBins<Space> bins = bin_rows<Space>(exec, TableFill::full, histogram, max_log2_slots,
                                              work.bounds, work.rows, smallest);
  const double a_length = mean_length(a_columns.extent(0), a_offsets.extent(0));
  const double b_length = mean_length(b_columns.extent(0), b_offsets.extent(0));
  const int lanes = lanes_for<Space>(b_length);
  const int group = lanes_for<Space>(a_length);
  for (const RowBin& bin : bins.bins) {
    const bool is_large = !bin.in_scratch || bin.log2_slots > max_log2_by_group;
    const int log2_slots = is_large ? max_log2_by_group : bin.log2_slots;
    const CountRowsByGroup<Space, Offset> by_group{
        a_offsets,
        a_columns,
        b_offsets,
        b_columns,
        work.sizes,
        has_bounds ? ArrayView<const Ordinal, Space>(work.bounds)
                   : ArrayView<const Ordinal, Space>(),
        bins.rows,
        bin,
        group,
        width_of_terms<Space>(b_length, group),
        log2_slots};
    const bool by_groups = fits_by_group<Space>(group, by_group.row_bytes());
    if (by_groups) {
      launch_by_group(exec, "tessera::spgemm::count_by_group", by_group, bin.count, group,
                      by_group.row_bytes());
      if (!is_large) continue;
    }
    const CountRows<Space, Offset> count{a_offsets, a_columns, b_offsets, b_columns, work.sizes,
                                         bins.rows, bin,       lanes,     num_cols,  by_groups};
    if (!bin.in_scratch) {
      count_bin_by_bits(exec, count);
    } else {
      const int parts = parts_for(exec, bin, lanes, a_length);
      launch_by_team(exec, "tessera::spgemm::count_by_team", count,
                     threads_in_team<Space>(std::max(64, parts * lanes), lanes),
                     count.table_bytes(bin.log2_slots) + 16);
    }
  }
}

}  // namespace tessera::kernels::spgemm_detail
