// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a cooperative group (execution/cooperative_group.hpp) is made of on HIP;
/// execution/cuda/cooperative_api.hpp has CUDA's.
#pragma once

#include "tessera/kernels/execution/hip/graph_api.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <cstdint>

namespace tessera::kernels::hip {

#if defined(__HIPCC__)
/// One block is a worker.
template <class Run>
__global__ void __launch_bounds__(Run::max_lanes) cooperative_kernel(const Run run) {
  run();
}
#endif

struct CooperativeApi {
  using Runtime = GraphApi;
  using Space = Kokkos::HIP;

  // Threads and memory, on the device; on the host, where the compiler looks at them too, nothing.

  KOKKOS_INLINE_FUNCTION static int thread() {
#if defined(__HIP_DEVICE_COMPILE__)
    return static_cast<int>(threadIdx.x);
#else
    return 0;
#endif
  }
  KOKKOS_INLINE_FUNCTION static int num_threads() {
#if defined(__HIP_DEVICE_COMPILE__)
    return static_cast<int>(blockDim.x);
#else
    return 1;
#endif
  }
  KOKKOS_INLINE_FUNCTION static int block() {
#if defined(__HIP_DEVICE_COMPILE__)
    return static_cast<int>(blockIdx.x);
#else
    return 0;
#endif
  }
  KOKKOS_INLINE_FUNCTION static int num_blocks() {
#if defined(__HIP_DEVICE_COMPILE__)
    return static_cast<int>(gridDim.x);
#else
    return 1;
#endif
  }
  KOKKOS_INLINE_FUNCTION static std::byte* shared_memory() {
#if defined(__HIP_DEVICE_COMPILE__)
    extern __shared__ __align__(16) unsigned char tessera_group_memory[];
    return reinterpret_cast<std::byte*>(tessera_group_memory);
#else
    return nullptr;
#endif
  }
  /// Of the threads of a block.
  KOKKOS_INLINE_FUNCTION static void synchronize() {
#if defined(__HIP_DEVICE_COMPILE__)
    __syncthreads();
#endif
  }
  /// There is no barrier of some of them: see `synchronizes_in_part`.
  KOKKOS_INLINE_FUNCTION static void synchronize_first(int) { synchronize(); }
  static constexpr bool synchronizes_in_part = false;
  /// Blocks do not read one another's shared memory.
  static constexpr bool has_clusters = false;
  /// Whether `flag` holds for any lane of the wavefront; by all of its lanes that run.
  KOKKOS_INLINE_FUNCTION static bool any(bool flag) {
#if defined(__HIP_DEVICE_COMPILE__)
    return __any(flag) != 0;
#else
    return flag;
#endif
  }
  /// The value of the lane that differs in the bits of `distance`, below 32; by all lanes of a
  /// wavefront, whose halves of 32 are for themselves.
  template <class T>
  KOKKOS_INLINE_FUNCTION static T exchange(T value, [[maybe_unused]] int distance) {
#if defined(__HIP_DEVICE_COMPILE__)
    return __shfl_xor(value, distance, 32);
#else
    return value;
#endif
  }
  /// Release before, and acquire after, a relaxed access by the same thread, for all of the device.
  KOKKOS_INLINE_FUNCTION static void fence() {
#if defined(__HIP_DEVICE_COMPILE__)
    __threadfence();
#endif
  }
  /// Relaxed, and of all of the device: never kept in a register or in the L1 cache.
  KOKKOS_INLINE_FUNCTION static std::uint64_t load(const std::uint64_t* word) {
#if defined(__HIP_DEVICE_COMPILE__)
    return __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#else
    return *word;
#endif
  }
  KOKKOS_INLINE_FUNCTION static void store(std::uint64_t* word, std::uint64_t value) {
#if defined(__HIP_DEVICE_COMPILE__)
    __hip_atomic_store(word, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#else
    *word = value;
#endif
  }
  /// Adds 1; relaxed. Returns what was there.
  KOKKOS_INLINE_FUNCTION static std::uint64_t count(std::uint64_t* word) {
#if defined(__HIP_DEVICE_COMPILE__)
    return __hip_atomic_fetch_add(word, std::uint64_t(1), __ATOMIC_RELAXED,
                                  __HIP_MEMORY_SCOPE_AGENT);
#else
    return (*word)++;
#endif
  }
  /// Of a clock that goes on while the device works for others.
  KOKKOS_INLINE_FUNCTION static std::uint64_t ticks() {
#if defined(__HIP_DEVICE_COMPILE__)
    return wall_clock64();
#else
    return 0;
#endif
  }
  /// Between two looks at memory that others write.
  KOKKOS_INLINE_FUNCTION static void pause() {
#if defined(__HIP_DEVICE_COMPILE__)
    __builtin_amdgcn_s_sleep(1);
#endif
  }

#if defined(__HIPCC__)
  static double ticks_per_second(const Space& exec) {
    int kilohertz = 0;
    const auto result =
        hipDeviceGetAttribute(&kilohertz, hipDeviceAttributeWallClockRate, exec.hip_device());
    return result == hipSuccess && kilohertz > 0 ? 1e3 * kilohertz : 1e8;
  }

  /// Blocks that a device's processors hold at once; 0 where it cannot prove that they all run.
  template <class Run>
  static Runtime::Result max_blocks(const Space& exec, int threads, std::size_t shared_bytes,
                                    int* blocks) {
    *blocks = 0;
    int cooperative = 0;
    auto result =
        hipDeviceGetAttribute(&cooperative, hipDeviceAttributeCooperativeLaunch, exec.hip_device());
    if (result != hipSuccess || cooperative == 0) return result;
    result =
        hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel<Run>(), threads, shared_bytes);
    *blocks *= exec.hip_device_prop().multiProcessorCount;
    return result;
  }

  /// Bytes of shared memory that one block may have.
  static std::size_t max_shared_bytes(const Space& exec) {
    return exec.hip_device_prop().sharedMemPerBlock;
  }

  /// The kernel whose threads run `Run`.
  template <class Run>
  static const void* kernel() {
    return reinterpret_cast<const void*>(&cooperative_kernel<Run>);
  }

  /// Before the first launch of `kernel` on a device: it may have all shared memory by itself.
  static Runtime::Result prepare(const Space&, const void*) { return hipSuccess; }

  /// Of a kernel that was prepared; `run`: its argument.
  static Runtime::Result launch(const Space& exec, const void* kernel, const void* run, int blocks,
                                int threads, std::size_t shared_bytes, bool /*in_cluster*/) {
    void* arguments[] = {const_cast<void*>(run)};
    if (blocks == 1) {
      return hipLaunchKernel(kernel, dim3(1), dim3(threads), arguments, shared_bytes,
                             exec.hip_stream());
    }
    return hipLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), arguments,
                                      static_cast<unsigned>(shared_bytes), exec.hip_stream());
  }
#endif
};

}  // namespace tessera::kernels::hip
