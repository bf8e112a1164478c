// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The near-nullspace vectors by row, for the filters of rows.
#pragma once

#include "tessera/amg/coarsening/detail/smoothing_input.hpp"

namespace tessera::amg::detail {

/// The near-nullspace vectors by row.
template <class Scalar, class Space, class Offset>
struct InterpolateNearNullspace {
  SmoothingInput<Scalar, Space, Offset> in;
  Array<Scalar, Space> near_nullspace;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    near_nullspace(i) = in.interpolated_near_nullspace_value(i);
  }
};

/// The near-nullspace vectors by row where filters look at them, else none.
template <class Scalar, class Space, class Offset>
Array<Scalar, Space> interpolated_near_nullspace(const Space& exec,
                                                 const SmoothingInput<Scalar, Space, Offset>& in) {
  Array<Scalar, Space> near_nullspace;
  if (in.filter_squared > 0) {
    const Ordinal n = in.A.num_rows;
    near_nullspace = allocate<Scalar>(exec, "tessera::smooth_prolongator::near_nullspace", n);
    Kokkos::parallel_for("tessera::smooth_prolongator::near_nullspace",
                         Kokkos::RangePolicy<Space>(exec, 0, n),
                         InterpolateNearNullspace<Scalar, Space, Offset>{in, near_nullspace});
  }
  return near_nullspace;
}

}  // namespace tessera::amg::detail
