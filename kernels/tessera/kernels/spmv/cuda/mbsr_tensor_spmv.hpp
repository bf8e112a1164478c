// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The mBSR product by FP64 tensor cores, for sums in double: one warp per tile row, two tiles per
/// instruction (AmgT paper, section IV.D.2).
///
/// Every storage scalar goes through the one FP64 instruction: an x in double would take five
/// pieces of an instruction with operands of 11 bits. The memory does not notice: an instruction
/// multiplies 32 places of A for a load of one value per lane.
#pragma once

#include "tessera/kernels/spmv/cuda/tile_pair.hpp"
#include "tessera/kernels/spmv/mbsr/tile_arrays.hpp"

#include <string>
#include <type_traits>

namespace tessera::kernels::cuda {

/// One warp per tile row. `arrays` has up to `TilePair::max_columns` active columns.
template <class Storage, class Working, TileLayout layout>
struct TensorTileRows {
  detail::TileArrays<Storage, Working> arrays;
  detail::RowUpdate<Working> update;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const Ordinal i = member.league_rank() * member.team_size() + member.team_rank();
    if (i >= arrays.num_tile_rows()) return;  // the same for all lanes of a warp
    KOKKOS_IF_ON_DEVICE((multiply(i, threadIdx.x);))
  }

#if defined(__CUDACC__)
 private:
  static constexpr unsigned all_lanes = 0xffffffffu;

  __device__ __forceinline__ void multiply(Ordinal i, int lane) const {
    const std::int32_t to = arrays.tile_offsets[i + 1];
    std::int64_t value = layout == TileLayout::packed ? arrays.value_offsets[i] : 0;
    double c[2] = {0, 0};
#pragma unroll 4
    for (std::int32_t first = arrays.tile_offsets[i]; first < to; first += 2) {
      const std::int32_t t = first + TilePair::tile(lane);
      const std::uint32_t map = t < to ? arrays.maps[t] : 0u;
      const int entries = count_bits(map);
      const int of_first = __shfl_sync(all_lanes, entries, 0);
      const int of_second = __shfl_sync(all_lanes, entries, MmaF64::lanes / 2);
      const double a = element(t, map, value + (TilePair::tile(lane) == 0 ? 0 : of_first), lane);
      multiply_add(c, a, x_element(t, map, lane));
      value += of_first + of_second;
    }
    finish(i, lane, c);
  }

  /// The value that this lane holds of tile `t`, whose packed values begin at `value`.
  __device__ __forceinline__ double element(std::int32_t t, std::uint32_t map, std::int64_t value,
                                            int lane) const {
    const int place = TilePair::place(lane);
    if ((map >> place & 1u) == 0) return 0;
    const std::int64_t at = layout == TileLayout::packed
                                ? value + entries_before(map, place)
                                : static_cast<std::int64_t>(tile_places) * t + place;
    return static_cast<double>(arrays.values[at]);
  }

  /// The element of x that this lane holds; 0 in a column of the tile without entries, which may
  /// lie beyond the last column of the matrix.
  __device__ __forceinline__ double x_element(std::int32_t t, std::uint32_t map, int lane) const {
    const int row = TilePair::x_row(lane);
    const int column = TilePair::x_column(lane);
    constexpr std::uint32_t tile_column = 0x1111u;
    if ((map >> row & tile_column) == 0 || column >= arrays.active) return 0;
    return static_cast<double>(
        arrays.x[static_cast<std::size_t>(arrays.tile_columns[t]) * tile_size + row +
                 column * arrays.ldx]);
  }

  __device__ __forceinline__ void finish(Ordinal i, int lane, double (&c)[2]) const {
    constexpr int distance = TilePair::partner(0);
    for (int which = 0; which < 2; ++which)
      c[which] += __shfl_down_sync(all_lanes, c[which], distance);
    const Ordinal row = tile_size * i + TilePair::result_row(lane);
    if (!TilePair::has_result(lane) || row >= arrays.num_rows) return;
    for (int which = 0; which < 2; ++which) {
      const int column = TilePair::result_column(lane, which);
      if (column < arrays.active) {
        update(row, arrays.first_column + column, static_cast<double>(arrays.scale) * c[which]);
      }
    }
  }
#endif
};

}  // namespace tessera::kernels::cuda

namespace tessera::kernels::detail {

/// update(row, column, (A x)(row, column)) for every row and every active column, four at most.
template <class Storage, class Working>
void launch_tensor_tile_rows(const Kokkos::Cuda& exec, const std::string& label, TileLayout layout,
                             const TileArrays<Storage, Working>& arrays,
                             const RowUpdate<Working>& update)
  requires(!std::is_same_v<Arithmetic<Storage, Working>, float>)
{
  constexpr int warps_per_team = 4;
  const int teams = (arrays.num_tile_rows() - 1) / warps_per_team + 1;
  const Kokkos::TeamPolicy<Kokkos::Cuda> policy(exec, teams, warps_per_team, cuda::MmaF64::lanes);
  if (layout == TileLayout::packed) {
    Kokkos::parallel_for(
        label, policy, cuda::TensorTileRows<Storage, Working, TileLayout::packed>{arrays, update});
  } else {
    Kokkos::parallel_for(label, policy,
                         cuda::TensorTileRows<Storage, Working, TileLayout::dense>{arrays, update});
  }
}

}  // namespace tessera::kernels::detail
