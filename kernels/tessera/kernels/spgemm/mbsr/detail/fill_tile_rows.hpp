// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Second pass of the symbolic phase by teams: tile columns, sorted, and maps.
#pragma once

#include "tessera/kernels/spgemm/detail/launch.hpp"
#include "tessera/kernels/spgemm/detail/row_table.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/tile_row_products.hpp"

namespace tessera::kernels::spgemm_detail {

/// Fills the tile rows of one bin (AmgT paper, algorithm 3, step 2). Maps are joined by atomics,
/// whose order does not matter.
template <class Space>
struct FillTileRows {
  struct ByVector {};  ///< one row per team thread, hash table in thread scratch
  struct ByTeam {};  ///< one row per team, hash table in team scratch
  struct ByMemory {};  ///< one row per team, one map a tile column in global memory, teams loop
  template <class Tag>
  using Member = typename Kokkos::TeamPolicy<Space, Tag>::member_type;
  using Table = RowTable<unsigned>;
  static constexpr int num_segments = 16;  ///< of the tile columns, each swept by one team thread

  TilePatternView<Space> A, B;
  ArrayView<const Ordinal, Space> rows;  ///< empty: all rows in natural order
  ArrayView<const std::int32_t, Space> offsets;
  ArrayView<Ordinal, Space> columns;
  ArrayView<TileMap, Space> c_maps;
  ArrayView<std::int64_t, Space> entries;
  RowBin bin;
  int lanes;
  ArrayView<unsigned, Space> maps;  ///< ByMemory: num_tile_cols for each team, zero between rows

  KOKKOS_INLINE_FUNCTION Ordinal row_of(Ordinal index) const {
    return rows.extent(0) == 0 ? index : rows(bin.first + index);
  }
  KOKKOS_INLINE_FUNCTION int table_bytes() const { return Table::bytes(bin.log2_slots, 1); }

  KOKKOS_FUNCTION void operator()(ByVector, const Member<ByVector>& member) const {
    void* memory = member.thread_scratch(0).get_shmem_aligned(table_bytes(), 8);
    const Ordinal index = member.league_rank() * member.team_size() + member.team_rank();
    if (index < bin.count) fill(VectorScope<Member<ByVector>>{member, lanes}, index, memory);
  }

  KOKKOS_FUNCTION void operator()(ByTeam, const Member<ByTeam>& member) const {
    void* memory = member.team_scratch(0).get_shmem_aligned(table_bytes(), 8);
    fill(TeamScope<Member<ByTeam>>{member, lanes}, member.league_rank(), memory);
  }

  template <class Scope>
  KOKKOS_INLINE_FUNCTION void fill(const Scope& scope, Ordinal index, void* memory) const {
    const Ordinal row = row_of(index);
    const int log2_slots = bin.log2_slots;
    const auto table = Table::at(memory, log2_slots, 1);
    clear_table(scope, table, log2_slots, 1);
    const int size = scope.size();
    scope.for_each(size, [&](Ordinal i) {
      for_each_map(A, B, row, i, size, lanes, [&](Ordinal column, TileMap product) {
        bool fresh;
        const unsigned slot = find_or_insert(table.keys, log2_slots, column, fresh);
        or_in_scratch(table.sums + slot, product);
      });
    });
    const Ordinal num_entries =
        scope.sum(Ordinal(1) << log2_slots,
                  [&](Ordinal slot, Ordinal& sum) { sum += count_bits(table.sums[slot]); });
    Kokkos::single(Kokkos::PerThread(scope.member), [&]() { entries(row) = num_entries; });
    const std::int32_t begin = offsets(row);
    write_sorted(scope, table, log2_slots, offsets(row + 1) - begin,
                 [&](Ordinal position, Ordinal i) {
                   columns(begin + position) = table.found[i];
                   c_maps(begin + position) = static_cast<TileMap>(table.sums[table.slots[i]]);
                 });
  }

  KOKKOS_FUNCTION void operator()(ByMemory, const Member<ByMemory>& member) const {
    const TeamScope<Member<ByMemory>> scope{member, lanes};
    unsigned* mine = maps.data() + static_cast<std::size_t>(member.league_rank()) * B.num_tile_cols;
    auto* num_tiles = static_cast<Ordinal*>(
        member.team_scratch(0).get_shmem_aligned(num_segments * sizeof(Ordinal), 8));
    auto* num_entries = static_cast<std::int64_t*>(
        member.team_scratch(0).get_shmem_aligned(num_segments * sizeof(std::int64_t), 8));
    for (Ordinal index = member.league_rank(); index < bin.count; index += member.league_size()) {
      const Ordinal row = row_of(index);
      join_in_memory(scope, A, B, row, mine);
      count_segments(member, mine, num_tiles, num_entries);
      write_segments(member, row, mine, num_tiles, num_entries);
    }
  }

