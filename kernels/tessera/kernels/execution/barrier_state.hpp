// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The shape of a cooperative group, and where its workers synchronize.
#pragma once

#include "tessera/kernels/execution/detail/barrier_words.hpp"
#include "tessera/kernels/execution/detail/host_group.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/planned_launches.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <cstddef>
#include <cstdint>

namespace tessera::kernels {

/// Shares that a cooperative group has at most.
inline constexpr int max_group_shares = 1024;

/// How a cooperative group is made up.
struct CooperativeShape {
  int shares = 1;
  int lanes = 32;  ///< of a worker on a device: a multiple of 32, at most 1024
  std::size_t scratch_bytes = 0;  ///< of shared memory for each worker on a device
  bool in_cluster = false;  ///< on a device, whether the workers are one cluster of blocks
};

/// Where workers synchronize, and what the device was told of their kernels. Whoever launches a
/// cooperative group time and again keeps one. A board serves one launch at a time; the launches of
/// a recorded graph may use it again and again.
template <class Space>
class BarrierState {
 public:
  BarrierState() = default;
  /// For cooperative groups of up to `shares` shares.
  explicit BarrierState(const Space& exec, int shares = max_group_shares) : m_capacity(shares) {
    const std::size_t sums = std::size_t{2} * detail::max_group_sums * shares;
    m_words = allocate<std::uint64_t>(
        exec, "tessera::cooperative_group::barrier",
        is_host_space<Space> ? sums + 1 + shares : detail::BarrierWords::length(shares));
    clear(exec);
  }

  int capacity() const { return m_capacity; }
  /// Needed after a launch in which `has_failed()` was true, and only then.
  void clear(const Space& exec) const { Kokkos::deep_copy(exec, m_words, std::uint64_t(0)); }

  detail::BarrierWords words() const {
    return detail::BarrierWords::in(m_words.data(), m_capacity);
  }
  detail::HostBarrierState on_host() const {
    const std::size_t sums = std::size_t{2} * detail::max_group_sums * m_capacity;
    return {reinterpret_cast<double*>(m_words.data()),
            reinterpret_cast<int*>(m_words.data() + sums), m_words.data() + sums + 1, m_capacity};
  }

  /// The ticks of a second for kernels that are ready to be launched.
  const PlannedLaunches<double>& launches() const { return m_launches; }

 private:
  int m_capacity = 0;
  Array<std::uint64_t, Space> m_words;
  PlannedLaunches<double> m_launches;
};

}  // namespace tessera::kernels
