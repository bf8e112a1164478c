// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A few entries of a row in a lane's registers.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <cstdint>

/// Before a loop of a device: as many steps as it has side by side, or one. Registers are short.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define TESSERA_UNROLL _Pragma("unroll")
#define TESSERA_NO_UNROLL _Pragma("unroll 1")
#else
#define TESSERA_UNROLL
#define TESSERA_NO_UNROLL
#endif

namespace tessera::kernels::detail {

/// Entries of a row for which a lane asks the vector before it waits for the first of them: each is
/// a way to the L2 cache, 0.3 to 0.6 us on an H200.
inline constexpr int entries_at_once = 4;
/// Entries of the matrix that a lane holds for a whole solve, at most. It asks for all of them at
/// once.
inline constexpr int max_held_entries = 8;

/// Up to `size` entries of a row, the rest of which are idle. Loops are of constant length, and
/// without branches, so that the arrays stay in registers and loads go out one behind the other.
template <class Scalar, int size>
struct EntryBatch {
  int count = 0;
  Ordinal columns[size] = {};
  Scalar values[size] = {};

  /// The first of the entries from there on, `step` apart, at most `most`; there are `length` > 0
  /// up to the end of the row. `idle` is a column that the vector has.
  KOKKOS_FUNCTION void load(const Ordinal* from_columns, const Scalar* from_values, int length,
                            int step, Ordinal idle, int most = size) {
    count = 0;
    TESSERA_UNROLL
    for (int k = 0; k < size; ++k) {
      const bool is_there = k < most && k * step < length;
      const int at = is_there ? k * step : 0;
      const Ordinal column = from_columns[at];
      columns[k] = is_there ? column : idle;
      values[k] = from_values[at];
      count += is_there ? 1 : 0;
    }
  }

  /// `sum` with the entries times those of a vector, added one after the other.
  template <class Entry>
  KOKKOS_FUNCTION Scalar add_to(Scalar sum, const Entry& entry) const {
    Scalar x[size];
    TESSERA_UNROLL
    for (int k = 0; k < size; ++k)
      x[k] = entry(columns[k]);
    TESSERA_UNROLL
    for (int k = 0; k < size; ++k)
      sum = k < count ? sum + values[k] * x[k] : sum;
    return sum;
  }
};

}  // namespace tessera::kernels::detail
