// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How the products that stage parts of a matrix in shared memory distribute them, and their
/// launch.
#pragma once

#include "tessera/kernels/execution/cuda/bulk_copy.hpp"
#include "tessera/kernels/execution/cuda/graph_api.hpp"
#include "tessera/kernels/execution/device_call.hpp"
#include "tessera/kernels/execution/planned_launches.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>

namespace tessera::kernels::cuda {

/// Shared memory that the hardware keeps of each block's.
inline constexpr std::size_t reserved_block_bytes = 1024;

/// How many parts a warp of a product gets.
struct PartMapping {
  int max_parts;  ///< if all parts are distributed to warps that run at once
  int parts_beyond;  ///< where that would be more
};

/// The number of blocks.
///
/// All warps that run at once get the same number of parts, as otherwise most would wait for those
/// with one more. Where that is many, warps drift apart and no longer find each other's x in the
/// cache: then there are more blocks than run at once.
inline int staging_blocks(int num_parts, int warps_at_once, int block_warps,
                          const PartMapping& mapping) {
  const int rounds = (num_parts - 1) / warps_at_once + 1;
  const int parts_per_warp = rounds > mapping.max_parts ? mapping.parts_beyond : rounds;
  return (num_parts - 1) / (parts_per_warp * block_warps) + 1;
}

/// No product of `num_parts` parts has more warps than this on the device of `exec`, where warps
/// that run at once get as many parts each as it takes.
inline int max_staging_warps(const Kokkos::Cuda& exec, int num_parts, int block_warps) {
  const cudaDeviceProp& device = exec.cuda_device_prop();
  const int warps_at_once =
      device.multiProcessorCount * (device.maxThreadsPerMultiProcessor / warp_lanes);
  return std::min(num_parts, warps_at_once) + block_warps;
}

/// Whether each of a block's `block_warps` warps may have `warp_bytes` of shared memory, and an SM
/// has room for eight warps or so: with fewer, other kernels are the faster.
inline bool fits_stage(const Kokkos::Cuda& exec, int block_warps, std::size_t warp_bytes) {
  const cudaDeviceProp& device = exec.cuda_device_prop();
  return 2 * warp_bytes + reserved_block_bytes <= device.sharedMemPerBlock &&
         block_warps * warp_bytes + reserved_block_bytes <= device.sharedMemPerBlockOptin;
}

/// Whether a product that moves `bytes` finds nothing of the matrix in the L2 cache when it comes
/// again. Then what it copies makes room first, and the vectors stay: 9-point 1024^2 in CSR 0.0360
/// -> 0.0318 ms, blocks on 27-point 64^3 0.154 -> 0.145 (H200). Where all fits, a matrix that
/// makes room costs a tenth.
inline bool outgrows_cache(const Kokkos::Cuda& exec, std::size_t bytes) {
  return bytes > static_cast<std::size_t>(exec.cuda_device_prop().l2CacheSize);
}

/// A kernel of staged parts and what its launch takes, whatever its type: one function launches
/// all.
struct StagedLaunch {
  static constexpr std::size_t max_bytes = 384;

  const void* entry;  ///< on the device
  int block_warps;
  std::size_t warp_bytes;  ///< of shared memory, for each warp
  int num_parts;
  PartMapping mapping;
  alignas(std::max_align_t) std::byte kernel[max_bytes];

