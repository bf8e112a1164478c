// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The second pass of smoothing a prolongator, each row by several lanes: columns and values.
#pragma once

#include "tessera/amg/detail/count_by_lanes.hpp"

namespace tessera::amg::detail {

/// Row i of A as the second pass reads it, where its entries are not in scratch.
template <class Scalar, class Space, class Offset>
struct DistantRow {
  const SmoothingInput<Scalar, Space, Offset>& in;
  Ordinal i;
  Offset begin;
  bool filtered;
  Scalar factor;

  KOKKOS_INLINE_FUNCTION Ordinal group(Ordinal l) const {
    return group_of(in, i, begin + l, filtered);
  }
  /// a_ij where m is 1, the whole weight of T's row otherwise.
  KOKKOS_INLINE_FUNCTION Scalar value(Ordinal l) const {
    return in.m == 1 ? in.A.values(begin + l) : -factor * in.A.values(begin + l);
  }
  /// Where T's row begins.
  KOKKOS_INLINE_FUNCTION Offset start(Ordinal l) const {
    return in.T.offsets(in.A.columns(begin + l));
  }
  /// T's entry where m is 1.
  KOKKOS_INLINE_FUNCTION Scalar tentative(Ordinal l) const { return in.T.values(start(l)); }
};

/// The same in scratch.
template <class Scalar, class Offset>
struct StagedRow {
  Offset* starts;
  Scalar* tentatives;  ///< in the place of `starts`: there is one or the other
  Scalar* values;
  Ordinal* groups;

  KOKKOS_INLINE_FUNCTION Ordinal group(Ordinal l) const { return groups[l]; }
  KOKKOS_INLINE_FUNCTION Scalar value(Ordinal l) const { return values[l]; }
  KOKKOS_INLINE_FUNCTION Offset start(Ordinal l) const { return starts[l]; }
  KOKKOS_INLINE_FUNCTION Scalar tentative(Ordinal l) const { return tentatives[l]; }
};

/// The values, and the columns too unless the pattern is known.
template <class Scalar, class Space, class Offset, bool PatternKnown>
struct FillSmoothedByLanes {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  using Entries = LoadedEntries<Scalar, Space, Offset>;
  static constexpr int batch = 32;  ///< aggregates that are summed for at a time

  SmoothingInput<Scalar, Space, Offset> in;
  SmoothedRows<Scalar, Space, Offset, PatternKnown> out;
  LaneShape shape;
  int slice;

  static KOKKOS_INLINE_FUNCTION constexpr int first_size(Ordinal m) {
    return static_cast<int>(m == 1 ? sizeof(Scalar) : sizeof(Offset));
  }
  static int bytes(Ordinal capacity, Ordinal m) {
    return capacity * (first_size(m) + static_cast<int>(sizeof(Scalar) + sizeof(Ordinal))) +
           batch * static_cast<int>(sizeof(Ordinal));
  }

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    void* const memory = member.thread_scratch(0).get_shmem_aligned(slice, 8);
    const Ordinal i = member.league_rank() * member.team_size() + member.team_rank();
    if (i < in.A.num_rows) row(i, VectorLanes<Member>{member, shape.lanes}, memory);
  }

  /// Row i, with a slice of `memory`.
  template <class Lanes>
  KOKKOS_INLINE_FUNCTION void row(Ordinal i, const Lanes& lanes, void* memory) const {
    if (!in.smooths(i)) {
      copy_tentative(i, lanes);
      return;
    }
    if (out.offsets(i) == out.offsets(i + 1)) return;
    const RowFilter<Scalar> filter = row_filter(i, lanes);
    const Scalar factor = in.damping(i, out.omega_over_rho, filter);
    const DistantRow<Scalar, Space, Offset> distant{in, i, in.A.offsets(i), filter.filtered,
                                                    factor};
    StagedRow<Scalar, Offset> staged;
    staged.starts = reinterpret_cast<Offset*>(memory);
    staged.tentatives = reinterpret_cast<Scalar*>(memory);
    staged.values =
        reinterpret_cast<Scalar*>(static_cast<char*>(memory) + shape.capacity * first_size(in.m));
    staged.groups = reinterpret_cast<Ordinal*>(staged.values + shape.capacity);
    Ordinal* const keys = staged.groups + shape.capacity;
    if (in.length(i) > shape.capacity) {
      fill(i, lanes, distant, filter.lumped, factor, keys);
    } else {
      stage(i, lanes, filter.filtered, factor, staged);
      fill(i, lanes, staged, filter.lumped, factor, keys);
    }
  }

