// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The part of a vector that a worker's products read, in its shared memory.
#pragma once

#include "tessera/kernels/persistent/detail/entry_batch.hpp"

#include <Kokkos_Core.hpp>

namespace tessera::kernels::detail {

/// Columns `first` up to `first + length` of the vector that is being multiplied by.
///
/// Lanes whose rows follow one another, or are longer than `entries_at_once`, wait for the L2 cache
/// again and again; a worker that has fetched a column once, all of them at a time, waits once and
/// makes an entry such as z + beta p once. So this is for rows whose columns lie close together.
template <class Scalar>
struct ColumnWindow {
  Scalar* entries = nullptr;  ///< null where products read the vector itself
  Ordinal first = 0;
  int length = 0;

  /// It is worth its bytes where a column is read so many times on average.
  static constexpr int reads_of_column = 2;

  KOKKOS_FUNCTION Scalar operator()(Ordinal column) const { return entries[column - first]; }

  /// By all lanes of a worker, with `synchronize_lanes` to come: other lanes write what one reads.
  template <class Group, class Entry>
  KOKKOS_FUNCTION void fill(const Group& group, const Entry& entry) const {
    TESSERA_NO_UNROLL
    for (int begin = group.lane(); begin < length; begin += entries_at_once * group.num_lanes()) {
      // All are asked for before the first is stored, behind which the compiler moves no load.
      Scalar some[entries_at_once];
      TESSERA_UNROLL
      for (int k = 0; k < entries_at_once; ++k) {
        const int at = begin + k * group.num_lanes();
        some[k] = entry(first + (at < length ? at : 0));
      }
      TESSERA_UNROLL
      for (int k = 0; k < entries_at_once; ++k) {
        const int at = begin + k * group.num_lanes();
        if (at < length) entries[at] = some[k];
      }
    }
  }
};

/// The first and the last of `count` columns and `own`, left in `range` by all lanes of a worker of
/// a device; they may read it.
template <class Group>
KOKKOS_FUNCTION void find_column_range(const Group& group, const Ordinal* columns,
                                       std::int64_t count, Ordinal own, Ordinal* range) {
  if (group.lane() == 0) range[0] = range[1] = own;
  group.synchronize_lanes();
  Ordinal low = own;
  Ordinal high = own;
  for (std::int64_t e = group.lane(); e < count; e += group.num_lanes()) {
    const Ordinal column = columns[e];
    low = column < low ? column : low;
    high = column > high ? column : high;
  }
  Kokkos::atomic_min(&range[0], low);
  Kokkos::atomic_max(&range[1], high);
  group.synchronize_lanes();
}

}  // namespace tessera::kernels::detail
