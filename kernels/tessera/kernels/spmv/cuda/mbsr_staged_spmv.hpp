// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The packed mBSR product for one vector with tile rows staged in shared memory: what lies
/// together in global memory comes in bulk copies, and a lane then takes whole tiles.
///
/// A part is `32 / lanes` tile rows, one warp's. Its values, columns and maps are three pieces of
/// arrays. Of one tile per lane reads the map, four elements of x (two loads of 16 bytes), and its
/// entries one after another; a step of a warp costs some 80 instructions for up to 32 tiles, less
/// where all of them are diagonal or have one entry, and the next part's offsets are on their way
/// meanwhile. Many warps with one stage each do better than fewer with two, and better than
/// prefetches to L2: docs/notebook/products.md.
#pragma once

#include "tessera/kernels/spmv/cuda/staged_parts.hpp"
#include "tessera/kernels/spmv/mbsr/tile_arrays.hpp"

#include <optional>

namespace tessera::kernels::cuda {

/// The most that a part holds.
struct TilePartSizes {
  std::int32_t tiles = 0;
  std::int32_t entries = 0;
};

/// Where a warp's pieces lie in its shared memory, in bytes; its values follow the barrier.
struct TileStage {
  std::uint32_t columns, maps, end;

  template <class Storage>
  static TileStage of(const TilePartSizes& sizes) {
    constexpr int granule = bulk_granule<TileMap>;
    const std::size_t columns = line_bytes + stage_bytes<Storage>(sizes.entries);
    const std::size_t maps = columns + stage_bytes<Ordinal, granule>(sizes.tiles);
    const std::size_t end = maps + stage_bytes<TileMap, granule>(sizes.tiles);
    return {static_cast<std::uint32_t>(columns), static_cast<std::uint32_t>(maps),
            static_cast<std::uint32_t>(end)};
  }
};

/// A warp for each part, `lanes` lanes per tile row; update(row, column, (A x)(row, column)).
template <class Storage, class Working, int lanes, class Update>
struct StagedTileRows {
  using Sum = Arithmetic<Storage, Working>;

  detail::TileArrays<Storage, Working> arrays;
  Update update;
  TileStage stage;
  int num_parts;
  bool outgrows_cache;

  static constexpr int tile_rows_per_part = 32 / lanes;
  /// Measured on an H200, 7-point 192^3: 4 parts per warp 0.162 ms, 8 0.165, all distributed at
  /// once (24) 0.175; 27-point 128^3: 4 parts 0.178 ms, all at once (21) 0.162.
  static constexpr PartMapping mapping = {.max_parts = 22, .parts_beyond = 4};
  static constexpr bool in_double = sizeof(Sum) == sizeof(double);
  /// Few lanes per tile row are those of short ones, of which most belong to stencils.
  static constexpr bool few_lanes = lanes <= 2;
  /// Steps whose elements of x are asked for at once. Doubles take too many registers for two:
  /// 7-point 128^3 0.0525 -> 0.0558 ms; floats and BF16, 27-point 128^3: 0.096 -> 0.089 ms.
  static constexpr int steps_ahead = few_lanes && !in_double ? 2 : 1;
  /// Of a block: more find each other's x in the cache, fewer are handed out more finely.
  static constexpr int block_warps = !few_lanes ? 2 : in_double ? 6 : 4;
  static constexpr int warps_at_once = in_double ? 36 : steps_ahead > 1 ? 32 : 40;
  static constexpr int blocks_at_once = warps_at_once / block_warps;

#if defined(__CUDACC__)
  /// The parts `warp`, `warp + warps`, …, through the stage at `memory`.
  __device__ __forceinline__ void multiply_parts(unsigned char* memory, int warp, int warps,
                                                 int lane) const {
    CopyBarrier barrier(memory, lane);
    auto* const values = reinterpret_cast<Storage*>(memory + CopyBarrier::bytes);
    auto* const columns = reinterpret_cast<Ordinal*>(memory + stage.columns);
    auto* const maps = reinterpret_cast<TileMap*>(memory + stage.maps);
    const CachePolicy policy(outgrows_cache);
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
        tiles.copy(barrier, columns, arrays.tile_columns, policy);
        tiles.copy(barrier, maps, arrays.maps, policy);
        entries.copy(barrier, values, arrays.values, policy);
      }
      if (tiles.rest() + entries.rest() > 0) {
        tiles.copy_rest(columns, arrays.tile_columns, lane);
        tiles.copy_rest(maps, arrays.maps, lane);
        entries.copy_rest(values, arrays.values, lane);
      }
      const Ordinal* const row_columns = columns + tiles.template place<Ordinal>(next.from);
      const TileMap* const row_maps = maps + tiles.template place<TileMap>(next.from);
      const Storage* const row_values = values + entries.template place<Storage>(next.value);
      next = tile_row(part + warps, lane);
      barrier.wait();

