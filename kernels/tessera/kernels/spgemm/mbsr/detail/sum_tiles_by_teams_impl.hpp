// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of sum_tiles_by_teams.
#pragma once

#include "tessera/kernels/spgemm/detail/hash_table.hpp"
#include "tessera/kernels/spgemm/detail/launch.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/sum_tiles.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/tile_row_workspace.hpp"

namespace tessera::kernels::spgemm_detail {

/// Sums the tile rows of one bin (AmgT paper, algorithm 4, without its tensor cores). The tiles of
/// A's row come one after the other, so that each sum has its products in a fixed order.
template <class StorageA, class StorageB, class StorageC, class Space>
struct SumTileRows {
  struct ByVector {};  ///< one row per team thread, sums in thread scratch
  struct ByTeam {};  ///< one row per team, sums in team scratch
  struct ByMemory {};  ///< one row per team, sums in the plan's workspace, teams loop over rows
  template <class Tag>
  using Member = typename Kokkos::TeamPolicy<Space, Tag>::member_type;
  using Scalar = ProductArithmetic<StorageA, StorageB, StorageC>;
  using Workspace = TileRowWorkspace<Scalar>;
  using Scratch = ProductScratch<Scalar>;

  MbsrView<StorageA, Space> A;
  MbsrView<StorageB, Space> B;
  MbsrView<StorageC, Space> C;
  StorageC* values;
  double scale;
  const std::int64_t* b_starts;
  ArrayView<const Ordinal, Space> rows;  ///< empty: all rows in natural order
  RowBin bin;
  int lanes;
  Scalar* sums;  ///< ByMemory: 16 for each of `longest` tiles of each team
  std::int64_t* starts;  ///< ByMemory: `longest` for each team
  std::size_t longest;

  KOKKOS_INLINE_FUNCTION Ordinal row_of(Ordinal index) const {
    return rows.extent(0) == 0 ? index : rows(bin.first + index);
  }

  KOKKOS_FUNCTION void operator()(ByVector, const Member<ByVector>& member) const {
    void* memory = member.thread_scratch(0).get_shmem_aligned(scratch_bytes(), 8);
    const Ordinal index = member.league_rank() * member.team_size() + member.team_rank();
    if (index >= bin.count) return;
    fill_in_scratch(VectorScope<Member<ByVector>>{member, lanes}, row_of(index), memory);
  }

  KOKKOS_FUNCTION void operator()(ByTeam, const Member<ByTeam>& member) const {
    void* memory = member.team_scratch(0).get_shmem_aligned(scratch_bytes(), 8);
    fill_in_scratch(TeamScope<Member<ByTeam>>{member, lanes}, row_of(member.league_rank()), memory);
  }

  KOKKOS_FUNCTION void operator()(ByMemory, const Member<ByMemory>& member) const {
    const TeamScope<Member<ByMemory>> scope{member, lanes};
    const auto scratch = Scratch::at(member.team_scratch(0).get_shmem_aligned(Scratch::bytes(), 8));
    const std::size_t team = member.league_rank();
    for (Ordinal index = member.league_rank(); index < bin.count; index += member.league_size()) {
      const Ordinal row = row_of(index);
      const TileRowSums<Scalar> c{sums + team * longest * tile_places,
                                  C.tile_columns.data() + C.tile_offsets(row), row_size(row)};
      fill(scope, row, c, starts + team * longest, scratch);
    }
  }

  /// Of a row whose sums lie in scratch.
  KOKKOS_INLINE_FUNCTION int scratch_bytes() const {
    return Scratch::bytes() + Workspace::bytes(bin.log2_slots);
  }

  KOKKOS_INLINE_FUNCTION Ordinal row_size(Ordinal row) const {
    return C.tile_offsets(row + 1) - C.tile_offsets(row);
  }

  template <class Scope>
  KOKKOS_INLINE_FUNCTION void fill_in_scratch(const Scope& scope, Ordinal row, void* memory) const {
    const auto scratch = Scratch::at(memory);
    const auto work =
        Workspace::at(static_cast<unsigned char*>(memory) + Scratch::bytes(), bin.log2_slots);
    const std::int32_t first = C.tile_offsets(row);
    const TileRowSums<Scalar> c{work.sums, work.columns, row_size(row)};
    scope.for_each(c.size, [&](Ordinal i) { work.columns[i] = C.tile_columns(first + i); });
    fill(scope, row, c, work.starts, scratch);
  }

