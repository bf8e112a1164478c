// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Smoothing of a prolongator, each row by several lanes: for devices.
///
/// The lanes read a row of A side by side and leave its aggregates in scratch. They then find the
/// distinct ones in ascending order, each as the smallest that lies above the one before. In the
/// second pass each lane sums for an aggregate of its own, over the row's entries in A's order, so
/// that the sums are those of a row by one thread.
#pragma once

#include "tessera/amg/detail/fill_by_lanes.hpp"

namespace tessera::amg::detail {

/// A row a team thread of several lanes.
struct SmoothingByLanes {
  LaneShape shape;

  template <class Scalar, class Space, class Offset>
  void count(const Space& exec, const SmoothingInput<Scalar, Space, Offset>& in,
             const Array<Offset, Space>& counts,
             const Array<RowFilter<Scalar>, Space>& filters) const {
    if (filters.extent(0) > 0) {
      count_rows<true>(exec, in, counts, filters);
    } else {
      count_rows<false>(exec, in, counts, filters);
    }
  }

  template <class Scalar, class Space, class Offset, bool PatternKnown>
  void fill(const Space& exec, const SmoothingInput<Scalar, Space, Offset>& in,
            const SmoothedRows<Scalar, Space, Offset, PatternKnown>& out) const {
    using Functor = FillSmoothedByLanes<Scalar, Space, Offset, PatternKnown>;
    const auto bytes = [&](Ordinal capacity) { return Functor::bytes(capacity, in.m); };
    const LaneShape fits = fitting<Space>(shape, bytes);
    const int slice = slice_bytes(bytes(fits.capacity), fits.lanes);
    for_each_row_by_lanes(exec, "tessera::smooth_prolongator::fill", Functor{in, out, fits, slice});
  }

 private:
  template <bool Filters, class Scalar, class Space, class Offset>
  void count_rows(const Space& exec, const SmoothingInput<Scalar, Space, Offset>& in,
                  const Array<Offset, Space>& counts,
                  const Array<RowFilter<Scalar>, Space>& filters) const {
    using Functor = CountSmoothedByLanes<Scalar, Space, Offset, Filters>;
    const LaneShape fits = fitting<Space>(shape, Functor::bytes);
    const int slice = slice_bytes(Functor::bytes(fits.capacity), fits.lanes);
    for_each_row_by_lanes(exec, "tessera::smooth_prolongator::count",
                          Functor{in, counts, filters, fits, slice});
  }
};

}  // namespace tessera::amg::detail
