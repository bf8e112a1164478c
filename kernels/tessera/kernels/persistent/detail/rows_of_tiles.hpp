// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A share of rows of tiles for `multiply_rows`, and the norms of a vector's segments, one for each
/// row of tiles.
#pragma once

#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/persistent/detail/long_rows.hpp"

#include <cstdint>

namespace tessera::kernels::detail {

/// A share seen as rows whose products are those of tiles, in which their length is counted: for
/// `multiply_rows`. The rows of a row of tiles are long together; a warp each keeps all lanes busy.
template <class Share>
struct RowsOfTiles {
  static constexpr bool may_have_long_rows = true;
  static constexpr bool holds_entries = false;
  static constexpr bool may_have_window = false;
  const Share& share;
  int rows;
  LongRows* long_rows;

  KOKKOS_FUNCTION explicit RowsOfTiles(const Share& share)
      : share(share), rows(share.rows), long_rows(share.long_rows_of_tiles) {}
  KOKKOS_FUNCTION std::int64_t length(int l) const { return share.num_tiles_of_row(l); }
  KOKKOS_FUNCTION bool is_long(int l) const {
    return long_rows != nullptr && l <= long_rows->rows[long_rows->count - 1] &&
           length(l) > long_rows->longer_than;
  }
  template <class Entry>
  KOKKOS_FUNCTION double product(int l, int lane, int lanes, const Entry& entry) const {
    return share.tiled_product(l, lane, lanes, entry);
  }
};

/// Calls `function(l, values)` for each row of a share, by one lane each, and leaves the norms of
/// each segment of `size` rows in `norms`, one array for each of the N values. By all lanes of the
/// worker.
template <int size, int N, class Group, class Share, class Function>
KOKKOS_FUNCTION void visit_with_norms(const Group& group, const Share& share, double* (&norms)[N],
                                      const Function& function) {
  if constexpr (Group::one_share_per_worker) {
    for (int base = 0; base < share.rows; base += group.num_lanes()) {
      const int l = base + group.lane();
      const bool is_row = l < share.rows;
      double values[N] = {};
      if (is_row) function(l, values);
      for (int k = 0; k < N; ++k) {
        const double sum = group.sum_of_lanes(values[k] * values[k], size);
        if (is_row && l % size == 0) norms[k][(share.first + l) / size] = Kokkos::sqrt(sum);
      }
    }
  } else {
    for (int begin = 0; begin < share.rows; begin += size) {
      double sums[N] = {};
      for (int l = begin; l < share.rows && l < begin + size; ++l) {
        double values[N] = {};
        function(l, values);
        for (int k = 0; k < N; ++k)
          sums[k] += values[k] * values[k];
      }
      for (int k = 0; k < N; ++k)
        norms[k][(share.first + begin) / size] = Kokkos::sqrt(sums[k]);
    }
  }
}

}  // namespace tessera::kernels::detail