  std::size_t block_bytes() const { return block_warps * warp_bytes; }
};

#if defined(__CUDACC__)

/// `kernel.multiply_parts(stage, warp, warps, lane)` by every lane of every warp, `stage` being
/// `warp_bytes` of shared memory. Registers are for `Kernel::blocks_at_once` blocks per SM: left to
/// itself the compiler saves them, and waits for one load after the other.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::block_warps* warp_lanes, Kernel::blocks_at_once)
    multiply_staged_parts(const __grid_constant__ Kernel kernel, std::uint32_t warp_bytes) {
  extern __shared__ __align__(line_bytes) unsigned char staging_memory[];
  const int team_warp = threadIdx.x / warp_lanes;
  kernel.multiply_parts(staging_memory + warp_bytes * team_warp,
                        blockIdx.x * Kernel::block_warps + team_warp,
                        gridDim.x * Kernel::block_warps, threadIdx.x % warp_lanes);
}

/// The launch of `kernel`, whose `mapping` says how many of its `num_parts` parts a warp gets, each
/// of its warps having `warp_bytes` of shared memory.
template <class Kernel>
StagedLaunch staged_launch(const Kernel& kernel, std::size_t warp_bytes) {
  static_assert(sizeof(Kernel) <= StagedLaunch::max_bytes && std::is_trivially_copyable_v<Kernel>);
  StagedLaunch launch{reinterpret_cast<const void*>(&multiply_staged_parts<Kernel>),
                      Kernel::block_warps,
                      warp_bytes,
                      kernel.num_parts,
                      Kernel::mapping,
                      {}};
  std::memcpy(launch.kernel, &kernel, sizeof(Kernel));
  return launch;
}

/// The number of blocks by which a kernel runs at its best, which is allowed the shared memory.
inline int plan_staged_launch(const Kokkos::Cuda& exec, const std::string& label,
                              const StagedLaunch& launch) {
  using detail::check_call;
  const cudaDeviceProp& device = exec.cuda_device_prop();
  // All that there is: other plans launch the same kernel, maybe at the same time, and what was
  // allowed last counts for all.
  if (launch.block_bytes() > device.sharedMemPerBlock) {
    check_call<GraphApi>(
        cudaFuncSetAttribute(launch.entry, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(device.sharedMemPerBlockOptin)),
        label.c_str());
  }
  int resident = 0;
  check_call<GraphApi>(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &resident, launch.entry, launch.block_warps * warp_lanes, launch.block_bytes()),
      label.c_str());
  const int warps_at_once = std::max(resident, 1) * device.multiProcessorCount * launch.block_warps;
  return staging_blocks(launch.num_parts, warps_at_once, launch.block_warps, launch.mapping);
}

/// The same from the plan, which has as many parts at each launch. Asking CUDA takes the host about
/// as long as the launch itself.
inline int planned_blocks(const Kokkos::Cuda& exec, const std::string& label,
                          const PlannedLaunches<int>& launches, const StagedLaunch& launch) {
  const LaunchKey key{launch.entry, exec.cuda_device(), launch.block_bytes()};
  if (const int* const known = launches.find(key)) return *known;
  const int blocks = plan_staged_launch(exec, label, launch);
  launches.add(key, blocks);
  return blocks;
}

/// Runs the kernel on the stream of `exec`. `launches`: of the plan. Profiling tools see a
/// parallel_for.
///
/// A team policy of Kokkos takes 1 to 3 us more a product (H200), a tenth of a small one.
inline void launch_staged_parts(const Kokkos::Cuda& exec, const std::string& label,
                                const PlannedLaunches<int>& launches, StagedLaunch launch) {
  // A launch goes to the current device, which the host's thread or Kokkos may have changed since
  // the last one: no plan can know it, and to ask takes no call of the driver.
  detail::use_device<GraphApi>(exec.cuda_device());
  const int blocks = planned_blocks(exec, label, launches, launch);
  std::uint64_t kernel_id = 0;
  const bool profiled = Kokkos::Tools::profileLibraryLoaded();
  if (profiled) {
    Kokkos::Tools::beginParallelFor(label, Kokkos::Tools::Experimental::device_id(exec),
                                    &kernel_id);
  }
  auto warp_bytes = static_cast<std::uint32_t>(launch.warp_bytes);
  void* arguments[] = {launch.kernel, &warp_bytes};
  static_cast<void>(cudaLaunchKernel(launch.entry, blocks, launch.block_warps * warp_lanes,
                                     arguments, launch.block_bytes(), exec.cuda_stream()));
  detail::check_call<GraphApi>(cudaGetLastError(), label.c_str());
  if (profiled) Kokkos::Tools::endParallelFor(kernel_id);
}

#endif

}  // namespace tessera::kernels::cuda
