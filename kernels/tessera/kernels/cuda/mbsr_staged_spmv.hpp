// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The packed mBSR product for one vector with tile rows staged in shared memory: what lies
/// together in global memory comes in bulk copies, and a lane then takes whole tiles.
///
/// A part is `32 / lanes` tile rows, one warp's. Its values, columns and maps are three pieces of
/// arrays. Of a tile a lane reads the map, four elements of x (two loads of 16 bytes), and its
/// entries one after another; a step of a warp costs some 80 instructions for up to 32 tiles, and
/// the next part's offsets are on their way meanwhile. Many warps with one stage each do better
/// than fewer with two, and better than prefetches to L2: docs/performance/README.md.
#pragma once

#include "tessera/kernels/cuda/bulk_copy.hpp"
#include "tessera/kernels/spmv/mbsr/tile_arrays.hpp"

#include <string>

namespace tessera::kernels::cuda {

/// The most that a part holds.
struct TilePartSizes {
  std::int32_t tiles = 0;
  std::int32_t entries = 0;
};

/// Bytes of shared memory for one warp.
template <class Storage>
KOKKOS_INLINE_FUNCTION std::size_t tile_stage_bytes(const TilePartSizes& sizes) {
  constexpr int granule = bulk_granule<TileMap>;
  return bulk_bytes + stage_bytes<Storage>(sizes.entries) +
         stage_bytes<Ordinal, granule>(sizes.tiles) + stage_bytes<TileMap>(sizes.tiles);
}

/// A warp for each part, `lanes` lanes a tile row.
template <class Storage, class Working, int lanes>
struct StagedTileRows {
  using Sum = Arithmetic<Storage, Working>;

  detail::TileArrays<Storage, Working> arrays;
  detail::RowUpdate<Working> update;
  TilePartSizes sizes;
  int num_parts;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const std::size_t bytes = tile_stage_bytes<Storage>(sizes);
    [[maybe_unused]] auto* const memory =
        static_cast<unsigned char*>(
            member.team_scratch(0).get_shmem_aligned(bytes * staging_warps, bulk_bytes)) +
        bytes * member.team_rank();
    [[maybe_unused]] const int warp = member.league_rank() * staging_warps + member.team_rank();
    [[maybe_unused]] const int warps = member.league_size() * staging_warps;
    KOKKOS_IF_ON_DEVICE((multiply_parts(memory, warp, warps, threadIdx.x);))
  }

  static constexpr int tile_rows_a_part = 32 / lanes;
  /// Up to 56 registers a thread with sums in double, 48 in float. Measured on an H200, 7-point
  /// 192^3: 8 parts a warp 0.175 ms, one 0.187, all dealt out at once (24) 0.181; 27-point 128^3:
  /// 8 parts 0.193 ms, all at once (20) 0.171.
  static constexpr PartDealing dealing = {
      .most_teams = sizeof(Sum) == sizeof(double) ? 18 : 20, .most_parts = 22, .parts_beyond = 8};

#if defined(__CUDACC__)
 private:
  /// Columns and maps are copied by the same number of tiles.
  static constexpr int tile_granule = bulk_granule<TileMap>;

  /// Of the tile row that a lane helps with.
  struct TileRow {
    std::int32_t from, to;
    std::int64_t value, value_end;
  };

  __device__ __forceinline__ TileRow tile_row(int part, int lane) const {
    const Ordinal end = arrays.num_tile_rows();
    const Ordinal i = part * tile_rows_a_part + lane / lanes;
    const Ordinal from = i < end ? i : end;
    const Ordinal to = i < end ? i + 1 : end;
    return {arrays.tile_offsets[from], arrays.tile_offsets[to], arrays.value_offsets[from],
            arrays.value_offsets[to]};
  }