  template <class Scope>
  KOKKOS_INLINE_FUNCTION void fill(const Scope& scope, Ordinal row, const TileRowSums<Scalar>& c,
                                   std::int64_t* row_starts, const Scratch& scratch) const {
    const std::int64_t num_places = static_cast<std::int64_t>(c.size) * tile_places;
    scope.for_each(num_places, [&](std::int64_t i) { c.sums[i] = Scalar(0); });
    sum_products(scope, row, c, scratch);
    if (C.layout == TileLayout::packed) {
      start_tiles_of_row(scope, row, c.size, row_starts);
      write_packed(scope, row, c, row_starts);
    } else {
      write_dense(scope, row, c);
    }
  }

  /// A tile of A, with the tile row of B that it meets.
  struct TileOfA {
    std::uint32_t map;
    std::int32_t b_begin, b_end;
  };

  KOKKOS_INLINE_FUNCTION TileOfA tile_of_a(std::int32_t t) const {
    const Ordinal b_row = A.tile_columns(t);
    return {A.maps(t), B.tile_offsets(b_row), B.tile_offsets(b_row + 1)};
  }

  template <class Scope>
  KOKKOS_INLINE_FUNCTION void sum_products(const Scope& scope, Ordinal row,
                                           const TileRowSums<Scalar>& c,
                                           const Scratch& scratch) const {
    const bool packed = A.layout == TileLayout::packed;
    const std::int32_t first = A.tile_offsets(row);
    const std::int32_t last = A.tile_offsets(row + 1);
    if (first == last) return;
    const StorageA* a =
        A.values.data() + (packed ? A.value_offsets(row) : std::int64_t(tile_places) * first);
    TileOfA next = tile_of_a(first);
    for (std::int32_t t = first; t < last; ++t) {
      const TileOfA tile = next;
      if (t + 1 < last) next = tile_of_a(t + 1);
      for (std::int32_t b = tile.b_begin; b < tile.b_end; b += matched_at_once) {
        const int left = tile.b_end - b;
        const int count = left < matched_at_once ? left : matched_at_once;
        if (b == tile.b_begin) {
          expand_and_match(scope, tile.map, a, packed, b, count, c, scratch);
        } else {
          scope.for_each(count, [&](int i) { scratch.matched[i] = match(tile.map, b + i, c); });
        }
        PlainTileProduct{}(scope, ExpandedTile<Scalar>{tile.map, scratch.a}, scratch.matched, count,
                           B, c);
      }
      a += packed ? count_bits(tile.map) : tile_places;
    }
  }

  /// Puts the tile of A and the first tiles of B into scratch.
  template <class Scope>
  KOKKOS_INLINE_FUNCTION void expand_and_match(const Scope& scope, std::uint32_t a_map,
                                               const StorageA* a, bool packed, std::int32_t b,
                                               int count, const TileRowSums<Scalar>& c,
                                               const Scratch& scratch) const {
    scope.for_each(count > tile_places ? count : tile_places, [&](int i) {
      if (i < tile_places) {
        const bool there = (a_map >> i & 1u) != 0;
        const int offset = packed ? entries_before(a_map, i) : i;
        scratch.a[i] = there ? static_cast<Scalar>(a[offset]) : Scalar(0);
      }
      if (i < count) scratch.matched[i] = match(a_map, b + i, c);
    });
  }

  KOKKOS_INLINE_FUNCTION MatchedTile match(std::uint32_t a_map, std::int32_t b,
                                           const TileRowSums<Scalar>& c) const {
    const std::uint32_t b_map = B.maps(b);
    const std::int64_t start =
        B.layout == TileLayout::packed ? b_starts[b] : std::int64_t(tile_places) * b;
    // C lacks the tile that no entry reaches.
    const bool reached = multiply_maps(a_map, b_map) != 0;
    return {start, b_map, reached ? c.tile_of(B.tile_columns(b)) : -1};
  }

  /// Zero where a place is not in the map.
  template <class Scope>
  KOKKOS_INLINE_FUNCTION void write_dense(const Scope& scope, Ordinal row,
                                          const TileRowSums<Scalar>& c) const {
    const std::int32_t first = C.tile_offsets(row);
    StorageC* const target = values + std::int64_t(tile_places) * first;
    scope.for_each(static_cast<std::int64_t>(c.size) * tile_places, [&](std::int64_t i) {
      const std::uint32_t map = C.maps(first + i / tile_places);
      const bool there = (map >> (i % tile_places) & 1u) != 0;
      target[i] = there ? rounded(c.sums[i]) : StorageC(0);
    });
  }

