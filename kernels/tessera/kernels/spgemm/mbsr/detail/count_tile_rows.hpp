// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// First pass of the symbolic phase by teams: how many tiles each tile row of A B has.
#pragma once

#include "tessera/kernels/spgemm/detail/count_rows_impl.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/tile_row_products.hpp"

namespace tessera::kernels::spgemm_detail {

/// Counts the tile rows of one bin (AmgT paper, algorithm 3, step 1).
template <class Space>
struct CountTileRows {
  struct ByVector {};  ///< one row per team thread, hash set in thread scratch
  struct ByTeam {};  ///< one row per team, hash set in team scratch
  struct ByMemory {};  ///< one row per team, one map a tile column in global memory, teams loop
  template <class Tag>
  using Member = typename Kokkos::TeamPolicy<Space, Tag>::member_type;

  TilePatternView<Space> A, B;
  ArrayView<Ordinal, Space> counts;
  ArrayView<const Ordinal, Space> rows;  ///< empty: all rows in natural order
  RowBin bin;
  int lanes;
  ArrayView<unsigned, Space> maps;  ///< ByMemory: num_tile_cols for each team, zero between rows

  KOKKOS_INLINE_FUNCTION Ordinal row_of(Ordinal index) const {
    return rows.extent(0) == 0 ? index : rows(bin.first + index);
  }

  static KOKKOS_INLINE_FUNCTION constexpr int table_bytes(int log2_slots) {
    return static_cast<int>(sizeof(Ordinal)) << log2_slots;
  }

  KOKKOS_FUNCTION void operator()(ByVector, const Member<ByVector>& member) const {
    auto* keys = static_cast<Ordinal*>(
        member.thread_scratch(0).get_shmem_aligned(table_bytes(bin.log2_slots), 8));
    const Ordinal index = member.league_rank() * member.team_size() + member.team_rank();
    if (index < bin.count) count(VectorScope<Member<ByVector>>{member, lanes}, index, keys);
  }

  KOKKOS_FUNCTION void operator()(ByTeam, const Member<ByTeam>& member) const {
    auto* keys = static_cast<Ordinal*>(
        member.team_scratch(0).get_shmem_aligned(table_bytes(bin.log2_slots), 8));
    count(TeamScope<Member<ByTeam>>{member, lanes}, member.league_rank(), keys);
  }

  template <class Scope>
  KOKKOS_INLINE_FUNCTION void count(const Scope& scope, Ordinal index, Ordinal* keys) const {
    const Ordinal row = row_of(index);
    const HashSet set{keys, bin.log2_slots};
    scope.for_each(Ordinal(1) << bin.log2_slots, [&](Ordinal slot) { keys[slot] = empty_slot; });
    write_sum(scope, row, [&](Ordinal column) { return set.insert(column); });
  }

  /// A map is taken out of memory by one of the lanes that reach it: that one counts it.
  KOKKOS_FUNCTION void operator()(ByMemory, const Member<ByMemory>& member) const {
    const TeamScope<Member<ByMemory>> scope{member, lanes};
    unsigned* mine = maps.data() + static_cast<std::size_t>(member.league_rank()) * B.num_tile_cols;
    for (Ordinal index = member.league_rank(); index < bin.count; index += member.league_size()) {
      const Ordinal row = row_of(index);
      join_in_memory(scope, A, B, row, mine);
      write_sum(scope, row,
                [&](Ordinal column) { return Kokkos::atomic_exchange(mine + column, 0u) != 0; });
    }
  }

  template <class Scope, class IsNew>
  KOKKOS_INLINE_FUNCTION void write_sum(const Scope& scope, Ordinal row,
                                        const IsNew& is_new) const {
    const int scope_size = scope.size();
    const Ordinal size = scope.sum(scope_size, [&](Ordinal i, Ordinal& sum) {
      for_each_map(A, B, row, i, scope_size, lanes,
                   [&](Ordinal column, TileMap) { sum += is_new(column); });
    });
    Kokkos::single(Kokkos::PerThread(scope.member), [&]() { counts(row) = size; });
  }
};

template <class Space>
void count_bin_in_memory(const Space& exec, CountTileRows<Space> count) {
  using Functor = CountTileRows<Space>;
  const std::size_t num_cols = count.B.num_tile_cols;
  const Ordinal teams = teams_for_budget<Space>(count.bin.count, sizeof(unsigned) * num_cols);
  const auto maps = allocate<unsigned>(exec, "tessera::spgemm::team_maps", teams * num_cols);
  Kokkos::deep_copy(exec, maps, 0u);
  count.maps = maps;
  Kokkos::parallel_for("tessera::spgemm::count_tiles_in_memory",
                       Kokkos::TeamPolicy<Space, typename Functor::ByMemory, LargeTeams>(
                           exec, teams, threads_in_team<Space>(512, count.lanes), count.lanes),
                       count);
}

/// work.sizes(i) = the number of tiles of tile row i of A B.
template <class Space>
void count_tile_rows(const Space& exec, const TilePatternView<Space>& A,
                     const TilePatternView<Space>& B, const RowWorkspace<Space>& work) {
  bound_row_sizes<Space, std::int32_t>(exec, A.offsets, A.columns, B.offsets, B.num_tile_cols,
                                       work.bounds);
  const SizeHistogram histogram = histogram_of_sizes<Space>(exec, TableFill::full, work.bounds);
  const RowBins<Space> bins = bin_rows<Space>(exec, TableFill::full, histogram,
                                              max_log2_symbolic<Space>(), work.bounds, work.rows);
  const int lanes = lanes_for<Space>(mean_length(B.columns.extent(0), B.offsets.extent(0)));
  const double a_length = mean_length(A.columns.extent(0), A.offsets.extent(0));
  for (const RowBin& bin : bins.bins) {
    const CountTileRows<Space> count{A, B, work.sizes, bins.rows, bin, lanes, {}};
    const int bytes = count.table_bytes(bin.log2_slots) + 16;
    if (!bin.in_scratch) {
      count_bin_in_memory(exec, count);
    } else if (const int parts = parts_for(exec, bin, lanes, a_length);
               parts > 1 || !fits_by_vector<Space>(lanes, bytes)) {
      launch_by_team(exec, "tessera::spgemm::count_tiles_by_team", count,
                     threads_in_team<Space>(std::max(64, parts * lanes), lanes), bytes);
    } else {
      launch_by_vector(exec, "tessera::spgemm::count_tiles_by_vector", count, bytes);
    }
  }
}

}  // namespace tessera::kernels::spgemm_detail
