// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The filter of a row by a group of lanes, for rows that are not in scratch.
#pragma once

#include "tessera/amg/coarsening/detail/smoothing_input.hpp"
#include "tessera/kernels/execution/lane_group.hpp"

namespace tessera::amg::detail {

/// The lanes' sums in a tree, to each of the group's lanes.
template <class Scalar>
KOKKOS_INLINE_FUNCTION RowSums<Scalar> sum_of_group(const kernels::LaneGroup& group,
                                                    const RowSums<Scalar>& sums) {
  return {group.sum(sums.weak), group.sum(sums.couplings), group.sum(sums.left_out)};
}

/// What a row's filter depends on, if takes_part(k) says whether its entry k takes part; nothing of
/// a row below 0.
template <class Scalar, class Space, class Offset, class TakesPart>
KOKKOS_INLINE_FUNCTION RowSums<Scalar> sums_by_group(
    const SmoothingInput<Scalar, Space, Offset>& in, const kernels::LaneGroup& group, Ordinal i,
    const TakesPart& takes_part) {
  RowSums<Scalar> sums;
  const Offset begin = i < 0 ? 0 : in.A.offsets(i);
  const Ordinal size = i < 0 ? 0 : in.length(i);
  for (Ordinal l = group.lane(); l < size; l += group.size())
    in.add_entry(i, begin + l, takes_part(begin + l), sums);
  return sum_of_group(group, sums);
}

/// `in.filter(i)`, up to the order of its sums. Row -1, too, goes along.
template <class Scalar, class Space, class Offset>
KOKKOS_INLINE_FUNCTION RowFilter<Scalar> filter_by_group(
    const SmoothingInput<Scalar, Space, Offset>& in, const kernels::LaneGroup& group, Ordinal i) {
  if (in.filter_squared == 0) return {};
  const Ordinal row = i >= 0 && in.may_filter(i) ? i : -1;
  const RowSums<Scalar> sums =
      sums_by_group(in, group, row, [&](Offset k) { return in.strong(row, k); });
  return row < 0 ? RowFilter<Scalar>{} : in.filter_by(row, sums);
}

}  // namespace tessera::amg::detail
