// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How the products that stage parts of a matrix in shared memory deal them out, and their launch.
#pragma once

#include "tessera/kernels/cuda/bulk_copy.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tessera::kernels::cuda {

/// Warps of a block; few, so that shared memory is handed out finely.
inline constexpr int staging_warps = 2;

/// Shared memory that the hardware keeps of each block's.
inline constexpr std::size_t reserved_block_bytes = 1024;

/// How many parts a warp of a product gets.
struct PartDealing {
  int most_parts;  ///< if all parts are dealt out to warps that run at once
  int parts_beyond;  ///< where that would be more
};

/// The number of blocks.
///
/// All warps that run at once get the same number of parts, as otherwise most would wait for those
/// with one more. Where that is many, warps drift apart and no longer find each other's x in the
/// cache: then there are more blocks than run at once.
inline int staging_blocks(int num_parts, int warps_at_once, const PartDealing& dealing) {
  const int rounds = (num_parts - 1) / warps_at_once + 1;
  const int parts_a_warp = rounds > dealing.most_parts ? dealing.parts_beyond : rounds;
  return (num_parts - 1) / (parts_a_warp * staging_warps) + 1;
}

/// Whether each warp of a block may have `warp_bytes` of shared memory.
inline bool fits_stage(const Kokkos::Cuda& exec, std::size_t warp_bytes) {
  return staging_warps * warp_bytes + reserved_block_bytes <=
         exec.cuda_device_prop().sharedMemPerBlock;
}

#if defined(__CUDACC__)

/// `kernel.multiply_parts(stage, warp, warps, lane)` by every lane of every warp, `stage` being
/// `warp_bytes` of shared memory. Registers are for `Kernel::blocks_at_once` blocks an SM: left to
/// itself the compiler saves them, and waits for one load after the other.
template <class Kernel>
__global__ void __launch_bounds__(staging_warps* warp_lanes, Kernel::blocks_at_once)
    multiply_staged_parts(const __grid_constant__ Kernel kernel, std::uint32_t warp_bytes) {
  extern __shared__ __align__(line_bytes) unsigned char staging_memory[];
  const int team_warp = threadIdx.x / warp_lanes;
  kernel.multiply_parts(staging_memory + warp_bytes * team_warp,
                        blockIdx.x * staging_warps + team_warp, gridDim.x * staging_warps,
                        threadIdx.x % warp_lanes);
}

inline void throw_cuda_error(const std::string& label, cudaError_t error) {
  throw std::runtime_error(label + ": " + cudaGetErrorString(error));
}

/// Runs `kernel`, whose `dealing` says how many of its `num_parts` parts a warp gets, on the stream
/// of `exec`. Profiling tools see a parallel_for.
///
/// A team policy of Kokkos takes 1 to 3 us more a product (H200), a tenth of a small one.
template <class Kernel>
void launch_staged_parts(const Kokkos::Cuda& exec, const std::string& label, std::size_t warp_bytes,
                         const Kernel& kernel) {
  const auto check = [&](cudaError_t error) {
    if (error != cudaSuccess) throw_cuda_error(label, error);
  };
  constexpr int block_size = staging_warps * warp_lanes;
  const std::size_t block_bytes = staging_warps * warp_bytes;
  check(cudaSetDevice(exec.cuda_device()));
  int resident = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, multiply_staged_parts<Kernel>,
                                                      block_size, block_bytes));
  const int warps_at_once =
      std::max(resident, 1) * exec.cuda_device_prop().multiProcessorCount * staging_warps;
  const int blocks = staging_blocks(kernel.num_parts, warps_at_once, Kernel::dealing);
  std::uint64_t kernel_id = 0;
  const bool profiled = Kokkos::Tools::profileLibraryLoaded();
  if (profiled) {
    Kokkos::Tools::beginParallelFor(label, Kokkos::Tools::Experimental::device_id(exec),
                                    &kernel_id);
  }
  multiply_staged_parts<<<blocks, block_size, block_bytes, exec.cuda_stream()>>>(
      kernel, static_cast<std::uint32_t>(warp_bytes));
  check(cudaGetLastError());
  if (profiled) Kokkos::Tools::endParallelFor(kernel_id);
}

#endif

}  // namespace tessera::kernels::cuda
