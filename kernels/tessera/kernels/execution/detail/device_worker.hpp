// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A worker of a cooperative group that is a block of one launch; see device_group.hpp.
#pragma once

#include "tessera/kernels/execution/concurrent_access.hpp"
#include "tessera/kernels/execution/detail/barrier_words.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <cstdint>

namespace tessera::kernels::detail {

/// What a thread knows of its block, and of the group's clock.
template <class Api>
class DeviceWorker {
 public:
  static constexpr bool one_share_per_worker = true;
  static constexpr int warp = 32;
  static constexpr std::uint32_t barriers_between_clocks = 16;
  static constexpr int max_threads = 1024;
  static constexpr int max_warps = max_threads / warp;

  /// What a worker of a cluster lets the others read.
  struct Published {
    double sums[max_group_sums];
    int time_is_up;
    int failed;
  };

  /// Shared memory that a worker has for itself before the scratch of the work.
  struct Shared {
    Published published[2];
    double of_warps[2][max_group_sums][max_warps];
    double of_workers[max_group_sums][max_warps];
    int time_is_up[2];
    int failed;
  };
  static constexpr std::size_t own_bytes = (sizeof(Shared) + 127) / 128 * 128;

  struct Limits {
    std::uint64_t ticks;  ///< of a launch; 0: none
    std::uint64_t timeout_ticks;  ///< that a worker waits for the others
  };

  KOKKOS_FUNCTION DeviceWorker(const BarrierWords& board, const Limits& limits)
      : m_board(board),
        m_limits(limits),
        m_start(Api::ticks()),
        m_barrier(board.in_cluster ? 0 : static_cast<std::uint32_t>(*board.barriers)) {
    if (Api::thread() == 0) {
      shared().time_is_up[0] = 0;
      shared().time_is_up[1] = 0;
      shared().failed = 0;
    }
    Api::synchronize();
  }

  KOKKOS_FUNCTION int num_shares() const { return Api::num_blocks(); }
  KOKKOS_FUNCTION int num_lanes() const { return Api::num_threads(); }
  KOKKOS_FUNCTION int lane() const { return Api::thread(); }
  KOKKOS_FUNCTION bool is_first() const { return Api::block() == 0 && Api::thread() == 0; }
  KOKKOS_FUNCTION std::byte* scratch() const { return Api::shared_memory() + own_bytes; }

  template <class Function>
  KOKKOS_FUNCTION void for_each_share(const Function& function) const {
    function(Api::block());
  }
  template <class Function>
  KOKKOS_FUNCTION void for_each(std::int64_t n, const Function& function) const {
    const std::int64_t stride = static_cast<std::int64_t>(Api::num_blocks()) * Api::num_threads();
    for (std::int64_t i =
             static_cast<std::int64_t>(Api::block()) * Api::num_threads() + Api::thread();
         i < n; i += stride)
      function(i);
  }

  KOKKOS_FUNCTION void synchronize_lanes() const { Api::synchronize(); }
  KOKKOS_FUNCTION void synchronize_first(int lanes) const { Api::synchronize_first(lanes); }
  KOKKOS_FUNCTION int lanes_that_synchronize(int wanted) const {
    return Api::synchronizes_in_part && wanted < num_lanes() ? wanted : num_lanes();
  }
  KOKKOS_FUNCTION bool any_of_warp(bool flag) const { return Api::any(flag); }
  template <class T>
  KOKKOS_FUNCTION T sum_of_lanes(T value, int lanes) const {
    for (int distance = lanes / 2; distance > 0; distance /= 2)
      value += Api::exchange(value, distance);
    return value;
  }

  /// The same for all lanes of all workers, as of the last barrier.
  KOKKOS_FUNCTION bool time_is_up() const { return m_time_is_up; }
  /// True where other workers never came: nothing that was summed up means anything then.
  KOKKOS_FUNCTION bool has_failed() const { return m_failed; }

  /// How long a lane has waited for what another worker writes.
  struct Wait {
    unsigned looks = 0;
    std::uint64_t since = 0;
    bool has_timed_out = false;
  };
  /// To be called at each look. True where nothing more will come: then the next barrier finds that
  /// the group has failed.
  KOKKOS_FUNCTION bool timed_out(Wait& wait) const {
    constexpr unsigned looks_between_clocks = 1024;
    if (wait.has_timed_out || ++wait.looks % looks_between_clocks != 0) return wait.has_timed_out;
    const std::uint64_t now = Api::ticks();
    if (wait.since == 0) wait.since = now;
    const bool is_over = now - wait.since > m_limits.timeout_ticks;
    if (is_over) Api::store(m_board.given_up, 1);
    wait.has_timed_out = is_over || Api::load(m_board.given_up) != 0;
    if (wait.has_timed_out) shared().failed = 1;
    return wait.has_timed_out;
  }

 protected:
  KOKKOS_FUNCTION Shared& shared() const {
    return *reinterpret_cast<Shared*>(Api::shared_memory());
  }
  KOKKOS_FUNCTION int num_warps() const { return (Api::num_threads() + warp - 1) / warp; }
  KOKKOS_FUNCTION void step() { ++m_barrier; }
  /// Looks at the clock, which takes longer than other registers, at some barriers alone.
  KOKKOS_FUNCTION bool is_over() const {
    return m_limits.ticks != 0 && m_barrier % barriers_between_clocks == 0 &&
           Api::ticks() - m_start > m_limits.ticks;
  }

  /// The sum of each warp, to `of_warps`. All lanes of the block's warps are there.
  template <int N>
  KOKKOS_FUNCTION void sum_warps(const double* sums) const {
    for (int k = 0; k < N; ++k) {
      const double value = sum_of_lanes(sums[k], warp);
      if (Api::thread() % warp == 0)
        shared().of_warps[m_barrier % 2][k][Api::thread() / warp] = value;
    }
  }
  /// Of what `sum_warps` has left, by the first warp.
  KOKKOS_FUNCTION double sum_of_warps(int k) const {
    const int w = Api::thread();
    return sum_of_lanes(w < num_warps() ? shared().of_warps[m_barrier % 2][k][w] : 0.0, warp);
  }
  template <int N>
  KOKKOS_FUNCTION void add_up(const double (*parts)[max_warps], int count, double* sums) const {
    for (int k = 0; k < N; ++k) {
      double sum = parts[k][0];
      for (int w = 1; w < count; ++w)
        sum += parts[k][w];
      sums[k] = sum;
    }
  }

  /// Where there are no others to tell: before and after the lanes have synchronized. A slow lane
  /// may still read what the barrier before this one has left: it lies elsewhere.
  KOKKOS_FUNCTION void look_at_clock_alone() const {
    if (Api::thread() == 0) shared().time_is_up[m_barrier % 2] = is_over() ? 1 : 0;
  }
  KOKKOS_FUNCTION void read_clock() {
    m_time_is_up = m_time_is_up || shared().time_is_up[m_barrier % 2] != 0;
  }

  BarrierWords m_board;
  Limits m_limits;
  std::uint64_t m_start;
  std::uint32_t m_barrier;
  bool m_time_is_up = false;
  bool m_failed = false;
};

}  // namespace tessera::kernels::detail
