// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Some of a cooperative group's shares, and the rows that each has.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <cstdint>

namespace tessera::kernels::detail {

/// Shares `first` to `last`, for which another one waits; none where that is less.
struct ShareRange {
  std::int32_t first = 0;
  std::int32_t last = -1;

  /// In place of the ranges of all shares: all wait for all.
  KOKKOS_FUNCTION static constexpr ShareRange barrier() { return {0, 0x7fffffff}; }
  KOKKOS_FUNCTION bool is_barrier() const { return last == 0x7fffffff; }
};

/// Where the rows of share `share` of `shares` begin, of a step that all share by equal numbers.
KOKKOS_INLINE_FUNCTION Ordinal first_row_of_share(Ordinal num_rows, int share, int shares) {
  return static_cast<Ordinal>(static_cast<std::int64_t>(num_rows) * share / shares);
}

}  // namespace tessera::kernels::detail
