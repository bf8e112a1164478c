// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Pieces of arrays brought into shared memory by the bulk copy engine of Hopper and newer: one
/// instruction a piece, no registers, and bytes in flight that no number of threads limits.
///
/// A warp has a `CopyBarrier` and a stage of shared memory to itself, so that nothing waits for
/// more than the warp. PTX ISA, `cp.async.bulk` and `mbarrier`.
#pragma once

#include "tessera/kernels/execution/types.hpp"

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

/// Stages begin at a multiple of this, and what is copied lies in it as it does in global memory:
/// where source and target differ in their sectors a product takes 5 to 15 % longer (H200).
inline constexpr int line_bytes = 128;

/// Bytes of a stage that holds `count` elements of `T` from any first one on, copied by `granule`.
template <class T, int granule = bulk_granule<T>>
KOKKOS_INLINE_FUNCTION constexpr std::size_t stage_bytes(std::size_t count) {
  const std::size_t elements = count + line_bytes / sizeof(T) + granule - 2;
  return (elements * sizeof(T) + line_bytes - 1) / line_bytes * line_bytes;
}

#if defined(__CUDACC__)

inline constexpr unsigned all_lanes = 0xffffffffu;
inline constexpr int warp_lanes = 32;

/// Which lines leave the L2 cache first.
struct CachePolicy {
  std::uint64_t bits;

  /// `once`: what is copied is not read again soon, and makes room before anything else does.
  __device__ __forceinline__ explicit CachePolicy(bool once) {
    if (once) {
      asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(bits));
    } else {
      asm("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(bits));
    }
  }
};

/// Where a warp waits for its copies: 8 bytes of shared memory that count the bytes on their way.
class CopyBarrier {
 public:
  static constexpr int bytes = line_bytes;  ///< of which it uses 8

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
  __device__ __forceinline__ void copy(void* target, const void* source, std::uint32_t count,
                                       CachePolicy policy) const {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
        "[%0], [%1], %2, [%3], %4;" ::"r"(shared(target)),
        "l"(source), "r"(count), "r"(m_address), "l"(policy.bits)
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
/// `granule`: elements that are a multiple of `bulk_bytes` in every array that is copied, a power
/// of two. All but the place in the arrays is counted in 32 bits.
template <class Index, int granule>
class StagedRange {
 public:
  __device__ __forceinline__ StagedRange(Index first, Index last, Index size) {
    const int lead = static_cast<int>(low_bits(first) & (granule - 1));
    const int length = static_cast<int>(low_bits(last) - low_bits(first));
    m_begin = first - lead;
    m_bulk = length > 0 ? (lead + length + granule - 1) & -granule : 0;
    if (m_bulk > size - m_begin) {
      m_bulk = static_cast<int>(size - m_begin) & -granule;
      m_rest = lead + length - m_bulk;
    }
  }

  /// Where element `i` of an array of `T` lies in its stage.
  template <class T>
  __device__ __forceinline__ int place(Index i) const {
    return static_cast<int>(low_bits(i) - low_bits(m_begin)) + first_place<T>();
  }
  template <class T>
  __device__ __forceinline__ std::uint32_t bytes() const {
    return m_bulk * sizeof(T);
  }
  /// By the lane that expects `bytes<T>()`.
  template <class T>
  __device__ __forceinline__ void copy(const CopyBarrier& barrier, T* stage, const T* array,
                                       CachePolicy policy) const {
    if (m_bulk > 0) barrier.copy(stage + first_place<T>(), array + m_begin, bytes<T>(), policy);
  }
  /// Elements that are left to the lanes.
  __device__ __forceinline__ int rest() const { return m_rest; }
  /// By all lanes, before `barrier.wait()`.
  template <class T>
  __device__ __forceinline__ void copy_rest(T* stage, const T* array, int lane) const {
    if (lane < m_rest) stage[first_place<T>() + m_bulk + lane] = array[m_begin + m_bulk + lane];
  }

 private:
  __device__ __forceinline__ static std::uint32_t low_bits(Index i) {
    return static_cast<std::uint32_t>(i);
  }
  template <class T>
  __device__ __forceinline__ int first_place() const {
    return static_cast<int>(m_begin) & (line_bytes / static_cast<int>(sizeof(T)) - 1);
  }

  Index m_begin;
  int m_bulk, m_rest = 0;  ///< elements
};

#endif

}  // namespace tessera::kernels::cuda
