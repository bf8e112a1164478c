// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which aggregates the rows of the smoothed prolongator reach.
#pragma once

#include "tessera/amg/detail/smoothing_input.hpp"
#include "tessera/kernels/graph/sorted_batch.hpp"

namespace tessera::amg::detail {

inline constexpr int smoothing_batch = 32;
using AggregateBatch = kernels::SortedBatch<smoothing_batch>;

/// The next aggregates that row i of P has entries for.
template <class Scalar, class Space, class Offset>
KOKKOS_FUNCTION void collect_aggregates(const SmoothingInput<Scalar, Space, Offset>& in, Ordinal i,
                                        bool filtered, AggregateBatch& batch) {
  batch.next();
  Ordinal last = in.aggregate(i);
  batch.insert(last);
  for (Offset k = in.A.offsets(i); k < in.A.offsets(i + 1); ++k) {
    if (filtered && !in.strong(i, k)) continue;
    const Ordinal g = in.aggregate(in.A.columns(k));
    if (g != last) batch.insert(g);
    last = g;
  }
}

/// The pattern's row lengths.
template <class Scalar, class Space, class Offset>
struct CountSmoothed {
  SmoothingInput<Scalar, Space, Offset> in;
  Array<Offset, Space> counts;
  Array<RowFilter<Scalar>, Space> filters;  ///< none where nothing is filtered

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    if (!in.smooths(i)) {
      counts(i) = in.tentative_length(i);
      return;
    }
    if (in.stands_alone(i)) {
      counts(i) = 0;
      return;
    }
    bool filtered = false;
    if (filters.extent(0) > 0) {
      filters(i) = in.filter(i);
      filtered = filters(i).filtered;
    }
    AggregateBatch batch;
    Offset count = 0;
    do {
      collect_aggregates(in, i, filtered, batch);
      count += batch.size();
    } while (batch.overflown());
    counts(i) = count * in.m;
  }
};

}  // namespace tessera::amg::detail
