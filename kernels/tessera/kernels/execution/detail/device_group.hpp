// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A cooperative group whose workers are the blocks of one launch; see
/// execution/cooperative_group.hpp.
///
/// Workers synchronize without a counter: each writes what it has to say, stamped with the number
/// of the barrier, into words of its own, and each reads the words of all others until they have
/// that number. A sum and a barrier are therefore one way through the L2 cache and back, no two
/// workers write to one place, and nothing is ever set back to zero between barriers. Half a double
/// and the stamp share a word of 64 bits, as no wider one is written and read as a whole
/// everywhere.
///
/// Words alternate between two sets. A worker writes to a set for barrier g + 2 when it has left
/// barrier g + 1, which all others had to come to, having read what they wanted of barrier g.
///
/// Neighbours synchronize by one word each: the number of the last barrier of all, and that of a
/// step since then. It only ever rises, from launch to launch, too, so that it is not set back
/// either.
///
/// The blocks of one cluster synchronize by its barrier, and each reads the others' sums in their
/// shared memory, 1.1 to 1.5 us on an H200 for the 2.5 to 3 that words take (16 blocks); the board
/// serves only those who time out. Sums are the same bits.
#pragma once

#include "tessera/kernels/execution/concurrent_access.hpp"
#include "tessera/kernels/execution/detail/barrier_words.hpp"
#include "tessera/kernels/execution/detail/device_worker.hpp"
#include "tessera/kernels/execution/share_range.hpp"

#include <cstdint>

namespace tessera::kernels::detail {

/// What a thread knows of its group.
template <class Api>
class DeviceGroup : public DeviceWorker<Api> {
  using Worker = DeviceWorker<Api>;

 public:
  using typename Worker::Limits;
  using typename Worker::Published;
  using typename Worker::Wait;
  using Worker::is_first;
  using Worker::sum_of_lanes;
  using Worker::timed_out;
  using Worker::warp;

  KOKKOS_FUNCTION DeviceGroup(const BarrierWords& board, const Limits& limits)
      : Worker(board, limits) {}

  KOKKOS_FUNCTION void barrier() {
    if (m_failed) return;
    if (Api::num_blocks() == 1) {
      step();
      look_at_clock_alone();
      Api::synchronize();
      read_clock();
      return;
    }
    step();
    Api::synchronize();
    synchronize_with_others<0>(nullptr);
  }

  template <int N, class Term>
  KOKKOS_FUNCTION void sum(double (&sums)[N], const Term& term) {
    static_assert(N <= max_group_sums);
    for (int k = 0; k < N; ++k)
      sums[k] = 0;
    term(Api::block(), sums);
    if (m_failed) return;
    step();
    this->template sum_warps<N>(sums);
    if (Api::num_blocks() == 1) {
      look_at_clock_alone();
      Api::synchronize();
      read_clock();
      this->template add_up<N>(shared().of_warps[m_barrier % 2], num_warps(), sums);
    } else {
      Api::synchronize();
      synchronize_with_others<N>(sums);
    }
  }

  /// The block's barrier, the release, the acquire and the other barrier make of what any thread of
  /// a neighbour wrote something that any thread here reads.
  template <class RangeOf>
  KOKKOS_FUNCTION void synchronize_neighbours(int step, const RangeOf& range_of) {
    const ShareRange range = range_of(Api::block());
    // One block and those of a cluster leave the numbers of barriers on the board as they are.
    if (range.is_barrier() || Api::num_blocks() == 1 || m_board.in_cluster) {
      barrier();
      return;
    }
    if (m_failed) return;
    const std::uint64_t now = std::uint64_t{m_barrier} << 32 | static_cast<std::uint32_t>(step);
    Api::synchronize();
    if (Api::thread() == 0) store_release(m_board.step_of(Api::block()), now);
    // By the last threads, as the first waits for its own store.
    for (int share = range.first + Api::num_threads() - 1 - Api::thread(); share <= range.last;
         share += Api::num_threads()) {
      if (share == Api::block()) continue;
      for (Wait wait; load_acquire(m_board.step_of(share)) < now;) {
        Api::pause();
        if (timed_out(wait)) break;
      }
    }
    Api::synchronize();
    m_failed = shared().failed != 0;
  }

  /// At the end of the launch, by all threads.
  KOKKOS_FUNCTION void leave() {
    if (Api::num_blocks() == 1) return;  // has not touched the board
    if constexpr (Api::has_clusters) {
      if (m_board.in_cluster) {
        Api::synchronize_cluster();  // shared memory that others read lasts as long as its block
        return;
      }
    }
    if (m_failed) return;  // the board is of no use until the host has cleared it
    constexpr std::uint32_t limit = 1u << 30;
    if (m_barrier < limit) {
      // All workers have read it: none gets through the first barrier before.
      if (is_first()) Api::store(m_board.barriers, m_barrier);
      return;
    }
    // Barriers are numbered again, by the last one that leaves, before old numbers come again.
    Api::synchronize();
    if (Api::thread() == 0) {
      Api::fence();
      const auto before = Api::count(m_board.left);
      Api::fence();
      shared().failed = before + 1 == static_cast<std::uint64_t>(Api::num_blocks()) ? 1 : 0;
    }
    Api::synchronize();
    if (shared().failed == 0) return;
    const auto length = static_cast<int>(BarrierWords::length_of_words(m_board.capacity));
    for (int i = Api::thread(); i < length; i += Api::num_threads())
      Api::store(m_board.words + i, 0);
    if (Api::thread() == 0) {
      Api::store(m_board.barriers, 0);
      Api::store(m_board.left, 0);
    }
  }

