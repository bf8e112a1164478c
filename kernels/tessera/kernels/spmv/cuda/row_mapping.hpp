// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How the staged CSR products distribute the rows of a part to the lanes of a warp, and what they
/// do with a row's sum.
#pragma once

#include "tessera/kernels/spmv/cuda/staged_parts.hpp"

namespace tessera::kernels::cuda {

/// `lanes` a row, or several rows per lane, 32 apart.
template <int lanes_, int rows_per_lane_>
struct RowMapping {
  static constexpr int lanes = lanes_;  ///< a row
  static constexpr int rows_per_lane = rows_per_lane_;
  static constexpr int rows_per_part = 32 / lanes * rows_per_lane;
  static_assert(lanes == 1 || rows_per_lane == 1);

#if defined(__CUDACC__)
  /// Of the last part it may be beyond what an Ordinal counts.
  __device__ __forceinline__ static std::int64_t row_at(std::int64_t part, int q, int lane) {
    return part * rows_per_part + q * warp_lanes + lane / lanes;
  }
  /// Whether the lane is the one that stores the row.
  __device__ __forceinline__ static bool finishes(std::int64_t part, int q, int lane,
                                                  Ordinal num_rows) {
    return lane % lanes == 0 && row_at(part, q, lane) < num_rows;
  }
#endif
};

/// An epilogue that returns what a row adds to a sum over all rows, and takes each warp's share of
/// that: `take_share(warp, warps, share)`.
template <class Epilogue>
concept SumsRows = requires(const Epilogue& epilogue) { epilogue.take_share(0, 1, 0.0); };

#if defined(__CUDACC__)

/// sum + a b, rounded once. Written out, for the compiler takes two roundings in some kernels and
/// one in others, and kernels of one order of sums are to have the same bits.
__device__ __forceinline__ double add_product(double a, double b, double sum) {
  return __fma_rn(a, b, sum);
}
__device__ __forceinline__ float add_product(float a, float b, float sum) {
  return __fmaf_rn(a, b, sum);
}

/// What updates read, asked for while the matrix is on its way.
template <class Mapping, class Epilogue>
__device__ __forceinline__ void read_ahead(
    const Epilogue& epilogue, std::int64_t part, int lane, Ordinal num_rows,
    typename Epilogue::Read (&read)[Mapping::rows_per_lane]) {
#pragma unroll
  for (int q = 0; q < Mapping::rows_per_lane; ++q) {
    if (Mapping::finishes(part, q, lane, num_rows))
      read[q] = epilogue.read(static_cast<Ordinal>(Mapping::row_at(part, q, lane)), 0);
  }
}

/// Hands a part's sums on; adds to `share` where the epilogue sums over rows.
template <class Mapping, class Epilogue, class Sum>
__device__ __forceinline__ void finish_rows(
    const Epilogue& epilogue, std::int64_t part, int lane, Ordinal num_rows,
    const Sum (&sums)[Mapping::rows_per_lane],
    const typename Epilogue::Read (&read)[Mapping::rows_per_lane], [[maybe_unused]] double& share) {
#pragma unroll
  for (int q = 0; q < Mapping::rows_per_lane; ++q) {
    if (!Mapping::finishes(part, q, lane, num_rows)) continue;
    const auto row = static_cast<Ordinal>(Mapping::row_at(part, q, lane));
    if constexpr (SumsRows<Epilogue>) {
      share += epilogue(row, 0, sums[q], read[q]);
    } else {
      epilogue(row, 0, sums[q], read[q]);
    }
  }
}

/// Adds up the lanes' shares, where the epilogue sums over rows.
template <class Epilogue>
__device__ __forceinline__ void finish_shares(const Epilogue& epilogue, int warp, int warps,
                                              int lane, double share) {
  if constexpr (SumsRows<Epilogue>) {
#pragma unroll
    for (int distance = warp_lanes / 2; distance > 0; distance /= 2)
      share += __shfl_xor_sync(all_lanes, share, distance);
    if (lane == 0) epilogue.take_share(warp, warps, share);
  }
}

/// Sums over the lanes of each row.
template <class Mapping, class Sum>
__device__ __forceinline__ void add_up_lanes(const Sum (&even)[Mapping::rows_per_lane],
                                             const Sum (&odd)[Mapping::rows_per_lane],
                                             Sum (&sums)[Mapping::rows_per_lane]) {
#pragma unroll
  for (int q = 0; q < Mapping::rows_per_lane; ++q) {
    sums[q] = even[q] + odd[q];
#pragma unroll
    for (int distance = 1; distance < Mapping::lanes; distance *= 2)
      sums[q] += __shfl_xor_sync(all_lanes, sums[q], distance);
  }
}

#endif

}  // namespace tessera::kernels::cuda
