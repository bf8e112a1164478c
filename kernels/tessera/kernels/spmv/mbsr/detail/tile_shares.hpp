// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The load-balanced mBSR kernel: an equal number of tiles per share (AmgT paper, section IV.D.1,
/// where a warp's share is 64 tiles).
///
/// Shares are counted along the merge path of tiles and ends of tile rows, as detail/load_balanced
/// .hpp counts entries and row ends. A tile row that lies in several shares is finished by a second
/// kernel from their partial sums, in the shares' order, so that no atomics are needed.
#pragma once

#include "tessera/kernels/spmv/mbsr/detail/device_tiles.hpp"
#include "tessera/kernels/spmv/mbsr/detail/host_tiles.hpp"
#include "tessera/kernels/spmv/mbsr/detail/tile_rows.hpp"
#include "tessera/kernels/spmv/mbsr/mbsr_format.hpp"

#include <string>

namespace tessera::kernels::detail {

/// The most columns of one load-balanced pass: it bounds the workspace.
inline constexpr int max_balanced_tile_columns = 4;

/// The division into shares, and their partial sums.
template <class Sum>
struct TileShares {
  const std::int32_t* tile_offsets;
  const Ordinal* first_row;
  const std::int64_t* first_value;
  Sum* head;  ///< of the first tile row that a share finishes, if another began it
  Sum* tail;  ///< of the tile row that a share begins or continues, and does not finish
  std::size_t steps_per_share;
  std::size_t steps;
  int count;

  KOKKOS_INLINE_FUNCTION std::int32_t first_tile(int share) const {
    const std::size_t step = share * steps_per_share;
    return static_cast<std::int32_t>((step < steps ? step : steps) - first_row[share]);
  }
  /// The tiles that `share` has of tile row `i`.
  KOKKOS_INLINE_FUNCTION std::int32_t from(int share, Ordinal i) const {
    return Kokkos::max(first_tile(share), tile_offsets[i]);
  }
  KOKKOS_INLINE_FUNCTION std::int32_t to(int share, Ordinal i) const {
    return i < first_row[share + 1] ? tile_offsets[i + 1] : first_tile(share + 1);
  }
  /// True where another share began tile row `i`, whose end or a middle part `share` has.
  KOKKOS_INLINE_FUNCTION bool continues(int share, Ordinal i) const {
    return tile_offsets[i] < first_tile(share);
  }
  /// The place of a partial sum.
  KOKKOS_INLINE_FUNCTION std::size_t place(int share, int r, int c) const {
    return share + static_cast<std::size_t>(c * tile_size + r) * count;
  }
  /// True where `share` has all of tile row `i`.
  KOKKOS_INLINE_FUNCTION bool is_whole(int share, Ordinal i) const {
    return i != first_row[share + 1] && !continues(share, i);
  }
  /// Keeps the sum of what `share` has of row `r` of tile row `i`, which is not the whole.
  KOKKOS_INLINE_FUNCTION void store_part(int share, Ordinal i, int r, int c, Sum sum) const {
    (i == first_row[share + 1] ? tail : head)[place(share, r, c)] = sum;
  }
  /// The share where the tile row begins that `share` finishes for others; `share` where it
  /// finishes none.
  KOKKOS_INLINE_FUNCTION int first_share(int share) const {
    const Ordinal i = first_row[share];
    if (i == first_row[share + 1] || !continues(share, i)) return share;
    return static_cast<int>((static_cast<std::size_t>(tile_offsets[i]) + i) / steps_per_share);
  }
};

/// On a host: one thread per share.
template <class Storage, class Working, TileLayout layout>
struct ThreadPerTileShare {
  using Tiles = HostTiles<Storage, Working, layout>;
  Tiles tiles;
  RowUpdate<Working> update;
  TileShares<typename Tiles::Sum> shares;

  void operator()(int share) const {
    tiles.for_columns([&](auto columns, int c) {
      for (Ordinal i = shares.first_row[share]; i <= shares.first_row[share + 1]; ++i)
        multiply<columns.value>(share, i, c);
    });
  }

 private:
  template <int N>
  void multiply(int share, Ordinal i, int column) const {
    const std::int32_t from = shares.from(share, i);
    const std::int32_t to = shares.to(share, i);
    const std::int64_t value = from < to ? first_value(share, i) : 0;
    TileRowSums<typename Tiles::Sum, N> sums;
    tiles.template sum<N>(from, to, value, column, sums);
    if (shares.is_whole(share, i)) {
      tiles.finish(i, 1, column, &sums, update);
      return;
    }
    for (int c = 0; c < N; ++c) {
      for (int r = 0; r < tile_size; ++r)
        shares.store_part(share, i, r, column + c, tiles.arrays.scale * sums.value[c][r]);
    }
  }
  std::int64_t first_value(int share, Ordinal i) const {
    if constexpr (layout == TileLayout::packed) {
      if (shares.continues(share, i)) return shares.first_value[share];
    }
    return tiles.first_value(i);
  }
};

/// On a device: four threads of one team per share, thread r for row r of its tiles, each with
/// lanes.
template <class Storage, class Working, TileLayout layout, int N>
struct LanesPerTileShare {
  using Tiles = DeviceTiles<Storage, Working, layout, N>;
  Tiles tiles;
  RowUpdate<Working> update;
  TileShares<typename Tiles::Sum> shares;
  int lanes;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const std::int64_t thread =
        static_cast<std::int64_t>(member.league_rank()) * member.team_size() + member.team_rank();
    const auto share = static_cast<int>(thread / tile_size);
    if (share >= shares.count) return;
    const auto r = static_cast<int>(thread % tile_size);
    for (Ordinal i = shares.first_row[share]; i <= shares.first_row[share + 1]; ++i)
      sum_tile_row(member, share, i, r);
  }

