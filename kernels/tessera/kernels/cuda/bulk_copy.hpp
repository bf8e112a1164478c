// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Pieces of arrays brought into shared memory by the bulk copy engine of Hopper and newer: one
/// instruction a piece, no registers, and bytes in flight that no number of threads limits.
///
/// A warp has a `CopyBarrier` and a stage of shared memory to itself, so that nothing waits for
/// more than the warp. PTX ISA, `cp.async.bulk` and `mbarrier`.
#pragma once

#include "tessera/kernels/types.hpp"

#include <algorithm>
#include <cstdint>

namespace tessera::kernels::cuda {

/// Bytes that every bulk copy, its source and its target are a multiple of.
inline constexpr int bulk_bytes = 16;

/// Whether the compiled architecture has bulk copies.
#if defined(KOKKOS_ARCH_HOPPER) || defined(KOKKOS_ARCH_BLACKWELL)
inline constexpr bool has_bulk_copies = true;
#else
inline constexpr bool has_bulk_copies = false;
#endif

/// Whether a bulk copy may begin at `pointer`.
inline bool is_bulk_aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % bulk_bytes == 0;
}

/// Elements of `T` that are a bulk copy's least.
template <class T>
inline constexpr int bulk_granule = bulk_bytes / sizeof(T);

/// Bytes of a stage that holds `count` elements of `T` from any first one on, copied by `granule`.
template <class T, int granule = bulk_granule<T>>
KOKKOS_INLINE_FUNCTION constexpr std::size_t stage_bytes(std::size_t count) {
  return (count + 2 * (granule - 1)) / granule * granule * sizeof(T);
}

#if defined(__CUDACC__)

inline constexpr unsigned all_lanes = 0xffffffffu;
inline constexpr int warp_lanes = 32;

/// Where a warp waits for its copies: 8 bytes of shared memory that count the bytes on their way.
class CopyBarrier {
 public:
  static constexpr int bytes = bulk_bytes;

  /// By all lanes of a warp.
  __device__ __forceinline__ CopyBarrier(void* place, int lane) : m_address(shared(place)) {
    if (lane == 0) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(m_address) : "memory");
      // The copy engine sees the barrier before it is told of it.
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncwarp();
  }

  /// By one lane: `count` bytes will come.
  __device__ __forceinline__ void expect(std::uint32_t count) const {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(m_address),
                 "r"(count)
                 : "memory");
  }

  /// By one lane: begins a copy of `count` bytes.
  __device__ __forceinline__ void copy(void* target, const void* source,
                                       std::uint32_t count) const {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(shared(target)),
        "l"(source), "r"(count), "r"(m_address)
        : "memory");
  }

  /// By all lanes: returns once all that was expected is there.
  __device__ __forceinline__ void wait() {
    std::uint32_t done = 0;
    while (done == 0) {
      asm volatile(
          "{\n"
          ".reg .pred arrived;\n"
          "mbarrier.try_wait.parity.shared::cta.b64 arrived, [%1], %2;\n"
          "selp.u32 %0, 1, 0, arrived;\n"
          "}"
          : "=r"(done)
          : "r"(m_address), "r"(m_phase)
          : "memory");
    }
    m_phase ^= 1;
    __syncwarp();
  }

 private:
  __device__ __forceinline__ static std::uint32_t shared(const void* pointer) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
  }

  std::uint32_t m_address;
  std::uint32_t m_phase = 0;
};

/// Elements `first` up to `last` of arrays of `size` elements, widened to whole granules so that a
/// bulk copy takes them; at the end of the arrays the rest of a granule is left to the lanes.
/// `granule`: elements that are a multiple of `bulk_bytes` in every array that is copied.
template <class Index, int granule>
class StagedRange {
 public:
  __device__ __forceinline__ StagedRange(Index first, Index last, Index size)
      : m_begin(first - first % granule), m_rest(0) {
    const Index end = last + (granule - last % granule) % granule;
    const bool cut = end > size;
    const Index whole = cut ? size - size % granule : end;
    m_bulk = last > first && whole > m_begin ? static_cast<int>(whole - m_begin) : 0;
    if (cut && last > first) m_rest = static_cast<int>(last - m_begin) - m_bulk;
  }

  /// Where `i` lies in the stage.
  __device__ __forceinline__ int place(Index i) const { return static_cast<int>(i - m_begin); }
  template <class T>
  __device__ __forceinline__ std::uint32_t bytes() const {
    return m_bulk * sizeof(T);
  }
  /// By the lane that expects `bytes<T>()`.
  template <class T>
  __device__ __forceinline__ void copy(const CopyBarrier& barrier, T* stage, const T* array) const {
    if (m_bulk > 0) barrier.copy(stage, array + m_begin, bytes<T>());
  }
  /// By all lanes, before `barrier.wait()`.
  template <class T>
  __device__ __forceinline__ void copy_rest(T* stage, const T* array, int lane) const {
    if (lane < m_rest) stage[m_bulk + lane] = array[m_begin + m_bulk + lane];
  }

 private:
  Index m_begin;
  int m_bulk, m_rest;  ///< elements
};

#endif

/// Warps of a team of the kernels that stage; few, so that shared memory is handed out finely.
inline constexpr int staging_warps = 2;

/// How the parts of a product are dealt out to warps.
struct PartDealing {
  int most_teams;  ///< that an SM has registers for
  int most_parts;  ///< a warp, if all parts are dealt out to warps that run at once
  int parts_beyond;  ///< a warp, where that would be more
};

/// The number of teams.
///
/// All warps that run at once get the same number of parts, as otherwise most would wait for those
/// with one more. Where that is many, warps drift apart and no longer find each other's x in the
/// cache: then there are more teams than run at once.
inline int staging_teams(const Kokkos::Cuda& exec, int num_parts, std::size_t team_bytes,
                         const PartDealing& dealing) {
  constexpr std::size_t reserved_bytes = 1024;
  const cudaDeviceProp& device = exec.cuda_device_prop();
  const int by_memory =
      static_cast<int>(device.sharedMemPerMultiprocessor / (team_bytes + reserved_bytes));
  const int resident = std::clamp(by_memory, 1, dealing.most_teams);
  const int warps = resident * device.multiProcessorCount * staging_warps;
  const int rounds = (num_parts - 1) / warps + 1;
  const int parts_a_warp = rounds > dealing.most_parts ? dealing.parts_beyond : rounds;
  return (num_parts - 1) / (parts_a_warp * staging_warps) + 1;
}

/// Whether a team may have so much shared memory.
inline bool fits_stage(const Kokkos::Cuda& exec, std::size_t team_bytes) {
  constexpr std::size_t reserved_bytes = 1024;
  return team_bytes + reserved_bytes <= exec.cuda_device_prop().sharedMemPerBlock;
}

}  // namespace tessera::kernels::cuda
