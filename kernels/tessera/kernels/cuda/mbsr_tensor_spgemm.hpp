// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A tile of A times tiles of B by FP64 tensor cores, two of B an instruction (AmgT paper, section
/// IV.C.3).
///
/// Every storage scalar goes through the one FP64 instruction; what it gives is added to sums in
/// the scalar that the product is summed in.
#pragma once

#include "tessera/kernels/cuda/tile_beside_tiles.hpp"
#include "tessera/kernels/spgemm/mbsr/tile_product.hpp"

namespace tessera::kernels::cuda {

/// A warp takes two tiles of B at a time. Team threads are to have 32 lanes.
struct TensorTileProduct {
  template <class Scope, class Scalar, class StorageB, class Space>
  KOKKOS_INLINE_FUNCTION void operator()(const Scope& scope,
                                         const spgemm_detail::SpreadTile<Scalar>& a,
                                         const spgemm_detail::MatchedTile* matched, int count,
                                         const MbsrView<StorageB, Space>& B,
                                         const spgemm_detail::TileRowSums<Scalar>& c) const {
    scope.for_each_part(
        (count + TileBesideTiles::tiles - 1) / TileBesideTiles::tiles, [&](int part) {
          KOKKOS_IF_ON_DEVICE(
              (multiply_pair(threadIdx.x, a, matched, TileBesideTiles::tiles * part, count, B, c);))
        });
    scope.for_each(0, [](int) {});  // parts of one team thread do not end in step
  }

#if defined(__CUDACC__)
 private:
  template <class Scalar, class StorageB, class Space>
  __device__ __forceinline__ static void multiply_pair(
      int lane, const spgemm_detail::SpreadTile<Scalar>& a,
      const spgemm_detail::MatchedTile* matched, int first, int count,
      const MbsrView<StorageB, Space>& B, const spgemm_detail::TileRowSums<Scalar>& c) {
    using T = TileBesideTiles;
    const double of_a = T::has_a(lane) ? static_cast<double>(a.values[T::a_place(lane)]) : 0.0;
    const int b_tile = first + T::b_tile(lane);
    double of_b = 0;
    if (b_tile < count && matched[b_tile].c_tile >= 0)
      of_b = spgemm_detail::value_of<double>(B, matched[b_tile], T::b_place(lane));
    double products[2] = {0, 0};
    __syncwarp();
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    multiply_add(products, of_a, of_b);
#endif
    const int c_tile = first + T::c_tile(lane);
    if (!T::has_result(lane) || c_tile >= count || matched[c_tile].c_tile < 0) return;
    Scalar* const target = c.of(matched[c_tile].c_tile) + T::c_place(lane);
    target[0] += static_cast<Scalar>(products[0]);
    target[1] += static_cast<Scalar>(products[1]);
  }
#endif
};

}  // namespace tessera::kernels::cuda
