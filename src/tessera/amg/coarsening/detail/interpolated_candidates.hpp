// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The candidates by row, for the filters of rows.
#pragma once

#include "tessera/amg/coarsening/detail/smoothing_input.hpp"

namespace tessera::amg::detail {

/// The candidates by row.
template <class Scalar, class Space, class Offset>
struct InterpolateCandidates {
  SmoothingInput<Scalar, Space, Offset> in;
  Array<Scalar, Space> candidates;

  KOKKOS_FUNCTION void operator()(Ordinal i) const { candidates(i) = in.interpolated_candidate(i); }
};

/// The candidates by row where filters look at them, else none.
template <class Scalar, class Space, class Offset>
Array<Scalar, Space> interpolated_candidates(const Space& exec,
                                             const SmoothingInput<Scalar, Space, Offset>& in) {
  Array<Scalar, Space> candidates;
  if (in.filter_squared > 0) {
    const Ordinal n = in.A.num_rows;
    candidates = allocate<Scalar>(exec, "tessera::smooth_prolongator::candidates", n);
    Kokkos::parallel_for("tessera::smooth_prolongator::candidates",
                         Kokkos::RangePolicy<Space>(exec, 0, n),
                         InterpolateCandidates<Scalar, Space, Offset>{in, candidates});
  }
  return candidates;
}

}  // namespace tessera::amg::detail
