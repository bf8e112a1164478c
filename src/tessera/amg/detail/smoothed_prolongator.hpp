// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The passes that make a smoothed prolongator.
#pragma once

#include "tessera/amg/detail/smoothing_input.hpp"

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

/// P, its rows counted and filled `by` rows or by lanes. `lengths`, if given, receives those of its
/// rows. Waits once for `exec`.
template <class Scalar, class Space, class Offset, class By>
kernels::Csr<Scalar, Space, Offset> smoothed_prolongator(const Space& exec,
                                                         SmoothingInput<Scalar, Space, Offset> in,
                                                         double omega_over_rho, const By& by,
                                                         kernels::RowLengths* lengths = nullptr) {
  const Ordinal n = in.A.num_rows;
  const Array<Scalar, Space> candidates = interpolated_candidates(exec, in);
  in.candidates = candidates;
  Array<RowFilter<Scalar>, Space> filters;
  if (in.filter_squared > 0)
    filters = allocate<RowFilter<Scalar>>(exec, "tessera::smooth_prolongator::filters", n);
  auto offsets = allocate<Offset>(exec, "tessera::smooth_prolongator::offsets", n + 1);
  by.count(exec, in, offsets, filters);
  const auto found = kernels::lengths_to_offsets<Offset, Space>(exec, offsets, "the prolongator");
  if (lengths != nullptr) *lengths = found;
  const auto num_entries = static_cast<std::size_t>(found.total);
  auto columns = allocate<Ordinal>(exec, "tessera::smooth_prolongator::columns", num_entries);
  auto values = allocate<Scalar>(exec, "tessera::smooth_prolongator::values", num_entries);
  by.fill(exec, in,
          SmoothedRows<Scalar, Space, Offset, false>{static_cast<Scalar>(omega_over_rho), offsets,
                                                     columns, values, filters});
  return {n, in.T.num_cols, offsets, columns, values};
}

}  // namespace tessera::amg::detail
