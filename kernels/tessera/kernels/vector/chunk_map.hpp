// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How sums over the entries of a column are cut up, so that their order depends neither on the
/// number of threads nor on their order.
#pragma once

#include "tessera/kernels/vector/reductions.hpp"

namespace tessera::kernels::detail {

/// Into how many chunks a column is cut at most where a team of a device takes one each: as many as
/// run at once. With twice as many the second half began when the first had waited for its loads,
/// its sum and its place in memory one after the other.
inline constexpr int device_max_chunks = reduction_max_chunks / 2;

/// How a column of `n` entries is cut up; the length is a multiple of a cache line.
struct ChunkMap {
  Ordinal n = 0;
  Ordinal length = 0;
  int count = 0;

  explicit ChunkMap(Ordinal num_entries, int max_chunks = reduction_max_chunks) : n(num_entries) {
    constexpr Ordinal granule = 1024;
    const Ordinal granules = n / granule + (n % granule != 0 ? 1 : 0);
    const Ordinal granules_per_chunk = granules / max_chunks + (granules % max_chunks != 0 ? 1 : 0);
    length = granule * (granules_per_chunk > 0 ? granules_per_chunk : 1);
    count = n == 0 ? 1 : (n - 1) / length + 1;
  }
  KOKKOS_FUNCTION Ordinal begin(int chunk) const { return chunk * length; }
  KOKKOS_FUNCTION Ordinal end(int chunk) const {
    return n - begin(chunk) < length ? n : begin(chunk) + length;
  }
};

}  // namespace tessera::kernels::detail