  template <class Member>
  KOKKOS_INLINE_FUNCTION void sum_tile_row(const Member& member, int share, Ordinal i,
                                           int r) const {
    const TileArrays<Storage, Working>& arrays = tiles.arrays;
    const std::int32_t from = shares.from(share, i);
    const std::int32_t to = shares.to(share, i);
    std::int64_t value = 0;
    if (layout == TileLayout::packed && from < to) {
      value = shares.continues(share, i) ? shares.first_value[share] : arrays.value_offsets[i];
    }
    const auto sums = tiles.by_lanes(member, lanes, from, to, value, r);
    Kokkos::single(Kokkos::PerThread(member), [&] {
      for (int c = 0; c < N; ++c) {
        if (c < arrays.active) store(share, i, r, c, arrays.scale * sums.value[c]);
      }
    });
  }

  KOKKOS_INLINE_FUNCTION void store(int share, Ordinal i, int r, int c,
                                    typename Tiles::Sum sum) const {
    const Ordinal row = tile_size * i + r;
    if (!shares.is_whole(share, i)) {
      shares.store_part(share, i, r, c, sum);
    } else if (row < tiles.arrays.num_rows) {
      update(row, tiles.arrays.first_column + c, sum);
    }
  }
};

/// Finishes the tile rows that lie in several shares: one team's thread per share and row, its
/// lanes the shares.
template <class Sum, class Working>
struct FinishTileRows {
  TileShares<Sum> shares;
  RowUpdate<Working> update;
  Ordinal num_rows;
  int first_column;
  int active;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const std::int64_t thread =
        static_cast<std::int64_t>(member.league_rank()) * member.team_size() + member.team_rank();
    const auto share = static_cast<int>(thread / tile_size);
    if (share >= shares.count) return;
    const auto r = static_cast<int>(thread % tile_size);
    const int first = shares.first_share(share);
    const Ordinal row = tile_size * shares.first_row[share] + r;
    if (first == share || row >= num_rows) return;
    for (int c = 0; c < active; ++c) {
      Sum sum = 0;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(member, first, share),
          [&](const int other, Sum& mine) { mine += shares.tail[shares.place(other, r, c)]; }, sum);
      Kokkos::single(Kokkos::PerThread(member), [&] {
        update(row, first_column + c, sum + shares.head[shares.place(share, r, c)]);
      });
    }
  }
};

/// As `sweep_tile_rows`, by shares, on a host by its threads unless `teams`.
template <bool teams, class Storage, class Working, class Space>
void sweep_tile_shares(const Space& exec, const std::string& label, const MbsrSpmvPlan<Space>& plan,
                       const MbsrView<Storage, Space>& A,
                       const ConstMultiVectorView<Working, Space>& x,
                       const RowUpdate<Working>& update) {
  using Sum = typename TileArrays<Storage, Working>::Sum;
  const int count = static_cast<int>(plan.first_row.extent(0)) - 1;
  auto* const head = reinterpret_cast<Sum*>(plan.workspace.data());
  Sum* const tail = head + static_cast<std::size_t>(count) * tile_size * max_balanced_tile_columns;
  const TileShares<Sum> shares{A.tile_offsets.data(),
                               plan.first_row.data(),
                               plan.first_value.data(),
                               head,
                               tail,
                               plan.steps_per_share,
                               static_cast<std::size_t>(A.num_tiles) + A.num_tile_rows(),
                               count};
  constexpr int lanes_of_a_team = 128;
  constexpr int warp = 32;
  const auto team_policy = [&](int vector) {
    const int threads = team_threads<Space>(lanes_of_a_team, vector);
    const std::int64_t wanted = static_cast<std::int64_t>(count) * tile_size;
    return Kokkos::TeamPolicy<Space>(exec, static_cast<int>((wanted - 1) / threads + 1), threads,
                                     vector);
  };
  const auto pass = [&](auto layout, auto columns, int first, int active) {
    const auto arrays = tile_arrays<Storage, Working>(plan, A, x, first, active);
    if constexpr (teams) {
      Kokkos::parallel_for(label, team_policy(tiles_per_window),
                           LanesPerTileShare<Storage, Working, layout.value, columns.value>{
                               {arrays}, update, shares, tiles_per_window});
    } else {
      Kokkos::parallel_for(
          label, Kokkos::RangePolicy<Space>(exec, 0, count),
          ThreadPerTileShare<Storage, Working, layout.value>{{arrays}, update, shares});
    }
    Kokkos::parallel_for(label + "_finish", team_policy(warp),
                         FinishTileRows<Sum, Working>{shares, update, A.num_rows, first, active});
  };
  for_tile_groups<max_balanced_tile_columns>(A.layout, static_cast<int>(x.extent(1)), pass);
}

}  // namespace tessera::kernels::detail
