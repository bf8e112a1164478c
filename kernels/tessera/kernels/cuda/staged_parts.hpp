// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How the products that stage parts of a matrix in shared memory deal them out, and their launch.
#pragma once

#include "tessera/kernels/cuda/bulk_copy.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace tessera::kernels::cuda {

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
inline int staging_blocks(int num_parts, int warps_at_once, int block_warps,
                          const PartDealing& dealing) {
  const int rounds = (num_parts - 1) / warps_at_once + 1;
  const int parts_a_warp = rounds > dealing.most_parts ? dealing.parts_beyond : rounds;
  return (num_parts - 1) / (parts_a_warp * block_warps) + 1;
}

/// No product of `num_parts` parts has more warps than this on the device of `exec`, where warps
/// that run at once get as many parts each as it takes.
inline int most_staging_warps(const Kokkos::Cuda& exec, int num_parts, int block_warps) {
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

#if defined(__CUDACC__)

/// `kernel.multiply_parts(stage, warp, warps, lane)` by every lane of every warp, `stage` being
/// `warp_bytes` of shared memory. Registers are for `Kernel::blocks_at_once` blocks an SM: left to
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

inline void check_cuda(const std::string& label, cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(label + ": " + cudaGetErrorString(error));
}

/// Makes the device of `exec` the current one, to which launches on its stream go. A process that
/// sees one device alone has nothing to ask.
inline void use_device_of(const Kokkos::Cuda& exec, const std::string& label) {
  static const bool is_only_one = [] {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count == 1;
  }();
  if (is_only_one) return;
  int current = -1;
  check_cuda(label, cudaGetDevice(&current));
  if (current != exec.cuda_device()) check_cuda(label, cudaSetDevice(exec.cuda_device()));
}

/// How many blocks of `kernel` an SM holds at once, each of `block_size` threads and `block_bytes`
/// of shared memory; allows the kernel that much. CUDA is asked once for each size and device,
/// because asking takes the host about as long as the launch itself.
///
/// `kernel` is an argument rather than a template's instance named here: nvcc gives each source
/// that instantiates a kernel its own, and the one asked about must be the one launched.
inline int resident_blocks(const Kokkos::Cuda& exec, const std::string& label, const void* kernel,
                           int block_size, std::size_t block_bytes) {
  static std::mutex mutex;
  static std::map<std::tuple<const void*, int, std::size_t>, int> known;
  static std::map<std::pair<const void*, int>, std::size_t> allowed;  // which never become fewer

  const int device = exec.cuda_device();
  const std::lock_guard lock(mutex);
  const auto found = known.find({kernel, device, block_bytes});
  if (found != known.end()) return found->second;
  std::size_t& most =
      allowed.try_emplace({kernel, device}, exec.cuda_device_prop().sharedMemPerBlock)
          .first->second;
  if (block_bytes > most) {
    check_cuda(label, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           static_cast<int>(block_bytes)));
    most = block_bytes;
  }
  int resident = 0;
  check_cuda(label, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, block_size,
                                                                  block_bytes));
  known.try_emplace({kernel, device, block_bytes}, resident);
  return resident;
}

/// What was found for the last launch of a thread.
struct LastLaunch {
  const void* kernel = nullptr;
  int device = -1;
  std::size_t block_bytes = 0;
  int resident = 0;
};

/// `resident_blocks`, without its lock where this thread launched the same the last time, as the
/// sweeps of a level do.
template <class Kernel>
int resident_blocks_again(const Kokkos::Cuda& exec, const std::string& label, const void* kernel,
                          int block_size, std::size_t block_bytes) {
  thread_local LastLaunch last;
  if (last.kernel != kernel || last.device != exec.cuda_device() ||
      last.block_bytes != block_bytes) {
    last = {kernel, exec.cuda_device(), block_bytes,
            resident_blocks(exec, label, kernel, block_size, block_bytes)};
  }
  return last.resident;
}

/// Runs `kernel`, whose `dealing` says how many of its `num_parts` parts a warp gets, on the stream
/// of `exec`. Profiling tools see a parallel_for.
///
/// A team policy of Kokkos takes 1 to 3 us more a product (H200), a tenth of a small one.
template <class Kernel>
void launch_staged_parts(const Kokkos::Cuda& exec, const std::string& label, std::size_t warp_bytes,
                         const Kernel& kernel) {
  constexpr int block_size = Kernel::block_warps * warp_lanes;
  const std::size_t block_bytes = Kernel::block_warps * warp_bytes;
  use_device_of(exec, label);
  const int resident = resident_blocks_again<Kernel>(
      exec, label, reinterpret_cast<const void*>(&multiply_staged_parts<Kernel>), block_size,
      block_bytes);
  const int warps_at_once =
      std::max(resident, 1) * exec.cuda_device_prop().multiProcessorCount * Kernel::block_warps;
  const int blocks =
      staging_blocks(kernel.num_parts, warps_at_once, Kernel::block_warps, Kernel::dealing);
  std::uint64_t kernel_id = 0;
  const bool profiled = Kokkos::Tools::profileLibraryLoaded();
  if (profiled) {
    Kokkos::Tools::beginParallelFor(label, Kokkos::Tools::Experimental::device_id(exec),
                                    &kernel_id);
  }
  multiply_staged_parts<<<blocks, block_size, block_bytes, exec.cuda_stream()>>>(
      kernel, static_cast<std::uint32_t>(warp_bytes));
  check_cuda(label, cudaGetLastError());
  if (profiled) Kokkos::Tools::endParallelFor(kernel_id);
}

#endif

}  // namespace tessera::kernels::cuda
