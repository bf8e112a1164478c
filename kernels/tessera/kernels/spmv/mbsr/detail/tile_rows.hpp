// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The mBSR kernel of a fixed number of lanes per tile row: one thread of a host, or on a device
/// four lanes per tile, lane r for its row r (AmgT paper, section IV.D, algorithm 5), and one to
/// eight tiles of the tile row at a time.
#pragma once

#include "tessera/kernels/spmv/detail/column_dots.hpp"
#include "tessera/kernels/spmv/mbsr/detail/device_tiles.hpp"
#include "tessera/kernels/spmv/mbsr/detail/host_tiles.hpp"
#include "tessera/kernels/spmv/mbsr/detail/tile_groups.hpp"

#include <string>

namespace tessera::kernels::detail {

/// On a host: one thread for a few tile rows.
template <class Storage, class Working, TileLayout layout>
struct ThreadPerTileRows {
  /// Few enough that they stay in the cache while the columns of x take turns.
  static constexpr Ordinal tile_rows_at_once = 64;

  HostTiles<Storage, Working, layout> tiles;
  RowUpdate<Working> update;

  Ordinal num_parts() const { return (tiles.arrays.num_tile_rows() - 1) / tile_rows_at_once + 1; }
  void operator()(Ordinal part) const {
    const Ordinal begin = part * tile_rows_at_once;
    const Ordinal rest = tiles.arrays.num_tile_rows() - begin;
    const Ordinal end = begin + (rest < tile_rows_at_once ? rest : tile_rows_at_once);
    tiles.for_columns(
        [&](auto columns, int c) { this->template multiply<columns.value>(begin, end, c); });
  }

 private:
  /// The updates follow the sums of all rows: one by one they would wait for each other.
  template <int N>
  void multiply(Ordinal begin, Ordinal end, int column) const {
    TileRowSums<typename HostTiles<Storage, Working, layout>::Sum, N> sums[tile_rows_at_once];
    const std::int32_t* const tile_offsets = tiles.arrays.tile_offsets;
    for (Ordinal i = begin; i < end; ++i) {
      tiles.template sum<N>(tile_offsets[i], tile_offsets[i + 1], tiles.first_value(i), column,
                            sums[i - begin]);
    }
    tiles.finish(begin, end - begin, column, sums, update);
  }
};

/// The same for a chunk of rows, which then are still in the cache for inner products u .* v.
template <class Storage, class Working, TileLayout layout, int N>
struct TileRowsAndDots {
  ThreadPerTileRows<Storage, Working, layout> tile_rows;
  Columns<const Working> u;
  Columns<const Working> v;

  void operator()(Ordinal begin, Ordinal end, ColumnSums<double, N>& dot) const {
    constexpr Ordinal rows_at_once = tile_size * decltype(tile_rows)::tile_rows_at_once;
    static_assert(1024 % rows_at_once == 0, "chunks begin at multiples of 1024 rows");
    for (Ordinal row = begin; row < end; row += rows_at_once)
      tile_rows(row / rows_at_once);
    const TileArrays<Storage, Working>& arrays = tile_rows.tiles.arrays;
    for (int c = 0; c < (end > begin ? arrays.active : 0); ++c) {
      const int column = arrays.first_column + c;
      dot.value[c] += ColumnDots<Working, double, 1>::dot_of_chunk(&u(begin, column),
                                                                   &v(begin, column), end - begin);
    }
  }
};

/// On a device: one thread per matrix row; the four of a tile row are neighbours.
template <class Storage, class Working, TileLayout layout, int N>
struct ThreadPerRowOfTiles {
  DeviceTiles<Storage, Working, layout, N> tiles;
  RowUpdate<Working> update;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row) const {
    const TileArrays<Storage, Working>& arrays = tiles.arrays;
    const Ordinal i = row / tile_size;
    const auto sums = tiles.by_thread(arrays.tile_offsets[i], arrays.tile_offsets[i + 1],
                                      tiles.first_value(i), row % tile_size);
    for (int c = 0; c < N; ++c) {
      if (c < arrays.active) update(row, arrays.first_column + c, arrays.scale * sums.value[c]);
    }
  }
};