  KOKKOS_INLINE_FUNCTION Ordinal segment_begin(int segment) const {
    return static_cast<Ordinal>(std::int64_t(B.num_tile_cols) * segment / num_segments);
  }

  KOKKOS_INLINE_FUNCTION void count_segments(const Member<ByMemory>& member, const unsigned* mine,
                                             Ordinal* num_tiles, std::int64_t* num_entries) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, num_segments), [&](int segment) {
      const Ordinal first = segment_begin(segment);
      const Ordinal last = segment_begin(segment + 1);
      Ordinal tiles = 0;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(member, first, last),
          [&](Ordinal column, Ordinal& sum) { sum += mine[column] != 0; }, tiles);
      std::int64_t set_bits = 0;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(member, first, last),
          [&](Ordinal column, std::int64_t& sum) { sum += count_bits(mine[column]); }, set_bits);
      Kokkos::single(Kokkos::PerThread(member), [&]() {
        num_tiles[segment] = tiles;
        num_entries[segment] = set_bits;
      });
    });
    member.team_barrier();
  }

  KOKKOS_INLINE_FUNCTION void write_segments(const Member<ByMemory>& member, Ordinal row,
                                             unsigned* mine, const Ordinal* num_tiles,
                                             const std::int64_t* num_entries) const {
    Kokkos::single(Kokkos::PerTeam(member), [&]() {
      std::int64_t sum = 0;
      for (int segment = 0; segment < num_segments; ++segment)
        sum += num_entries[segment];
      entries(row) = sum;
    });
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, num_segments), [&](int segment) {
      std::int32_t begin = offsets(row);
      for (int before = 0; before < segment; ++before)
        begin += num_tiles[before];
      const Ordinal first = segment_begin(segment);
      Kokkos::parallel_scan(Kokkos::ThreadVectorRange(member, segment_begin(segment + 1) - first),
                            [&](Ordinal i, Ordinal& position, bool final) {
                              unsigned& map = mine[first + i];
                              if (map == 0) return;
                              if (final) {
                                columns(begin + position) = first + i;
                                c_maps(begin + position) = static_cast<TileMap>(map);
                                map = 0;
                              }
                              ++position;
                            });
    });
    member.team_barrier();
  }
};

template <class Space>
void fill_bin_in_memory(const Space& exec, FillTileRows<Space> fill) {
  using Functor = FillTileRows<Space>;
  const std::size_t num_cols = fill.B.num_tile_cols;
  const Ordinal teams = teams_for_budget<Space>(fill.bin.count, sizeof(unsigned) * num_cols);
  const auto maps = allocate<unsigned>(exec, "tessera::spgemm::team_maps", teams * num_cols);
  Kokkos::deep_copy(exec, maps, 0u);
  fill.maps = maps;
  Kokkos::TeamPolicy<Space, typename Functor::ByMemory, LargeTeams> policy(
      exec, teams, threads_in_team<Space>(Functor::num_segments * fill.lanes, fill.lanes),
      fill.lanes);
  policy.set_scratch_size(
      0, Kokkos::PerTeam(Functor::num_segments * (sizeof(Ordinal) + sizeof(std::int64_t)) + 32));
  Kokkos::parallel_for("tessera::spgemm::fill_tiles_in_memory", policy, fill);
}

/// Tile columns, maps and numbers of entries of the tile rows of A B, whose sizes and offsets
/// `C` holds.
template <class Space>
void fill_tile_rows(const Space& exec, const TilePatternView<Space>& A,
                    const TilePatternView<Space>& B, const SizeHistogram& histogram,
                    const RowWorkspace<Space>& work, const TilePattern<Space>& C) {
  const RowBins<Space> bins =
      bin_rows<Space>(exec, TableFill::three_quarters, histogram,
                      max_log2_numeric<unsigned, Space>(), C.sizes, work.rows);
  const int lanes = lanes_for<Space>(mean_length(B.columns.extent(0), B.offsets.extent(0)));
  const double a_length = mean_length(A.columns.extent(0), A.offsets.extent(0));
  for (const RowBin& bin : bins.bins) {
    const FillTileRows<Space> fill{
        A, B, bins.rows, C.offsets, C.columns, C.maps, C.value_offsets, bin, lanes, {}};
    const int bytes = fill.table_bytes() + 16;
    if (!bin.in_scratch) {
      fill_bin_in_memory(exec, fill);
    } else if (const int parts = parts_for(exec, bin, lanes, a_length);
               parts > 1 || bin.log2_slots > max_log2_by_vector ||
               !fits_by_vector<Space>(lanes, bytes)) {
      launch_by_team(exec, "tessera::spgemm::fill_tiles_by_team", fill,
                     threads_in_team<Space>(std::max(128, parts * lanes), lanes), bytes);
    } else {
      launch_by_vector(exec, "tessera::spgemm::fill_tiles_by_vector", fill, bytes);
    }
  }
}

}  // namespace tessera::kernels::spgemm_detail
