// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Lanes of one warp that share a piece of work and exchange values without shared memory.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <cstdint>

namespace tessera::kernels {

/// A power of two of lanes, at most 32, side by side in a warp; one on a host.
///
/// All groups of a warp keep step: every thread of the warp calls each function together, those of
/// groups that have nothing to do included, so that what decides on a call, and how often a loop
/// around one runs, is to be the same in the whole warp: `warp_max` makes it so. In return the
/// groups run side by side. Where each waits for its own lanes alone, as nested loops of Kokkos
/// over fewer vector lanes than a warp has do, the hardware runs them one after the other: products
/// of short rows took two to four times as long on an H200.
class LaneGroup {
 public:
  /// The group of thread `thread` of a team whose threads have one vector lane each.
  KOKKOS_INLINE_FUNCTION LaneGroup(int size, int thread) : m_size(size), m_lane(thread % size) {}

  KOKKOS_INLINE_FUNCTION int size() const { return m_size; }
  KOKKOS_INLINE_FUNCTION int lane() const { return m_lane; }

  /// What any lane of the warp wrote into shared memory before is there for the others after.
  KOKKOS_INLINE_FUNCTION void sync() const {
#if defined(__CUDA_ARCH__)
    __syncwarp();
#elif defined(__HIP_DEVICE_COMPILE__)
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
    __builtin_amdgcn_wave_barrier();
#endif
  }

  /// `value` of lane `source` of the group, modulo its size.
  template <class T>
  KOKKOS_INLINE_FUNCTION T from_lane(const T& value, [[maybe_unused]] int source) const {
#if defined(__CUDA_ARCH__)
    return __shfl_sync(0xffffffffu, value, source, m_size);
#elif defined(__HIP_DEVICE_COMPILE__)
    return __shfl(value, source, m_size);
#else
    return value;
#endif
  }

  /// The lanes' values joined in pairs, to each of the group's lanes; `join` is commutative.
  template <class T, class Join>
  KOKKOS_INLINE_FUNCTION T reduce(T value, const Join& join) const {
    for (int distance = m_size / 2; distance > 0; distance /= 2)
      value = join(value, across(value, distance));
    return value;
  }

  /// The sum over the group, to each of its lanes.
  template <class T>
  KOKKOS_INLINE_FUNCTION T sum(T value) const {
    return reduce(value, [](const T& a, const T& b) { return a + b; });
  }

  /// The largest of the whole warp, to each of its lanes.
  template <class T>
  KOKKOS_INLINE_FUNCTION T warp_max(T value) const {
    for (int distance = warp_lanes / 2; distance > 0; distance /= 2) {
      const T other = across(value, distance);
      value = other > value ? other : value;
    }
    return value;
  }

  /// How many of the lanes before this one are among `lanes`.
  KOKKOS_INLINE_FUNCTION int count_before(std::uint32_t lanes) const {
    const std::uint32_t before = lanes & ((std::uint32_t(1) << m_lane) - 1);
    return Kokkos::Experimental::popcount_builtin(before);
  }

  /// The lanes of the group for which `flag` holds, lane i in bit i.
  KOKKOS_INLINE_FUNCTION std::uint32_t lanes_where(bool flag) const {
    const std::uint32_t of_group = ~std::uint32_t(0) >> (32 - m_size);
#if defined(__CUDA_ARCH__)
    const unsigned lane_in_warp = (threadIdx.x + blockDim.x * threadIdx.y) % 32;
    return __ballot_sync(0xffffffffu, flag) >> (lane_in_warp - m_lane) & of_group;
#elif defined(__HIP_DEVICE_COMPILE__)
    return static_cast<std::uint32_t>(__ballot(flag) >> (__lane_id() - m_lane)) & of_group;
#else
    return std::uint32_t(flag) & of_group;
#endif
  }

 private:
#if defined(__CUDA_ARCH__)
  static constexpr int warp_lanes = 32;
#elif defined(__HIP_DEVICE_COMPILE__)
  static constexpr int warp_lanes = 64;
#else
  static constexpr int warp_lanes = 1;
#endif

  /// `value` of the lane whose number in the warp differs by `distance`, one bit.
  template <class T>
  KOKKOS_INLINE_FUNCTION static T across(const T& value, [[maybe_unused]] int distance) {
#if defined(__CUDA_ARCH__)
    return __shfl_xor_sync(0xffffffffu, value, distance);
#elif defined(__HIP_DEVICE_COMPILE__)
    return __shfl_xor(value, distance);
#else
    return value;
#endif
  }

  int m_size;
  int m_lane;
};

}  // namespace tessera::kernels
