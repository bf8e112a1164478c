// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Norms of the segments of a vector, one for each row of tiles.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::kernels::detail {

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
