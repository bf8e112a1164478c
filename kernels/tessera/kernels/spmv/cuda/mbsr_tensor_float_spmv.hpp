// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The mBSR product by tensor cores for sums in float, in TF32: a warp takes four tile rows for one
/// vector, one tile row for up to sixteen.
///
/// No operand is rounded below float: values of 16 and 8 bits are exact in TF32, and a float is two
/// numbers of it, of which all products are taken. A row of n entries is as near as n + 8 roundings
/// of float leave it: four are the last places of the pieces, two what an instruction cuts off its
/// sum, two the joining of pieces.
#pragma once

#include "tessera/kernels/spmv/cuda/four_tile_rows.hpp"
#include "tessera/kernels/spmv/cuda/tile_row_and_vectors.hpp"

#include <string>
#include <type_traits>

namespace tessera::kernels::cuda {

/// Vectors that one pass serves.
inline constexpr int max_columns_in_float = 16;

/// `Lane::tile_rows` tile rows per warp. A `Lane` reads the operands of its warp's next
/// instructions, which share B, takes what they give, and in the end has `Lane::results` sums of a
/// row at most.
template <class Lane, class Storage>
struct TileRowsInFloat {
  detail::TileArrays<Storage, float> arrays;
  detail::RowUpdate<float> update;

  template <class Member>
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const Ordinal first =
        Lane::tile_rows * (member.league_rank() * member.team_size() + member.team_rank());
    if (first >= arrays.num_tile_rows()) return;  // the same for all lanes of a warp
    KOKKOS_IF_ON_DEVICE((multiply_tile_rows(first, threadIdx.x);))
  }

#if defined(__CUDACC__)
 private:
  __device__ __forceinline__ void multiply_tile_rows(Ordinal first, int lane) const {
    constexpr unsigned all_lanes = 0xffffffffu;
    Lane mine(arrays, first, lane);
    // Two lanes half a warp apart know the lengths of all its tile rows.
    const int steps =
        Kokkos::max(mine.steps(), __shfl_xor_sync(all_lanes, mine.steps(), MmaTf32::lanes / 2));
#pragma unroll 2
    for (int step = 0; step < steps; ++step) {
      const auto operands = mine.next();
#pragma unroll
      for (int i = 0; i < Lane::instructions; ++i)
        mine.add(i, multiply(operands.a[i], operands.b));
    }
#pragma unroll
    for (int i = 0; i < Lane::results; ++i) {
      if (mine.has_result(i)) {
        update(mine.row(), arrays.first_column + mine.column(i), arrays.scale * mine.sum(i));
      }
    }
  }
#endif
};

}  // namespace tessera::kernels::cuda

namespace tessera::kernels::detail {

/// update(row, column, (A x)(row, column)) for every row and every active column, at most
/// `cuda::max_columns_in_float`: by lanes for as many as there are.
template <class Storage>
void launch_tensor_tile_rows(const Kokkos::Cuda& exec, const std::string& label, TileLayout layout,
                             const TileArrays<Storage, float>& arrays,
                             const RowUpdate<float>& update)
  requires std::is_same_v<Arithmetic<Storage, float>, float>
{
  const auto launch = [&]<class Lane>(std::type_identity<Lane>) {
    constexpr int warps_per_team = 4;
    const int teams = (arrays.num_tile_rows() - 1) / (warps_per_team * Lane::tile_rows) + 1;
    Kokkos::parallel_for(
        label, Kokkos::TeamPolicy<Kokkos::Cuda>(exec, teams, warps_per_team, cuda::MmaTf32::lanes),
        cuda::TileRowsInFloat<Lane, Storage>{arrays, update});
  };
  const auto launch_in = [&]<TileLayout of_values>(std::integral_constant<TileLayout, of_values>) {
    using OneVector = cuda::FourTileRows<Storage, of_values>;
    using OneGroup = cuda::TileRowAndVectors<Storage, of_values, 1>;
    using TwoGroups = cuda::TileRowAndVectors<Storage, of_values, 2>;
    static_assert(TwoGroups::max_columns == cuda::max_columns_in_float);
    if (arrays.active <= OneVector::max_columns) {
      launch(std::type_identity<OneVector>());
    } else if (arrays.active <= OneGroup::max_columns) {
      launch(std::type_identity<OneGroup>());
    } else {
      launch(std::type_identity<TwoGroups>());
    }
  };
  if (layout == TileLayout::packed) {
    launch_in(std::integral_constant<TileLayout, TileLayout::packed>());
  } else {
    launch_in(std::integral_constant<TileLayout, TileLayout::dense>());
  }
}

}  // namespace tessera::kernels::detail
