// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a cooperative group (execution/cooperative_group.hpp) is made of on CUDA;
/// execution/hip/cooperative_api.hpp has HIP's.
#pragma once

#include "tessera/kernels/execution/cuda/bulk_copy.hpp"
#include "tessera/kernels/execution/cuda/graph_api.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <cstdint>

namespace tessera::kernels::cuda {

#if defined(__CUDACC__)
/// One block is a worker, with a processor to itself. 1024 threads at most leave each 64 registers,
/// 512 twice as many, which they get: unless it is told that one block will do, the compiler may
/// spill to make room for two.
template <class Run>
__global__ void __launch_bounds__(Run::max_lanes, 1) cooperative_kernel(const Run run) {
  run();
}
#endif

struct CooperativeApi {
  using Runtime = GraphApi;
  using Space = Kokkos::Cuda;

  // Threads and memory, on the device; on the host, where the compiler looks at them too, nothing.

  KOKKOS_INLINE_FUNCTION static int thread() {
#if defined(__CUDA_ARCH__)
    return static_cast<int>(threadIdx.x);
#else
    return 0;
#endif
  }
  KOKKOS_INLINE_FUNCTION static int num_threads() {
#if defined(__CUDA_ARCH__)
    return static_cast<int>(blockDim.x);
#else
    return 1;
#endif
  }
  KOKKOS_INLINE_FUNCTION static int block() {
#if defined(__CUDA_ARCH__)
    return static_cast<int>(blockIdx.x);
#else
    return 0;
#endif
  }
  KOKKOS_INLINE_FUNCTION static int num_blocks() {
#if defined(__CUDA_ARCH__)
    return static_cast<int>(gridDim.x);
#else
    return 1;
#endif
  }
  KOKKOS_INLINE_FUNCTION static std::byte* shared_memory() {
#if defined(__CUDA_ARCH__)
    extern __shared__ __align__(16) unsigned char tessera_group_memory[];
    return reinterpret_cast<std::byte*>(tessera_group_memory);
#else
    return nullptr;
#endif
  }
  /// Of the threads of a block.
  KOKKOS_INLINE_FUNCTION static void synchronize() {
#if defined(__CUDA_ARCH__)
    __syncthreads();
#endif
  }
  /// Of the first `count` threads of a block, whole warps, alone.
  static constexpr bool synchronizes_in_part = true;
  KOKKOS_INLINE_FUNCTION static void synchronize_first([[maybe_unused]] int count) {
#if defined(__CUDA_ARCH__)
    if (count == 32) {
      __syncwarp();
    } else {
      asm volatile("bar.sync 1, %0;" ::"r"(count) : "memory");
    }
#endif
  }
  /// Whether blocks may be those of one cluster: they run at once on processors that lie close
  /// together, have a barrier of their own and read one another's shared memory.
  static constexpr bool has_clusters = has_bulk_copies;
  static constexpr int max_blocks_of_cluster = 16;
  /// Of all threads of a cluster, for all memory.
  KOKKOS_INLINE_FUNCTION static void synchronize_cluster() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __syncwarp();
    asm volatile(
        "barrier.cluster.arrive.release.aligned;\n"
        "barrier.cluster.wait.acquire.aligned;" ::
            : "memory");
#endif
  }
  /// What lies at `own` in this block's shared memory, in that of another block of the cluster.
  template <class T>
  KOKKOS_INLINE_FUNCTION static const T* of_block(const T* own, [[maybe_unused]] int block) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    const T* other;
    asm("mapa.u64 %0, %1, %2;" : "=l"(other) : "l"(own), "r"(block));
    return other;
#else
    return own;
#endif
  }
  /// Whether `flag` holds for any lane of the warp; by all 32 lanes.
  KOKKOS_INLINE_FUNCTION static bool any(bool flag) {
#if defined(__CUDA_ARCH__)
    return __any_sync(0xffffffffu, flag) != 0;
#else
    return flag;
#endif
  }
  /// The value of the lane that differs in the bits of `distance`, below 32; by all 32 lanes.
  template <class T>
  KOKKOS_INLINE_FUNCTION static T exchange(T value, [[maybe_unused]] int distance) {
#if defined(__CUDA_ARCH__)
    return __shfl_xor_sync(0xffffffffu, value, distance);
#else
    return value;
#endif
  }
  /// Release before, and acquire after, a relaxed access by the same thread, for all of the device.
  KOKKOS_INLINE_FUNCTION static void fence() {
#if defined(__CUDA_ARCH__)
    __threadfence();
#endif
  }
  /// Relaxed, and of all of the device: never kept in a register or in the L1 cache.
  KOKKOS_INLINE_FUNCTION static std::uint64_t load(const std::uint64_t* word) {
#if defined(__CUDA_ARCH__)
    std::uint64_t value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
    return value;
#else
    return *word;
#endif
  }
  KOKKOS_INLINE_FUNCTION static void store(std::uint64_t* word, std::uint64_t value) {
#if defined(__CUDA_ARCH__)
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
#else
    *word = value;
#endif
  }
  /// Adds 1; relaxed. Returns what was there.
  KOKKOS_INLINE_FUNCTION static std::uint64_t count(std::uint64_t* word) {
#if defined(__CUDA_ARCH__)
    return atomicAdd(reinterpret_cast<unsigned long long*>(word), 1ull);
#else
    return (*word)++;
#endif
  }
  /// Of a clock that goes on while the device works for others.
  KOKKOS_INLINE_FUNCTION static std::uint64_t ticks() {
#if defined(__CUDA_ARCH__)
    std::uint64_t value;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(value));
    return value;
