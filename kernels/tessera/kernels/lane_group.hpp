// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Lanes of one warp that share a piece of work and tell each other values without shared memory.
#pragma once

#include "tessera/kernels/types.hpp"

#include <cstdint>

namespace tessera::kernels {

/// A power of two of lanes, at most 32, side by side in a warp; one on a host. All of them call
/// each function together, and each of them orders what they wrote into shared memory before it
/// with what they read after it.
///
/// Kokkos's vector lanes do the same by nested loops. A group holds values in registers from one
/// loop to the next, and asks another lane for one.
class LaneGroup {
 public:
  /// The group of thread `thread` of a team whose threads have one vector lane each.
  KOKKOS_INLINE_FUNCTION LaneGroup(int size, int thread) : m_size(size), m_lane(thread % size) {
#if defined(__CUDA_ARCH__)
    const unsigned lanes = size == 32 ? 0xffffffffu : (1u << size) - 1;
    m_mask = lanes << (thread % 32 / size * size);
#elif defined(__HIP_DEVICE_COMPILE__)
    m_first = __lane_id() / size * size;
#endif
  }

  KOKKOS_INLINE_FUNCTION int size() const { return m_size; }
  KOKKOS_INLINE_FUNCTION int lane() const { return m_lane; }

  KOKKOS_INLINE_FUNCTION void sync() const {
#if defined(__CUDA_ARCH__)
    __syncwarp(m_mask);
#elif defined(__HIP_DEVICE_COMPILE__)
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
    __builtin_amdgcn_wave_barrier();
#endif
  }

  /// `value` of lane `source`.
  template <class T>
  KOKKOS_INLINE_FUNCTION T from_lane(const T& value, [[maybe_unused]] int source) const {
#if defined(__CUDA_ARCH__)
    return __shfl_sync(m_mask, value, source, m_size);
#elif defined(__HIP_DEVICE_COMPILE__)
    return __shfl(value, source, m_size);
#else
    return value;
#endif
  }

  /// The sum over all lanes, to each.
  template <class T>
  KOKKOS_INLINE_FUNCTION T sum(T value) const {
    for (int distance = m_size / 2; distance > 0; distance /= 2)
      value += neighbour(value, distance);
    return value;
  }

  /// The largest of all lanes, to each.
  template <class T>
  KOKKOS_INLINE_FUNCTION T max(T value) const {
    for (int distance = m_size / 2; distance > 0; distance /= 2) {
      const T other = neighbour(value, distance);
      value = other > value ? other : value;
    }
    return value;
  }

  /// The lanes for which `flag` holds, lane i in bit i.
  KOKKOS_INLINE_FUNCTION std::uint32_t lanes_where(bool flag) const {
#if defined(__CUDA_ARCH__)
    return (__ballot_sync(m_mask, flag) & m_mask) >> (__ffs(static_cast<int>(m_mask)) - 1);
#elif defined(__HIP_DEVICE_COMPILE__)
    const std::uint64_t lanes = (std::uint64_t(1) << m_size) - 1;
    return static_cast<std::uint32_t>((__ballot(flag) >> m_first) & lanes);
#else
    return flag ? 1u : 0u;
#endif
  }

 private:
  template <class T>
  KOKKOS_INLINE_FUNCTION T neighbour(const T& value, [[maybe_unused]] int distance) const {
#if defined(__CUDA_ARCH__)
    return __shfl_xor_sync(m_mask, value, distance, m_size);
#elif defined(__HIP_DEVICE_COMPILE__)
    return __shfl_xor(value, distance, m_size);
#else
    return value;
#endif
  }

  int m_size;
  int m_lane;
#if defined(__CUDA_ARCH__)
  unsigned m_mask;
#elif defined(__HIP_DEVICE_COMPILE__)
  unsigned m_first;
#endif
};

}  // namespace tessera::kernels