  __device__ __forceinline__ void multiply_parts(unsigned char* memory, int warp, int warps,
                                                 int lane) const {
    CopyBarrier barrier(memory, lane);
    auto* const values = reinterpret_cast<Storage*>(memory + CopyBarrier::bytes);
    auto* const columns = reinterpret_cast<Ordinal*>(memory + CopyBarrier::bytes +
                                                     stage_bytes<Storage>(sizes.entries));
    auto* const maps = reinterpret_cast<TileMap*>(reinterpret_cast<unsigned char*>(columns) +
                                                  stage_bytes<Ordinal, tile_granule>(sizes.tiles));
    TileRow next = tile_row(warp, lane);
    for (int part = warp; part < num_parts; part += warps) {
      const std::int32_t num_tiles = next.to - next.from;
      const StagedRange<std::int32_t, tile_granule> tiles(
          __shfl_sync(all_lanes, next.from, 0), __shfl_sync(all_lanes, next.to, warp_lanes - 1),
          arrays.num_tiles);
      const StagedRange<std::int64_t, bulk_granule<Storage>> entries(
          __shfl_sync(all_lanes, next.value, 0),
          __shfl_sync(all_lanes, next.value_end, warp_lanes - 1), arrays.num_values);
      if (lane == 0) {
        barrier.expect(entries.template bytes<Storage>() + tiles.template bytes<Ordinal>() +
                       tiles.template bytes<TileMap>());
        tiles.copy(barrier, columns, arrays.tile_columns);
        tiles.copy(barrier, maps, arrays.maps);
        entries.copy(barrier, values, arrays.values);
      }
      tiles.copy_rest(columns, arrays.tile_columns, lane);
      tiles.copy_rest(maps, arrays.maps, lane);
      entries.copy_rest(values, arrays.values, lane);
      const int tile = tiles.place(next.from);
      const int entry = entries.place(next.value);
      next = tile_row(part + warps, lane);
      barrier.wait();

      Sum sums[tile_size] = {};
      add_tiles(sums, num_tiles, columns + tile, maps + tile, values + entry, lane % lanes);
      finish(sums, tile_size * tile_rows_a_part * part, lane);
      __syncwarp();  // the stage is free
    }
  }

  /// Lane `l` of a tile row takes the tiles whose number leaves l.
  __device__ __forceinline__ void add_tiles(Sum (&sums)[tile_size], std::int32_t num_tiles,
                                            const Ordinal* columns, const TileMap* maps,
                                            const Storage* values, int l) const {
    const int steps = __reduce_max_sync(all_lanes, (num_tiles + lanes - 1) / lanes);
    constexpr int unrolled = lanes < 4 ? 1 : 2;
#pragma unroll unrolled
    for (int step = 0; step < steps; ++step) {
      const std::int32_t t = step * lanes + l;
      const std::uint32_t map = t < num_tiles ? maps[t] : 0u;
      Working x[tile_size] = {};
      if (map != 0) load_x(x, columns[t]);
      const int entries = count_bits(map);
      int through = entries;  // entries of the step's tiles through this one
#pragma unroll
      for (int distance = 1; distance < lanes; distance *= 2) {
        const int before = __shfl_up_sync(all_lanes, through, distance, lanes);
        if (l >= distance) through += before;
      }
      add_entries(sums, map, values + (through - entries), x);
      values += lanes == 1 ? entries : __shfl_sync(all_lanes, through, lanes - 1, lanes);
    }
  }

  /// The elements of x for a tile's columns; those beyond the matrix stay as they are.
  __device__ __forceinline__ void load_x(Working (&x)[tile_size], Ordinal tile_column) const {
    const Working* const from = arrays.x + static_cast<std::size_t>(tile_size) * tile_column;
    constexpr int loads = sizeof(x) / bulk_bytes;
    if (tile_size * tile_column + tile_size <= arrays.num_cols) {
#pragma unroll
      for (int i = 0; i < loads; ++i) {
        const int4 bits = __ldg(reinterpret_cast<const int4*>(from) + i);
        __builtin_memcpy(x + i * (tile_size / loads), &bits, sizeof(bits));
      }
    } else {
      for (int j = 0; j < tile_size; ++j)
        if (tile_size * tile_column + j < arrays.num_cols) x[j] = from[j];
    }
  }

