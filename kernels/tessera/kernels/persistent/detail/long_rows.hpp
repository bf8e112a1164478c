// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows of a share that are far longer than the others: more lanes share them than share a row.
#pragma once

#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/persistent/detail/entry_batch.hpp"

#include <cstdint>

namespace tessera::kernels::detail {

/// In a worker's shared memory; the rows in ascending order.
struct LongRows {
  static constexpr int warp = 32;
  static constexpr int most = 126;
  static constexpr int max_warps = 32;
  /// Entries of a lane beyond which a row is long, and those of a row beyond which all lanes of the
  /// worker share it, not only those of a warp: a lane asks for `entries_at_once` at a time.
  static constexpr int entries_of_lane = 64;
  static constexpr std::int64_t entries_of_warp = 2048;

  int count;
  int longer_than;
  std::int32_t rows[most];
  double parts[max_warps];
};

/// Those of `num_rows` rows that have more entries than `longer_than`; `length(l)` is a row's. By
/// all lanes of a worker of a device. True where there are any. Where there are more than `most`,
/// the rows behind the last of these do not count.
template <class Group, class Length>
KOKKOS_FUNCTION bool find_long_rows(const Group& group, LongRows& list, int num_rows,
                                    int longer_than, const Length& length) {
  int any = 0;
  for (int l = group.lane(); l < num_rows; l += group.num_lanes())
    any += length(l) > longer_than ? 1 : 0;
  const int of_warp = group.sum_of_lanes(any, LongRows::warp);
  if (group.lane() % LongRows::warp == 0) list.parts[group.lane() / LongRows::warp] = of_warp;
  group.synchronize_lanes();
  if (group.lane() == 0) {
    list.count = 0;
    list.longer_than = longer_than;
    double all = 0;
    for (int w = 0; w < group.num_lanes() / LongRows::warp; ++w)
      all += list.parts[w];
    for (int l = 0; all > 0 && l < num_rows && list.count < LongRows::most; ++l) {
      if (length(l) > longer_than) list.rows[list.count++] = l;
    }
  }
  group.synchronize_lanes();
  return list.count > 0;
}

/// `multiply_rows` for the long rows of a share: each by a warp, or by all lanes one after the
/// other.
template <class Group, class Share, class Entry, class Function>
KOKKOS_FUNCTION void multiply_long_rows(const Group& group, const Share& share, const Entry& entry,
                                        const Function& function) {
  LongRows& list = *share.long_rows;
  const auto product = [&](int l, int begin, int step) {
    return share.product(l, begin, step, entry);
  };
  const int warps = group.num_lanes() / LongRows::warp;
  const int lane = group.lane() % LongRows::warp;
  for (int k = group.lane() / LongRows::warp; k < list.count; k += warps) {
    const int l = list.rows[k];
    if (share.length(l) > LongRows::entries_of_warp) continue;
    const auto sum = group.sum_of_lanes(product(l, lane, LongRows::warp), LongRows::warp);
    if (lane == 0) function(l, sum);
  }
  for (int k = 0; k < list.count; ++k) {
    const int l = list.rows[k];
    if (share.length(l) <= LongRows::entries_of_warp) continue;
    const auto part =
        group.sum_of_lanes(product(l, group.lane(), group.num_lanes()), LongRows::warp);
    if (lane == 0) list.parts[group.lane() / LongRows::warp] = static_cast<double>(part);
    group.synchronize_lanes();
    if (group.lane() == 0) {
      double sum = 0;
      for (int w = 0; w < warps; ++w)
        sum += list.parts[w];
      function(l, static_cast<decltype(part + part)>(sum));
    }
    group.synchronize_lanes();
  }
}

}  // namespace tessera::kernels::detail