      Sum sums[tile_size] = {};
      add_tiles(sums, num_tiles, row_columns, row_maps, row_values, lane);
      finish(sums, tile_size * tile_rows_per_part * part, lane);
      __syncwarp();  // the stage is free
    }
  }

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
    const Ordinal i = part * tile_rows_per_part + lane / lanes;
    const Ordinal from = i < end ? i : end;
    const Ordinal to = i < end ? i + 1 : end;
    return {arrays.tile_offsets[from], arrays.tile_offsets[to], arrays.value_offsets[from],
            arrays.value_offsets[to]};
  }

  /// The row of its tiles that a lane begins with.
  ///
  /// Of a stencil the values of a tile row begin at a multiple of four, and so do those of most of
  /// its tiles: lanes that all began with the first row would ask the same few banks of shared
  /// memory for it.
  __device__ __forceinline__ static int first_row_of(int lane) {
    constexpr int bank_groups = 128 / (tile_size * sizeof(Storage));
    const int row = lane / lanes;
    if constexpr (lanes == 1) return row / bank_groups % tile_size;
    if constexpr (lanes == 2) return row / bank_groups % 2 * 2 + lane % lanes;
    return lanes == 4 ? lane % lanes : 0;
  }

  /// Lane `l` of a tile row takes the tiles whose number leaves l.
  __device__ __forceinline__ void add_tiles(Sum (&sums)[tile_size], std::int32_t num_tiles,
                                            const Ordinal* columns, const TileMap* maps,
                                            const Storage* values, int lane) const {
    const int l = lane % lanes;
    const int first = first_row_of(lane);
    const int steps = __reduce_max_sync(all_lanes, (num_tiles + lanes - 1) / lanes);
    constexpr int unrolled = lanes > 4 ? 2 : 1;
#pragma unroll unrolled
    for (int step = 0; step < steps; step += steps_ahead) {
      std::uint32_t map[steps_ahead];
      Working x[steps_ahead][tile_size] = {};
#pragma unroll
      for (int ahead = 0; ahead < steps_ahead; ++ahead) {
        const std::int32_t t = (step + ahead) * lanes + l;
        map[ahead] = t < num_tiles ? maps[t] : 0u;
        if (map[ahead] != 0) load_x(x[ahead], columns[t]);
      }
      if constexpr (steps_ahead > 1) __syncwarp();  // no use before the last load
#pragma unroll
      for (int ahead = 0; ahead < steps_ahead; ++ahead) {
        const int entries = count_bits(map[ahead]);
        int through = entries;  // entries of the step's tiles through this one
#pragma unroll
        for (int distance = 1; distance < lanes; distance *= 2) {
          const int before = __shfl_up_sync(all_lanes, through, distance, lanes);
          if (l >= distance) through += before;
        }
        add_tile(sums, map[ahead], values + (through - entries), x[ahead], first);
        values += lanes == 1 ? entries : __shfl_sync(all_lanes, through, lanes - 1, lanes);
      }
    }
    put_in_order(sums, first);
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

  /// sums[i] gets row `first + i` of the tile, or that less four. By all lanes.
  __device__ __forceinline__ static void add_tile(Sum (&sums)[tile_size], std::uint32_t map,
                                                  const Storage* values,
                                                  const Working (&x)[tile_size], int first) {
    if constexpr (few_lanes) {
      if (__all_sync(all_lanes, map == diagonal_map || map == 0)) {
        if (map != 0) add_diagonal(sums, values, x, first);
      } else if (__all_sync(all_lanes, (map & (map - 1)) == 0)) {
        if (map != 0) add_entry(sums, map, values, x, first);
      } else {
        add_entries(sums, map, values, x, first);
      }
    } else {
      add_entries(sums, map, values, x, first);
    }
  }

  /// Entries (0, 0) to (3, 3): what couples the points of one line to those of another, where four
  /// divides the points of a line.
  static constexpr std::uint32_t diagonal_map = 0x8421;

  __device__ __forceinline__ static void add_diagonal(Sum (&sums)[tile_size], const Storage* values,
                                                      const Working (&x)[tile_size], int first) {
    static_assert(tile_size == 4);
    Sum turned[tile_size] = {static_cast<Sum>(x[0]), static_cast<Sum>(x[1]), static_cast<Sum>(x[2]),
                             static_cast<Sum>(x[3])};
    if ((first & 1) != 0) {
      const Sum zeroth = turned[0];
      turned[0] = turned[1];
      turned[1] = turned[2];
      turned[2] = turned[3];
      turned[3] = zeroth;
    }
    if ((first & 2) != 0) {
      Kokkos::kokkos_swap(turned[0], turned[2]);
      Kokkos::kokkos_swap(turned[1], turned[3]);
    }
#pragma unroll
    for (int i = 0; i < tile_size; ++i)
      sums[i] += static_cast<Sum>(values[(first + i) % tile_size]) * turned[i];
  }

  /// Of a tile with one entry: what couples neighbours on a line across the edge of a tile.
  __device__ __forceinline__ static void add_entry(Sum (&sums)[tile_size], std::uint32_t map,
                                                   const Storage* values,
                                                   const Working (&x)[tile_size], int first) {
    const int place = __ffs(static_cast<int>(map)) - 1;
    const Working lower = (place & 1) != 0 ? x[1] : x[0];
    const Working upper = (place & 1) != 0 ? x[3] : x[2];
    const Sum product =
        static_cast<Sum>(*values) * static_cast<Sum>((place & 2) != 0 ? upper : lower);
    const int row = (place / tile_size - first) & (tile_size - 1);
#pragma unroll
    for (int i = 0; i < tile_size; ++i)
      if (row == i) sums[i] += product;
  }

  __device__ __forceinline__ static void add_entries(Sum (&sums)[tile_size], std::uint32_t map,
                                                     const Storage* values,
                                                     const Working (&x)[tile_size], int first) {
    const Storage* value = values + count_bits(map & ((1u << tile_size * first) - 1));
    const std::uint32_t turned = map * 0x10001u >> tile_size * first;
#pragma unroll
    for (int i = 0; i < tile_size; ++i) {
      if (i > 0 && first + i == tile_size) value = values;
#pragma unroll
      for (int j = 0; j < tile_size; ++j) {
        if ((turned >> (tile_size * i + j) & 1u) == 0) continue;
        sums[i] += static_cast<Sum>(*value) * static_cast<Sum>(x[j]);
        ++value;
      }
    }
  }

  /// From sums that begin with row `first`.
  __device__ __forceinline__ static void put_in_order(Sum (&sums)[tile_size], int first) {
    static_assert(tile_size == 4);
    if ((first & 1) != 0) {
      const Sum last = sums[3];
      sums[3] = sums[2];
      sums[2] = sums[1];
      sums[1] = sums[0];
      sums[0] = last;
    }
    if ((first & 2) != 0) {
      Kokkos::kokkos_swap(sums[0], sums[2]);
      Kokkos::kokkos_swap(sums[1], sums[3]);
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
/// lanes per tile row. None where a part does not fit into shared memory or an array is not
/// aligned.
template <int lanes, class Storage, class Working, class Update>
std::optional<StagedLaunch> prepare_staged_tile_rows(
    const Kokkos::Cuda& exec, const TilePartSizes& sizes,
    const detail::TileArrays<Storage, Working>& arrays, const Update& update) {
  using Kernel = StagedTileRows<Storage, Working, lanes, Update>;
  const TileStage stage = TileStage::of<Storage>(sizes);
  if (!fits_stage(exec, Kernel::block_warps, stage.end) || !is_bulk_aligned(arrays.values) ||
      !is_bulk_aligned(arrays.tile_columns) || !is_bulk_aligned(arrays.maps) ||
      !is_bulk_aligned(arrays.x)) {
    return std::nullopt;
  }
  const int num_parts = (arrays.num_tile_rows() - 1) / Kernel::tile_rows_per_part + 1;
  return staged_launch(
      Kernel{arrays, update, stage, num_parts, outgrows_cache(exec, arrays.product_bytes())},
      stage.end);
}

}  // namespace tessera::kernels::cuda
