// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The first pass of smoothing a prolongator, each row by several lanes: how long rows are.
#pragma once

#include "tessera/amg/detail/loaded_entries.hpp"
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

/// The pattern's row lengths. What filters rows takes registers that others can do without.
template <class Scalar, class Space, class Offset, bool Filters>
struct CountSmoothedByLanes {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  using Entries = LoadedEntries<Scalar, Space, Offset>;

  SmoothingInput<Scalar, Space, Offset> in;
  Array<Offset, Space> counts;
  Array<RowFilter<Scalar>, Space> filters;  ///< none unless `Filters`
  LaneShape shape;
  int slice;

  static int bytes(Ordinal capacity) { return capacity * static_cast<int>(sizeof(Ordinal)); }

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    void* const memory = member.thread_scratch(0).get_shmem_aligned(slice, 8);
    const Ordinal i = member.league_rank() * member.team_size() + member.team_rank();
    if (i < in.A.num_rows) row(i, VectorLanes<Member>{member, shape.lanes}, memory);
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
    if (Filters && in.stands_alone(i)) return 0;
    const Ordinal size = in.length(i);
    if (size > shape.capacity) return distant_length(i, size, lanes);
    if constexpr (Filters) {
      if (in.may_filter(i)) {
        stage_strong(i, lanes, groups);
      } else {
        keep(i, lanes, {});
        stage_all(i, lanes, groups);
      }
    } else {
      stage_all(i, lanes, groups);
    }
    return in.m * num_groups(i, size, lanes, [&](Ordinal l) { return groups[l]; });
  }

  /// The same for a row that does not fit in scratch.
  template <class Lanes>
  KOKKOS_INLINE_FUNCTION Offset distant_length(Ordinal i, Ordinal size, const Lanes& lanes) const {
    bool filtered = false;
    if constexpr (Filters) filtered = keep(i, lanes, filter_by_lanes(in, i, lanes));
    const Offset begin = in.A.offsets(i);
    return in.m * num_groups(i, size, lanes,
                             [&](Ordinal l) { return group_of(in, i, begin + l, filtered); });
  }

  /// Keeps a row's filter for the second pass; returns whether it leaves out entries.
  template <class Lanes>
  KOKKOS_INLINE_FUNCTION bool keep(Ordinal i, const Lanes& lanes,
                                   const RowFilter<Scalar>& row) const {
    lanes.once([&] { filters(i) = row; });
    return row.filtered;
  }

  template <class Lanes>
  KOKKOS_INLINE_FUNCTION void stage_all(Ordinal i, const Lanes& lanes, Ordinal* groups) const {
    lanes.for_each(lanes.width, [&](Ordinal lane) {
      for_each_loaded(in, i, lane, lanes.width, [&](const Entries& entries) {
        for (int e = 0; e < Entries::most; ++e) {
          if (entries.in_row(e)) groups[entries.position(e)] = entries.groups[e];
        }
      });
    });
  }

  /// The same for a row that may be filtered, and its filter. Until that is known, -2 - g stands
  /// for the aggregate g of a weak entry.
  template <class Lanes>
  KOKKOS_INLINE_FUNCTION void stage_strong(Ordinal i, const Lanes& lanes, Ordinal* groups) const {
    const auto sums =
        lanes.template sum<RowSums<Scalar>>(lanes.width, [&](Ordinal lane, RowSums<Scalar>& mine) {
          for_each_loaded(in, i, lane, lanes.width, [&](Entries& entries) {
            entries.load_values();
            entries.load_scales();
            for (int e = 0; e < Entries::most; ++e) {
              if (!entries.in_row(e)) continue;
              const bool strong = entries.strong(e);
              in.add_entry(i, entries.columns[e], entries.values[e], strong, mine);
              groups[entries.position(e)] = strong ? entries.groups[e] : -2 - entries.groups[e];
            }
          });
        });
    if (keep(i, lanes, in.filter_by(i, sums))) return;
    lanes.for_each(in.length(i), [&](Ordinal l) {
      if (groups[l] < -1) groups[l] = -2 - groups[l];
    });
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