  __device__ __forceinline__ static void add_entries(Sum (&sums)[tile_size], std::uint32_t map,
                                                     const Storage* values,
                                                     const Working (&x)[tile_size]) {
#pragma unroll
    for (int place = 0; place < tile_places; ++place) {
      if ((map >> place & 1u) == 0) continue;
      sums[place / tile_size] += static_cast<Sum>(*values) * static_cast<Sum>(x[place % tile_size]);
      ++values;
    }
  }

  /// Adds up the sums of each tile row's lanes, for a part whose rows begin at `first_row`.
  __device__ __forceinline__ void finish(Sum (&sums)[tile_size], Ordinal first_row,
                                         int lane) const {
    const int l = lane % lanes;
#pragma unroll
    for (int distance = tile_size; distance < lanes; distance *= 2) {
#pragma unroll
      for (int r = 0; r < tile_size; ++r)
        sums[r] += __shfl_xor_sync(all_lanes, sums[r], distance);
    }
    if constexpr (lanes == 1) {
      store_in_order(sums, first_row, lane);
    } else {
      constexpr int half = lanes == 2 ? 1 : 2;
      const bool second = (l & half) != 0;
      const Sum lower = keep_one(sums[0], sums[2], second, half);
      const Sum upper = keep_one(sums[1], sums[3], second, half);
      if constexpr (lanes == 2) {
        const Sum both[] = {lower, upper};
        store_in_order(both, first_row, lane);
      } else {
        const Sum sum = keep_one(lower, upper, (l & 1) != 0, 1);
        if (l < tile_size) store(first_row + tile_size * (lane / lanes) + l, sum);
      }
    }
  }

  /// Stores `n` consecutive rows of each lane, a warp's consecutive rows at a time: stores of parts
  /// of a sector would have it read first.
  template <int n>
  __device__ __forceinline__ void store_in_order(const Sum (&sums)[n], Ordinal first_row,
                                                 int lane) const {
#pragma unroll
    for (int i = 0; i < n; ++i) {
      const int source = (warp_lanes * i + lane) / n;
      Sum sum = 0;
#pragma unroll
      for (int place = 0; place < n; ++place) {
        const Sum other = __shfl_sync(all_lanes, sums[place], source);
        if (lane % n == place) sum = other;
      }
      store(first_row + warp_lanes * i + lane, sum);
    }
  }

  /// The sum of one of two over this lane and the one at `distance`, which keeps the other.
  __device__ __forceinline__ static Sum keep_one(Sum first, Sum second, bool is_second,
                                                 int distance) {
    const Sum others = __shfl_xor_sync(all_lanes, is_second ? first : second, distance);
    return (is_second ? second : first) + others;
  }

  __device__ __forceinline__ void store(Ordinal row, Sum sum) const {
    if (row < arrays.num_rows) update(row, arrays.first_column, arrays.scale * sum);
  }
#endif
};

/// update(row, column, (A x)(row, column)) for every row and the one active column, by `lanes`
/// lanes a tile row. Returns false, and does nothing, where a part does not fit into shared memory
/// or an array is not aligned.
template <int lanes, class Storage, class Working>
bool sweep_staged_tile_rows(const Kokkos::Cuda& exec, const std::string& label,
                            const TilePartSizes& sizes,
                            const detail::TileArrays<Storage, Working>& arrays,
                            const detail::RowUpdate<Working>& update) {
  using Kernel = StagedTileRows<Storage, Working, lanes>;
  const std::size_t team_bytes = staging_warps * tile_stage_bytes<Storage>(sizes);
  if (!fits_stage(exec, team_bytes) || !is_bulk_aligned(arrays.values) ||
      !is_bulk_aligned(arrays.tile_columns) || !is_bulk_aligned(arrays.maps) ||
      !is_bulk_aligned(arrays.x)) {
    return false;
  }
  const int num_parts = (arrays.num_tile_rows() - 1) / Kernel::tile_rows_a_part + 1;
  Kokkos::parallel_for(
      label,
      Kokkos::TeamPolicy<Kokkos::Cuda>(
          exec, staging_teams(exec, num_parts, team_bytes, Kernel::dealing), staging_warps, 32)
          .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(team_bytes) + bulk_bytes)),
      Kernel{arrays, update, sizes, num_parts});
  return true;
}

}  // namespace tessera::kernels::cuda
