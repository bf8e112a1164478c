// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The first pass of smoothing a prolongator, each row by several lanes: how long rows are.
#pragma once

#include "tessera/amg/detail/smoothing_input.hpp"
#include "tessera/amg/detail/smoothing_lanes.hpp"

namespace tessera::amg::detail {

/// The aggregate that entry k of row i takes part in; below 0 for none.
template <class Scalar, class Space, class Offset>
KOKKOS_INLINE_FUNCTION Ordinal group_of(const SmoothingInput<Scalar, Space, Offset>& in, Ordinal i,
                                        Offset k, bool filtered) {
  if (filtered && !in.strong(i, k)) return -1;
  return in.aggregate(in.A.columns(k));
}

/// `in.filter(i)`, up to the order of its sums.
template <class Scalar, class Space, class Offset, class Lanes>
KOKKOS_INLINE_FUNCTION RowFilter<Scalar> filter_by_lanes(
    const SmoothingInput<Scalar, Space, Offset>& in, Ordinal i, const Lanes& lanes) {
  if (!in.may_filter(i)) return {};
  const Offset begin = in.A.offsets(i);
  return in.filter_by(
      i, lanes.template sum<RowSums<Scalar>>(in.length(i), [&](Ordinal l, RowSums<Scalar>& sums) {
        in.add_entry(i, begin + l, in.strong(i, begin + l), sums);
      }));
}

/// The pattern's row lengths.
template <class Scalar, class Space, class Offset>
struct CountSmoothedByLanes {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;

  SmoothingInput<Scalar, Space, Offset> in;
  Array<Offset, Space> counts;
  Array<RowFilter<Scalar>, Space> filters;  ///< none where nothing is filtered
  Ordinal capacity;
  int slice;

  static int bytes(Ordinal capacity) { return capacity * static_cast<int>(sizeof(Ordinal)); }

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    void* const memory = member.thread_scratch(0).get_shmem_aligned(slice, 8);
    const Ordinal i = member.league_rank() * member.team_size() + member.team_rank();
    if (i < in.A.num_rows) row(i, VectorLanes<Member>{member}, memory);
  }

  /// Row i, with a slice of `memory`.
  template <class Lanes>
  KOKKOS_INLINE_FUNCTION void row(Ordinal i, const Lanes& lanes, void* memory) const {
    const Offset count = length(i, lanes, static_cast<Ordinal*>(memory));
    lanes.once([&] { counts(i) = count; });
  }

  template <class Lanes>
  KOKKOS_INLINE_FUNCTION Offset length(Ordinal i, const Lanes& lanes, Ordinal* groups) const {
    if (!in.smooths(i)) return in.tentative_length(i);
    if (in.stands_alone(i)) return 0;
    bool filtered = false;
    if (filters.extent(0) > 0) {
      const RowFilter<Scalar> row = filter_by_lanes(in, i, lanes);
      lanes.once([&] { filters(i) = row; });
      filtered = row.filtered;
    }
    const Offset begin = in.A.offsets(i);
    const Ordinal size = in.length(i);
    if (size > capacity) {
      return in.m * num_groups(i, size, lanes,
                               [&](Ordinal l) { return group_of(in, i, begin + l, filtered); });
    }
    lanes.for_each(size, [&](Ordinal l) { groups[l] = group_of(in, i, begin + l, filtered); });
    return in.m * num_groups(i, size, lanes, [&](Ordinal l) { return groups[l]; });
  }

  template <class Lanes, class Group>
  KOKKOS_INLINE_FUNCTION Offset num_groups(Ordinal i, Ordinal size, const Lanes& lanes,
                                           const Group& group) const {
    const Ordinal own = in.aggregate(i);
    Offset count = own < 0 ? 0 : 1;
    for (Ordinal last = -1;; count += last != own) {
      last = lanes.next_group(size, last, group);
      if (last == no_group) return count;
    }
  }
};

}  // namespace tessera::amg::detail