  template <class Lanes>
  KOKKOS_INLINE_FUNCTION void copy_tentative(Ordinal i, const Lanes& lanes) const {
    const Offset from = in.T.offsets(i);
    const Offset to = out.offsets(i);
    lanes.for_each(static_cast<Ordinal>(in.tentative_length(i)), [&](Ordinal b) {
      if constexpr (!PatternKnown) out.columns(to + b) = in.T.columns(from + b);
      out.values(to + b) = in.T.values(from + b);
    });
  }

  /// As `FillSmoothed::row_filter`.
  template <class Lanes>
  KOKKOS_INLINE_FUNCTION RowFilter<Scalar> row_filter(Ordinal i, const Lanes& lanes) const {
    if constexpr (!PatternKnown) {
      return out.filters.extent(0) > 0 && !in.stands_alone(i) ? out.filters(i)
                                                              : RowFilter<Scalar>{};
    } else {
      RowFilter<Scalar> row = filter_by_lanes(in, i, lanes);
      if (!in.may_filter(i)) return row;
      const Offset begin = in.A.offsets(i);
      const auto sums =
          lanes.template sum<RowSums<Scalar>>(in.length(i), [&](Ordinal l, RowSums<Scalar>& mine) {
            const bool kept = (!row.filtered || in.strong(i, begin + l)) &&
                              in_pattern(i, in.aggregate(in.A.columns(begin + l)));
            in.add_entry(i, begin + l, kept, mine);
          });
      row.lumped = in.nearly_cancels(i, sums.weak) ? Scalar(0) : sums.weak;
      row.undamped = row.filtered ? in.undamped(i, row.lumped, sums) : Scalar(1);
      return row;
    }
  }

  /// Whether row i of P has aggregate g, or there is none.
  KOKKOS_INLINE_FUNCTION bool in_pattern(Ordinal i, Ordinal g) const {
    if (g < 0) return true;
    Offset first = out.offsets(i);
    for (Offset count = (out.offsets(i + 1) - first) / in.m; count > 1;) {
      const Offset half = count / 2;
      if (out.columns(first + half * in.m) <= g * in.m) first += half * in.m;
      count -= half;
    }
    return out.columns(first) == g * in.m;
  }

  template <class Lanes>
  KOKKOS_INLINE_FUNCTION void stage(Ordinal i, const Lanes& lanes, bool filtered, Scalar factor,
                                    const StagedRow<Scalar, Offset>& staged) const {
    lanes.for_each(lanes.width, [&](Ordinal lane) {
      for_each_loaded(in, i, lane, lanes.width, [&](Entries& entries) {
        entries.load_values();
        if (filtered) entries.keep_strong();
        Offset starts[Entries::most];
        for (int e = 0; e < Entries::most; ++e)
          starts[e] = entries.groups[e] < 0 ? Offset(0) : in.T.offsets(entries.columns[e]);
        if (in.m == 1) {
          Scalar tentatives[Entries::most];
          for (int e = 0; e < Entries::most; ++e)
            tentatives[e] = entries.groups[e] < 0 ? Scalar(0) : in.T.values(starts[e]);
          for (int e = 0; e < Entries::most; ++e) {
            if (!entries.in_row(e)) continue;
            staged.groups[entries.position(e)] = entries.groups[e];
            staged.values[entries.position(e)] = entries.values[e];
            staged.tentatives[entries.position(e)] = tentatives[e];
          }
        } else {
          for (int e = 0; e < Entries::most; ++e) {
            if (!entries.in_row(e)) continue;
            staged.groups[entries.position(e)] = entries.groups[e];
            staged.values[entries.position(e)] = -factor * entries.values[e];
            staged.starts[entries.position(e)] = starts[e];
          }
        }
      });
    });
  }

