// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A cooperative group whose workers are the threads of one team of a host; see
/// execution/cooperative_group.hpp.
#pragma once

#include "tessera/kernels/execution/concurrent_access.hpp"
#include "tessera/kernels/execution/detail/device_group.hpp"

#include <chrono>
#include <cstdint>

namespace tessera::kernels::detail {

/// The memory by which the threads of a host exchange their shares' sums: two sets, which
/// alternate, of one sum per share.
struct HostBarrierState {
  double* parts;
  int* time_is_up;  ///< one for each set
  std::uint64_t* steps;  ///< to which shares have come: see `DeviceGroup::synchronize_neighbours`
  int capacity;  ///< shares

  KOKKOS_FUNCTION double* part(int set, int k) const {
    return parts + (static_cast<std::size_t>(set) * max_group_sums + k) * capacity;
  }
};

/// Distributes the shares to the threads in order, so that sums do not depend on how many there
/// are. Its functions are called from those of a work, which are of the device too.
template <class Member>
class HostGroup {
 public:
  static constexpr bool one_share_per_worker = false;
  using Clock = std::chrono::steady_clock;

  HostGroup(const Member& member, const HostBarrierState& board, int shares, double time_limit_s)
      : m_member(member),
        m_board(board),
        m_shares(shares),
        m_limit(time_limit_s),
        m_start(Clock::now()) {
    // Barriers are numbered from 1 on in each launch. All of them synchronize before anybody looks.
    for_each_share([&](int share) { store_relaxed(m_board.steps + share, std::uint64_t{0}); });
  }

  KOKKOS_FUNCTION int num_shares() const { return m_shares; }
  KOKKOS_FUNCTION int num_lanes() const { return 1; }
  KOKKOS_FUNCTION int lane() const { return 0; }
  KOKKOS_FUNCTION bool is_first() const { return m_member.team_rank() == 0; }
  KOKKOS_FUNCTION std::byte* scratch() const { return nullptr; }

  template <class Function>
  KOKKOS_FUNCTION void for_each_share(const Function& function) const {
    for (int share = begin_of(m_member.team_rank(), m_shares);
         share < begin_of(m_member.team_rank() + 1, m_shares); ++share)
      function(share);
  }
  template <class Function>
  KOKKOS_FUNCTION void for_each(std::int64_t n, const Function& function) const {
    const std::int64_t end = begin_of(m_member.team_rank() + 1, n);
    for (std::int64_t i = begin_of(m_member.team_rank(), n); i < end; ++i)
      function(i);
  }

  KOKKOS_FUNCTION void synchronize_lanes() const {}
  template <class T>
  KOKKOS_FUNCTION T sum_of_lanes(T value, int) const {
    return value;
  }

  KOKKOS_FUNCTION void barrier() {
    ++m_barrier;
    look_at_clock();
    m_member.team_barrier();
    read_clock();
  }

  template <int N, class Term>
  KOKKOS_FUNCTION void sum(double (&sums)[N], const Term& term) {
    static_assert(N <= max_group_sums);
    ++m_barrier;
    const int set = m_barrier % 2;
    for_each_share([&](int share) {
      double parts[N] = {};
      term(share, parts);
      for (int k = 0; k < N; ++k)
        m_board.part(set, k)[share] = parts[k];
    });
    look_at_clock();
    m_member.team_barrier();
    read_clock();
    for (int k = 0; k < N; ++k) {
      sums[k] = 0;
      for (int share = 0; share < m_shares; ++share)
        sums[k] += m_board.part(set, k)[share];
    }
  }

  template <class RangeOf>
  KOKKOS_FUNCTION void synchronize_neighbours(int step, const RangeOf& range_of) {
    if (range_of(0).is_barrier()) {
      barrier();
      return;
    }
    const std::uint64_t now = std::uint64_t{m_barrier} << 32 | static_cast<std::uint32_t>(step);
    for_each_share([&](int share) { store_release(m_board.steps + share, now); });
    for_each_share([&](int share) {
      const ShareRange range = range_of(share);
      for (int other = range.first; other <= range.last; ++other) {
        for (std::uint32_t tries = 0; load_acquire(m_board.steps + other) < now; ++tries)
          pause_between_tries(tries);
      }
    });
  }

  KOKKOS_FUNCTION bool time_is_up() const { return m_time_is_up; }
  KOKKOS_FUNCTION bool has_failed() const { return false; }

 private:
  template <class Index>
  KOKKOS_FUNCTION Index begin_of(int worker, Index n) const {
    return static_cast<Index>(static_cast<std::int64_t>(n) * worker / m_member.team_size());
  }
  /// Before and after the threads have synchronized.
  KOKKOS_FUNCTION void look_at_clock() const {
    KOKKOS_IF_ON_HOST((if (is_first()) {
      const std::chrono::duration<double> elapsed = Clock::now() - m_start;
      m_board.time_is_up[m_barrier % 2] = m_limit > 0 && elapsed.count() > m_limit ? 1 : 0;
    }))
  }
  KOKKOS_FUNCTION void read_clock() {
    m_time_is_up = m_time_is_up || m_board.time_is_up[m_barrier % 2] != 0;
  }

  const Member& m_member;
  HostBarrierState m_board;
  int m_shares;
  double m_limit;
  typename Clock::time_point m_start;
  unsigned m_barrier = 0;
  bool m_time_is_up = false;
};

}  // namespace tessera::kernels::detail