  /// row_starts[i] = the entries of the row before its tile i. By the lanes of one team thread.
  template <class Scope>
  KOKKOS_INLINE_FUNCTION void start_tiles_of_row(const Scope& scope, Ordinal row, Ordinal size,
                                                 std::int64_t* row_starts) const {
    const std::int32_t first = C.tile_offsets(row);
    scope.for_each_part(1, [&](int) {
      Kokkos::parallel_scan(Kokkos::ThreadVectorRange(scope.member, size),
                            [&](Ordinal i, std::int64_t& sum, bool final) {
                              if (final) row_starts[i] = sum;
                              sum += count_bits(C.maps(first + i));
                            });
    });
    scope.for_each(0, [](int) {});  // a scan does not end in step
  }

  template <class Scope>
  KOKKOS_INLINE_FUNCTION void write_packed(const Scope& scope, Ordinal row,
                                           const TileRowSums<Scalar>& c,
                                           const std::int64_t* row_starts) const {
    const std::int32_t first = C.tile_offsets(row);
    StorageC* const target = values + C.value_offsets(row);
    scope.for_each(static_cast<std::int64_t>(c.size) * tile_places, [&](std::int64_t i) {
      const auto tile = static_cast<Ordinal>(i / tile_places);
      const auto place = static_cast<int>(i % tile_places);
      const std::uint32_t map = C.maps(first + tile);
      if ((map >> place & 1u) == 0) return;
      target[row_starts[tile] + entries_before(map, place)] = rounded(c.sums[i]);
    });
  }

  KOKKOS_INLINE_FUNCTION StorageC rounded(Scalar sum) const {
    return static_cast<StorageC>(static_cast<double>(sum) * scale);
  }
};

/// The lanes that a row's team has: more for longer rows, and where rows are too few for a warp
/// each to fill the device.
template <class Space>
int lanes_for_sums(const Space& exec, const RowBin& bin) {
  const bool few_rows = !is_host_space<Space> && bin.count * std::int64_t(64) < exec.concurrency();
  if (bin.log2_slots <= max_log2_one_warp) return few_rows ? 128 : 32;
  return bin.log2_slots <= max_log2_one_warp + 2 ? 128 : 256;
}

template <class Space, class Functor>
void sum_bin_of_tile_rows(const Space& exec, const MbsrSpgemmPlan<Space>& plan,
                          const Functor& functor) {
  const int lanes = functor.lanes;
  if (!functor.bin.in_scratch) {
    const int threads = threads_in_team<Space>(largest_team, lanes);
    const auto teams = workspace_teams<Space>(functor.bin.count, plan.longest);
    Kokkos::TeamPolicy<Space, typename Functor::ByMemory, LargeTeams> policy(exec, teams, threads,
                                                                             lanes);
    policy.set_scratch_size(0, Kokkos::PerTeam(Functor::Scratch::bytes() + 16));
    Kokkos::parallel_for("tessera::spgemm::sum_tiles_in_memory", policy, functor);
    return;
  }
  const int bytes = functor.scratch_bytes() + 16;
  const int wanted = lanes_for_sums(exec, functor.bin);
  if (wanted > 32 || !fits_by_vector<Space>(lanes, bytes)) {
    launch_by_team(exec, "tessera::spgemm::sum_tiles_by_team", functor,
                   threads_in_team<Space>(wanted, lanes), bytes);
  } else {
    launch_by_vector(exec, "tessera::spgemm::sum_tiles_by_vector", functor, bytes);
  }
}

template <class StorageA, class StorageB, class StorageC, class Space>
void sum_tiles_by_teams(const Space& exec, const MbsrSpgemmPlan<Space>& plan,
                        const MbsrView<StorageA, Space>& A, const MbsrView<StorageB, Space>& B,
                        const Mbsr<StorageC, Space>& C) {
  using Functor = SumTileRows<StorageA, StorageB, StorageC, Space>;
  const int lanes = is_host_space<Space> ? 1 : 32;
  for (const RowBin& bin : plan.bins.bins) {
    sum_bin_of_tile_rows(
        exec, plan,
        Functor{A, B, C.view(), C.values.data(), product_scale(A, B, C), plan.b_starts.data(),
                plan.bins.rows, bin, lanes, sums_of<typename Functor::Scalar>(plan),
                plan.starts.data(), static_cast<std::size_t>(plan.longest)});
  }
}

}  // namespace tessera::kernels::spgemm_detail