 private:
  using Worker::is_over;
  using Worker::look_at_clock_alone;
  using Worker::m_barrier;
  using Worker::m_board;
  using Worker::m_failed;
  using Worker::m_time_is_up;
  using Worker::num_warps;
  using Worker::read_clock;
  using Worker::shared;
  using Worker::step;
  using Worker::sum_of_warps;

  /// After the lanes of each worker have synchronized: publishes, reads the others, and adds up in
  /// one order everywhere.
  template <int N>
  KOKKOS_FUNCTION void synchronize_with_others(double* sums) {
    if constexpr (Api::has_clusters) {
      if (m_board.in_cluster) {
        synchronize_in_cluster<N>(sums);
        return;
      }
    }
    synchronize_by_words<N>(sums);
  }

  /// Each warp reads what the others have published, so that the lanes need not synchronize once
  /// more.
  template <int N>
  KOKKOS_FUNCTION void synchronize_in_cluster(double* sums) {
    const int j = Api::thread() % warp;
    Published& published = shared().published[m_barrier % 2];
    if (Api::thread() < warp) {
      for (int k = 0; k < N; ++k) {
        const double sum = sum_of_warps(k);
        if (j == 0) published.sums[k] = sum;
      }
      if (j == 0) {
        published.time_is_up = Api::block() == 0 && is_over() ? 1 : 0;
        published.failed = shared().failed;
      }
    }
    Api::synchronize_cluster();
    double received[N == 0 ? 1 : N] = {};
    bool time_is_up = false, failed = false;
    if (j < Api::num_blocks()) {
      const Published& others = *Api::of_block(&published, j);
      for (int k = 0; k < N; ++k)
        received[k] = others.sums[k];
      time_is_up = others.time_is_up != 0;
      failed = others.failed != 0;
    }
    for (int k = 0; k < N; ++k)
      sums[k] = sum_of_lanes(received[k], warp);
    if (Api::any(time_is_up)) m_time_is_up = true;
    m_failed = Api::any(failed);
  }

  template <int N>
  KOKKOS_FUNCTION void synchronize_by_words(double* sums) {
    constexpr int words = N == 0 ? 1 : 2 * N;
    if (Api::thread() < warp) publish<N, words>();
    double received[N == 0 ? 1 : N] = {};
    read_others<N, words>(received);
    const int read_by = num_reading_warps();
    if (Api::thread() / warp < read_by) {
      for (int k = 0; k < N; ++k) {
        const double value = sum_of_lanes(received[k], warp);
        if (Api::thread() % warp == 0) shared().of_workers[k][Api::thread() / warp] = value;
      }
    }
    Api::synchronize();
    read_clock();
    m_failed = shared().failed != 0;
    if constexpr (N > 0) this->template add_up<N>(shared().of_workers, read_by, sums);
  }

  KOKKOS_FUNCTION int num_reading_warps() const {
    const int threads =
        Api::num_blocks() < Api::num_threads() ? Api::num_blocks() : Api::num_threads();
    return (threads + warp - 1) / warp;
  }

  /// By the first warp. What the block's threads wrote before they synchronized comes before these
  /// words: the barrier of the block and the fence see to that.
  template <int N, int words>
  KOKKOS_FUNCTION void publish() const {
    const int j = Api::thread();
    double mine = 0;
    for (int k = 0; k < N; ++k) {
      const double sum = sum_of_warps(k);
      if (j / 2 == k) mine = sum;
    }
    if (j >= words) return;
    const auto bits = Kokkos::bit_cast<std::uint64_t>(mine);
    const std::uint64_t half = j % 2 == 0 ? bits & 0xffffffffu : bits >> 32;
    const std::uint64_t over = j == 0 && Api::block() == 0 && is_over() ? 1 : 0;
    Api::fence();
    Api::store(m_board.word(m_barrier % 2, j, Api::block()),
               half << 32 | std::uint64_t{stamp()} << 1 | over);
  }
  KOKKOS_FUNCTION std::uint32_t stamp() const { return m_barrier & 0x7fffffffu; }

  template <int N, int words>
  KOKKOS_FUNCTION void read_others(double* sums) const {
    if (Api::thread() >= Api::num_blocks()) return;
    for (int worker = Api::thread(); worker < Api::num_blocks(); worker += Api::num_threads()) {
      std::uint64_t received[words] = {};
      if (!await<words>(worker, received)) break;
      if (worker == 0) shared().time_is_up[m_barrier % 2] = static_cast<int>(received[0] & 1);
      for (int k = 0; k < N; ++k)
        sums[k] +=
            Kokkos::bit_cast<double>(received[2 * k] >> 32 | (received[2 * k + 1] >> 32) << 32);
    }
    Api::fence();
  }

  /// Until the words of `worker` are of this barrier. False where that takes too long.
  template <int words>
  KOKKOS_FUNCTION bool await(int worker, std::uint64_t (&received)[words]) const {
    for (Wait wait;;) {
      bool all = true;
      for (int j = 0; j < words; ++j)
        received[j] = Api::load(m_board.word(m_barrier % 2, j, worker));
      for (int j = 0; j < words; ++j)
        all = all && static_cast<std::uint32_t>(received[j]) >> 1 == stamp();
      if (all) return true;
      Api::pause();
      if (timed_out(wait)) return false;
    }
  }
};

}  // namespace tessera::kernels::detail
