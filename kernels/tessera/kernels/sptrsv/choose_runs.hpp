// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What triangular solves take, estimated from the levels, and the choices that follow from it.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/sptrsv/selection_rules.hpp"
#include "tessera/kernels/sptrsv/sptrsv.hpp"

#include <algorithm>

namespace tessera::kernels::detail {

/// Lanes that share a row, each of which has four of its entries at once.
template <class Space>
int lanes_of_rows(double entries_per_row) {
  int lanes = 1;
  if constexpr (!is_host_space<Space>) {
    while (lanes < 32 && 4 * lanes < entries_per_row)
      lanes *= 2;
  }
  return lanes;
}

/// Bytes of one level: entries, and what a row has beside them.
inline double level_bytes(Ordinal rows, std::int64_t entries, std::size_t scalar_bytes) {
  return static_cast<double>(entries) * static_cast<double>(2 * scalar_bytes + 4) +
         static_cast<double>(rows) * static_cast<double>(4 * scalar_bytes + 12);
}

inline double estimated_by_one_block(Ordinal rows, double bytes, int lanes) {
  constexpr int block = 512;
  const double turns = std::max(1.0, static_cast<double>(rows) * lanes / block);
  return rules::sptrsv_block_level_us +
         std::max(rules::sptrsv_block_turn_us * turns, bytes / rules::sptrsv_block_bytes_per_us);
}

/// Joins neighbouring levels that one block, or one thread of a host, solves for; what they take is
/// added to `microseconds`.
template <class Space>
std::vector<LevelRun> choose_runs(const TriangleLevels<Space>& levels, int lanes,
                                  std::size_t scalar_bytes, bool one_thread, double* microseconds) {
  std::vector<LevelRun> runs;
  for (Ordinal level = 0; level < levels.num_levels; ++level) {
    const Ordinal rows = levels.first[level + 1] - levels.first[level];
    const double bytes = level_bytes(rows, levels.entries[level], scalar_bytes);
    const double by_block = estimated_by_one_block(rows, bytes, lanes);
    const double by_all = rules::sptrsv_launch_us + bytes / rules::sptrsv_device_bytes_per_us;
    const bool one = is_host_space<Space> ? one_thread || rows + levels.entries[level] <
                                                              rules::min_work_of_shared_level
                                          : by_block < by_all;
    *microseconds += one ? by_block : by_all;
    if (one && !runs.empty() && runs.back().by_one_block) {
      runs.back().last_level = level + 1;
      runs.back().widest = std::max(runs.back().widest, rows);
    } else {
      runs.push_back({level, level + 1, one, rows});
      if (one) *microseconds += rules::sptrsv_launch_us;
    }
  }
  return runs;
}

template <class Space>
double estimated_by_counters(const TriangleLevels<Space>& levels, std::size_t scalar_bytes) {
  double microseconds = 2 * rules::sptrsv_launch_us;
  for (Ordinal level = 0; level < levels.num_levels; ++level) {
    const Ordinal rows = levels.first[level + 1] - levels.first[level];
    const double bytes = level_bytes(rows, levels.entries[level], scalar_bytes);
    microseconds += std::max<double>(rules::sptrsv_counters_level_us,
                                     bytes / rules::sptrsv_device_bytes_per_us);
  }
  return microseconds;
}

}  // namespace tessera::kernels::detail