/// On a device: one team's thread with its lanes a matrix row.
template <class Storage, class Working, TileLayout layout, int N>
struct LanesPerRowOfTiles {
  DeviceTiles<Storage, Working, layout, N> tiles;
  RowUpdate<Working> update;
  int lanes;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const TileArrays<Storage, Working>& arrays = tiles.arrays;
    const std::int64_t row =
        static_cast<std::int64_t>(member.league_rank()) * member.team_size() + member.team_rank();
    if (row >= arrays.num_rows) return;
    const auto i = static_cast<Ordinal>(row / tile_size);
    const auto sums =
        tiles.by_lanes(member, lanes, arrays.tile_offsets[i], arrays.tile_offsets[i + 1],
                       tiles.first_value(i), static_cast<int>(row % tile_size));
    Kokkos::single(Kokkos::PerThread(member), [&] {
      for (int c = 0; c < N; ++c) {
        if (c < arrays.active) {
          update(static_cast<Ordinal>(row), arrays.first_column + c, arrays.scale * sums.value[c]);
        }
      }
    });
  }
};

/// Threads of a team of `lanes` lanes each that together are `threads` lanes; one on a host.
template <class Space>
int team_threads(int threads, int lanes) {
  return is_host_space<Space> ? 1 : threads / lanes;
}

/// update(row, column, (A x)(row, column)) for every row and column, by the lanes of a device.
template <class Storage, class Working, class Space>
void sweep_tile_rows(const Space& exec, const std::string& label, const MbsrSpmvPlan<Space>& plan,
                     const MbsrView<Storage, Space>& A,
                     const ConstMultiVectorView<Working, Space>& x,
                     const RowUpdate<Working>& update) {
  constexpr int lanes_of_a_team = 256;
  const int vector = plan.lanes / tile_size;
  for_tile_groups<16>(
      A.layout, static_cast<int>(x.extent(1)),
      [&](auto layout, auto columns, int first, int active) {
        const auto arrays = tile_arrays<Storage, Working>(plan, A, x, first, active);
        if (plan.lanes <= tile_size) {
          Kokkos::parallel_for(
              label, Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
              ThreadPerRowOfTiles<Storage, Working, layout.value, columns.value>{{arrays}, update});
          return;
        }
        const int rows_per_team = team_threads<Space>(lanes_of_a_team, vector);
        const int num_teams = (A.num_rows - 1) / rows_per_team + 1;
        Kokkos::parallel_for(label,
                             Kokkos::TeamPolicy<Space>(exec, num_teams, rows_per_team, vector),
                             LanesPerRowOfTiles<Storage, Working, layout.value, columns.value>{
                                 {arrays}, update, vector});
      });
}

/// The same by the threads of a host, which take all columns together.
template <class Storage, class Working, class Space>
void sweep_tile_rows_by_threads(const Space& exec, const std::string& label,
                                const MbsrSpmvPlan<Space>& plan, const MbsrView<Storage, Space>& A,
                                const ConstMultiVectorView<Working, Space>& x,
                                const RowUpdate<Working>& update) {
  const auto arrays = tile_arrays<Storage, Working>(plan, A, x, 0, static_cast<int>(x.extent(1)));
  const auto launch = [&](const auto& tile_rows) {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(exec, 0, tile_rows.num_parts()),
                         tile_rows);
  };
  if (A.layout == TileLayout::packed) {
    launch(ThreadPerTileRows<Storage, Working, TileLayout::packed>{{arrays}, update});
  } else {
    launch(ThreadPerTileRows<Storage, Working, TileLayout::dense>{{arrays}, update});
  }
}

}  // namespace tessera::kernels::detail
