// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows that a team sorts.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::kernels::detail {

/// Rows up to this length are sorted by counting, for each item, the smaller ones; longer rows by
/// the bitonic network.
inline constexpr int longest_counted_row = 256;

/// The teams that share all long rows of a matrix on a device.
inline constexpr int long_row_teams = 256;
inline constexpr int long_row_team_threads = 256;

/// The rows that the counting kernel leaves to the bitonic one, in no particular order; each is
/// sorted on its own, so that the order does not show in the result.
template <class Space>
struct LongRowList {
  Array<Ordinal, Space> rows;
  Array<int, Space> count;

  LongRowList(const Space& exec, std::size_t num_entries)
      : rows(allocate<Ordinal>(exec, "tessera::long_rows", num_entries / longest_counted_row)),
        count(Kokkos::view_alloc(exec, "tessera::long_row_count"), 1) {}

  KOKKOS_INLINE_FUNCTION void push(Ordinal row) const {
    rows(Kokkos::atomic_fetch_add(&count(0), 1)) = row;
  }
};

}  // namespace tessera::kernels::detail
