// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What triangular solves take, estimated from the levels, and the choices that follow from it.
#pragma once

#include "tessera/kernels/sptrsv/sptrsv.hpp"

#include <algorithm>

namespace tessera::kernels::detail {

/// Microseconds, and bytes per microsecond, fitted to those of an H200. What matters is their
/// ratios: a launch in a row of launches, a barrier of a block with the way to the values of the
/// level before, values that go from one processor to another, and how much one processor reads.
struct SptrsvRates {
  static constexpr double launch = 2.5;
  static constexpr double block_turn = 0.2;  ///< rows that a block solves for at once
  static constexpr double block_level = 0.55;
  static constexpr double block_bytes = 1.8e4;
  static constexpr double counters_level = 0.9;
  static constexpr double device_bytes = 2e6;
};

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
  return SptrsvRates::block_level +
         std::max(SptrsvRates::block_turn * turns, bytes / SptrsvRates::block_bytes);
}

/// Entries and rows of a level from which on a host's threads share it.
inline constexpr std::int64_t host_level_work = 4096;

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
    const double by_all = SptrsvRates::launch + bytes / SptrsvRates::device_bytes;
    const bool one = is_host_space<Space>
                         ? one_thread || rows + levels.entries[level] < host_level_work
                         : by_block < by_all;
    *microseconds += one ? by_block : by_all;
    if (one && !runs.empty() && runs.back().by_one_block) {
      runs.back().last_level = level + 1;
      runs.back().widest = std::max(runs.back().widest, rows);
    } else {
      runs.push_back({level, level + 1, one, rows});
      if (one) *microseconds += SptrsvRates::launch;
    }
  }
  return runs;
}

template <class Space>
double estimated_by_counters(const TriangleLevels<Space>& levels, std::size_t scalar_bytes) {
  double microseconds = 2 * SptrsvRates::launch;
  for (Ordinal level = 0; level < levels.num_levels; ++level) {
    const Ordinal rows = levels.first[level + 1] - levels.first[level];
    const double bytes = level_bytes(rows, levels.entries[level], scalar_bytes);
    microseconds += std::max(SptrsvRates::counters_level, bytes / SptrsvRates::device_bytes);
  }
  return microseconds;
}

}  // namespace tessera::kernels::detail