  template <class Lanes, class Row>
  KOKKOS_INLINE_FUNCTION void fill(Ordinal i, const Lanes& lanes, const Row& row, Scalar lumped,
                                   Scalar factor, Ordinal* keys) const {
    const Offset end = out.offsets(i + 1);
    Ordinal last = -1;
    for (Offset at = out.offsets(i); at < end;) {
      const int found =
          PatternKnown ? recall(at, end, lanes, keys) : next_keys(i, lanes, row, last, keys);
      // Only where what both passes read is not what it was: an end in place of a loop for ever.
      if (found == 0) Kokkos::abort("tessera::smooth_prolongator: its input has changed");
      if (in.m == 1) {
        sum_single(i, at, found, lanes, row, lumped, factor, keys);
      } else {
        sum_block(i, at, found, lanes, row, keys);
      }
      at += static_cast<Offset>(found) * in.m;
    }
  }

  /// The next aggregates above `last`, which becomes the last of them; returns how many.
  template <class Lanes, class Row>
  KOKKOS_INLINE_FUNCTION int next_keys(Ordinal i, const Lanes& lanes, const Row& row, Ordinal& last,
                                       Ordinal* keys) const {
    const Ordinal own = in.aggregate(i);
    const Ordinal size = in.length(i);
    int found = 0;
    for (; found < batch; ++found) {
      Ordinal next = lanes.next_group(size, last, [&](Ordinal l) { return row.group(l); });
      if (own > last) next = Kokkos::min(next, own);
      if (next == no_group) break;
      lanes.once([&] { keys[found] = next; });
      last = next;
    }
    return found;
  }

  template <class Lanes>
  KOKKOS_INLINE_FUNCTION int recall(Offset at, Offset end, const Lanes& lanes,
                                    Ordinal* keys) const {
    const auto found = static_cast<int>(Kokkos::min(Offset(batch), Offset((end - at) / in.m)));
    lanes.for_each(found, [&](Ordinal e) { keys[e] = out.columns(at + e * in.m) / in.m; });
    return found;
  }

  template <class Lanes, class Row>
  KOKKOS_INLINE_FUNCTION void sum_single(Ordinal i, Offset at, int found, const Lanes& lanes,
                                         const Row& row, Scalar lumped, Scalar factor,
                                         const Ordinal* keys) const {
    const Ordinal own = in.aggregate(i);
    const Ordinal size = in.length(i);
    lanes.for_each(found, [&](Ordinal e) {
      const Ordinal key = keys[e];
      Scalar sum = 0;
      for (Ordinal l = 0; l < size; ++l) {
        if (row.group(l) == key) sum += row.value(l) * row.tentative(l);
      }
      out.values(at + e) = in.smoothed(i, sum, key == own, factor, lumped);
      if constexpr (!PatternKnown) out.columns(at + e) = key;
    });
  }

  template <class Lanes, class Row>
  KOKKOS_INLINE_FUNCTION void sum_block(Ordinal i, Offset at, int found, const Lanes& lanes,
                                        const Row& row, const Ordinal* keys) const {
    const Ordinal own = in.aggregate(i);
    const Ordinal size = in.length(i);
    lanes.for_each(found * in.m, [&](Ordinal item) {
      const Ordinal key = keys[item / in.m];
      const Ordinal b = item % in.m;
      Scalar sum = 0;
      for (Ordinal l = 0; l < size; ++l) {
        if (row.group(l) == key) sum += row.value(l) * in.T.values(row.start(l) + b);
      }
      if (key == own) sum += in.T.values(in.T.offsets(i) + b);
      out.values(at + item) = sum;
      if constexpr (!PatternKnown) out.columns(at + item) = key * in.m + b;
    });
  }
};

}  // namespace tessera::amg::detail
