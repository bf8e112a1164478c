// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Shapes of teams for the kernels of the sparse product.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/spgemm/detail/row_bins.hpp"

#include <algorithm>

namespace tessera::kernels::spgemm_detail {

/// Lanes of the largest team. A policy of such teams promises it to the compiler, which then keeps
/// the registers of a lane few enough for a launch.
inline constexpr int largest_team = 512;
using LargeTeams = Kokkos::LaunchBounds<largest_team, 1>;

/// Entries per row, from the extents of `columns` and `offsets`.
inline double mean_length(std::size_t num_entries, std::size_t num_offsets) {
  return num_offsets < 2 ? 0.0
                         : static_cast<double>(num_entries) / static_cast<double>(num_offsets - 1);
}

/// Lanes for ranges of `mean_length`: the power of two next above it, from 4 to 32; 1 on a host.
template <class Space>
int lanes_for(double mean_length) {
  if (is_host_space<Space>) return 1;
  int lanes = 4;
  while (lanes < 32 && lanes < mean_length)
    lanes *= 2;
  return lanes;
}

/// Team threads so that a team has about `size` lanes in all; 1 on a host.
template <class Space>
int threads_in_team(int size, int lanes) {
  return is_host_space<Space> ? 1 : std::max(1, size / lanes);
}

/// Larger tables get a team each even where there are rows enough to fill the device.
inline constexpr int max_log2_by_vector = 10;

/// How many team threads of `lanes` lanes make a warp; 1 on a host.
template <class Space>
int rows_in_warp(int lanes) {
  return is_host_space<Space> ? 1 : std::max(1, 32 / lanes);
}

/// Whether the tables of a whole warp's rows, `bytes` each, fit in scratch: Kokkos sizes teams by
/// whole warps.
template <class Space>
bool fits_by_vector(int lanes, int bytes) {
  return rows_in_warp<Space>(lanes) * bytes <= Kokkos::TeamPolicy<Space>::scratch_size_max(0);
}

/// Team threads where each handles a row with `bytes` of scratch: 128 lanes, or as many whole warps
/// as scratch allows. The rows of one warp must fit.
template <class Space>
int rows_in_team(int lanes, int bytes) {
  const int warp = rows_in_warp<Space>(lanes);
  const int warps = Kokkos::TeamPolicy<Space>::scratch_size_max(0) / (warp * bytes);
  return std::min(std::max(1, warps) * warp, threads_in_team<Space>(128, lanes));
}

/// Into how many parts, each for one team thread, the entries of A's row are split. One where there
/// are rows enough to fill the device, or where a row of A is short.
template <class Space>
int parts_for(const Space& exec, const RowBin& bin, int lanes, double a_length) {
  // Several times the lanes that a device holds: the longest row is what all others wait for.
  const std::int64_t lanes_at_hand = 4 * (is_host_space<Space> ? 4096 : exec.concurrency());
  // A table this large leaves room for few teams on a multiprocessor: a row gets several warps.
  const int wanted_lanes = bin.log2_slots >= 11 ? 128 : lanes;
  const int to_fill =
      static_cast<int>(lanes_at_hand / std::max<std::int64_t>(1, std::int64_t(bin.count) * lanes));
  const int wanted = std::max(to_fill, wanted_lanes / lanes);
  int parts = 1;
  while (2 * parts <= std::min({wanted, 16, static_cast<int>(a_length / 4)}))
    parts *= 2;
  return parts;
}

/// Whether all `lanes` lanes of a team should work on one row of B after the other, rather than
/// each of its threads on rows of its own: where the `num_rows` rows of B that make a row of `size`
/// entries are half as long as a team is wide, or longer, on average. A row of B that is much
/// longer than its neighbours is then not left to one thread.
KOKKOS_INLINE_FUNCTION constexpr bool rows_fill_team(std::int64_t size, std::int64_t num_rows,
                                                     int lanes) {
  return num_rows * lanes <= 2 * size;
}

/// How many teams work at once where each needs `bytes` of global memory: at most 256 MiB in all.
template <class Space>
Ordinal teams_for_budget(Ordinal num_rows, std::size_t bytes) {
  const std::size_t budget = std::size_t(1) << 28;
  const std::size_t most = is_host_space<Space> ? 2 : 512;
  return static_cast<Ordinal>(std::clamp<std::size_t>(
      std::min<std::size_t>(budget / std::max<std::size_t>(bytes, 1), num_rows), 1, most));
}

/// `functor` for the rows of its bin, each by a team thread of `functor.lanes` lanes with `bytes`
/// of thread scratch.
template <class Functor, class Space>
void launch_by_vector(const Space& exec, const std::string& label, const Functor& functor,
                      int bytes) {
  const int team = rows_in_team<Space>(functor.lanes, bytes);
  Kokkos::TeamPolicy<Space, typename Functor::ByVector> policy(
      exec, (functor.bin.count + team - 1) / team, team, functor.lanes);
  policy.set_scratch_size(0, Kokkos::PerThread(bytes));
  Kokkos::parallel_for(label, policy, functor);
}

/// The same, each row by a team of `threads` with `bytes` of team scratch.
template <class Functor, class Space>
void launch_by_team(const Space& exec, const std::string& label, const Functor& functor,
                    int threads, int bytes) {
  Kokkos::TeamPolicy<Space, typename Functor::ByTeam, LargeTeams> policy(exec, functor.bin.count,
                                                                         threads, functor.lanes);
  policy.set_scratch_size(0, Kokkos::PerTeam(bytes));
  Kokkos::parallel_for(label, policy, functor);
}

}  // namespace tessera::kernels::spgemm_detail