#else
    return 0;
#endif
  }
  /// Between two looks at memory that others write.
  KOKKOS_INLINE_FUNCTION static void pause() {}

#if defined(__CUDACC__)
  static double ticks_per_second(const Space&) { return 1e9; }

  /// Blocks that a device's processors hold at once; 0 where it cannot prove that they all run.
  template <class Run>
  static Runtime::Result max_blocks(const Space& exec, int threads, std::size_t shared_bytes,
                                    int* blocks) {
    *blocks = 0;
    int cooperative = 0;
    auto result =
        cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, exec.cuda_device());
    if (result != cudaSuccess || cooperative == 0) return result;
    const auto* const asked = kernel<Run>();
    result = prepare(exec, asked);
    if (result != cudaSuccess) return result;
    result = cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, asked, threads, shared_bytes);
    *blocks *= exec.cuda_device_prop().multiProcessorCount;
    return result;
  }

  /// Bytes of shared memory that one block may have.
  static std::size_t max_shared_bytes(const Space& exec) {
    return exec.cuda_device_prop().sharedMemPerBlockOptin;
  }

  /// The most blocks that one cluster can have; 0 where there are none.
  template <class Run>
  static Runtime::Result blocks_of_cluster(const Space& exec, int threads, std::size_t shared_bytes,
                                           int* blocks) {
    *blocks = 0;
    int has_them = 0;
    auto result = cudaDeviceGetAttribute(&has_them, cudaDevAttrClusterLaunch, exec.cuda_device());
    if (result != cudaSuccess || has_them == 0) return result;
    const auto* const asked = kernel<Run>();
    result = prepare(exec, asked);
    if (result != cudaSuccess) return result;
    ClusterLaunch launch(exec, max_blocks_of_cluster, threads, shared_bytes);
    result = cudaOccupancyMaxPotentialClusterSize(blocks, asked, &launch.config);
    if (result != cudaSuccess) return result;
    *blocks = *blocks < max_blocks_of_cluster ? *blocks : max_blocks_of_cluster;
    if (*blocks < 1) return result;
    launch.cluster.val.clusterDim.x = launch.config.gridDim.x = static_cast<unsigned>(*blocks);
    int clusters = 0;
    result = cudaOccupancyMaxActiveClusters(&clusters, asked, &launch.config);
    if (clusters == 0) *blocks = 0;
    return result;
  }

  /// The kernel whose threads run `Run`. It is an argument of what follows, as nvcc gives each
  /// source one of its own.
  template <class Run>
  static const void* kernel() {
    return reinterpret_cast<const void*>(&cooperative_kernel<Run>);
  }

  /// Before the first launch of `kernel` on a device. It is allowed all that there is, whatever a
  /// launch takes: other threads may launch it, too.
  static Runtime::Result prepare(const Space& exec, const void* kernel) {
    const auto result = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(max_shared_bytes(exec)));
    if (!has_clusters || result != cudaSuccess) return result;
    // More than eight blocks of a cluster are not what every device has.
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  }

  /// Of a kernel that was prepared; `run`: its argument. `in_cluster`: the blocks are one cluster.
  static Runtime::Result launch(const Space& exec, const void* kernel, const void* run, int blocks,
                                int threads, std::size_t shared_bytes, bool in_cluster) {
    void* arguments[] = {const_cast<void*>(run)};
    if (in_cluster) {
      const ClusterLaunch launch(exec, blocks, threads, shared_bytes);
      return cudaLaunchKernelExC(&launch.config, kernel, arguments);
    }
    if (blocks == 1) {
      return cudaLaunchKernel(kernel, dim3(1), dim3(threads), arguments, shared_bytes,
                              exec.cuda_stream());
    }
    return cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), arguments, shared_bytes,
                                       exec.cuda_stream());
  }

 private:
  /// A launch whose blocks are one cluster.
  struct ClusterLaunch {
    ClusterLaunch(const Space& exec, int blocks, int threads, std::size_t shared_bytes) {
      config.gridDim = dim3(blocks);
      config.blockDim = dim3(threads);
      config.dynamicSmemBytes = shared_bytes;
      config.stream = exec.cuda_stream();
      cluster.id = cudaLaunchAttributeClusterDimension;
      cluster.val.clusterDim.x = static_cast<unsigned>(blocks);
      cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
      config.attrs = &cluster;
      config.numAttrs = 1;
    }
    ClusterLaunch(const ClusterLaunch&) = delete;
    ClusterLaunch& operator=(const ClusterLaunch&) = delete;

    cudaLaunchConfig_t config{};
    cudaLaunchAttribute cluster{};
  };
#endif
};

}  // namespace tessera::kernels::cuda
