// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The shape of a cooperative group, and where its workers synchronize.
#pragma once

#include "tessera/kernels/execution/detail/host_group.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/planned_launches.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <cstdint>

namespace tessera::kernels {
namespace detail {

/// Sums that a barrier has at most.
inline constexpr int max_group_sums = 6;

/// The memory by which workers synchronize, zero at first. `words`: set, then word, then worker;
/// behind them one word per worker for steps.
struct BarrierWords {
  static constexpr int words_per_worker = 2 * max_group_sums;

  std::uint64_t* words;
  std::uint64_t* barriers;  ///< over all launches
  std::uint64_t* left;  ///< workers at the end of a launch, where they are counted
  std::uint64_t* given_up;  ///< not 0 once a worker has timed out
  int capacity;  ///< workers
  bool in_cluster = false;  ///< whether the workers are the blocks of one

  KOKKOS_FUNCTION std::uint64_t* word(int set, int j, int worker) const {
    return words + (static_cast<std::size_t>(set) * words_per_worker + j) * capacity + worker;
  }
  KOKKOS_FUNCTION std::uint64_t* step_of(int worker) const { return word(2, 0, worker); }
  /// All but the last three.
  KOKKOS_FUNCTION static std::size_t length_of_words(int capacity) {
    return (std::size_t{2} * words_per_worker + 1) * capacity;
  }
  static std::size_t length(int capacity) { return length_of_words(capacity) + 3; }
  /// In `length(capacity)` words of memory.
  static BarrierWords in(std::uint64_t* memory, int capacity) {
    std::uint64_t* const end = memory + length_of_words(capacity);
    return {memory, end, end + 1, end + 2, capacity, false};
  }
};

}  // namespace detail

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
