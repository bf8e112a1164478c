// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The pattern of a row of a smoothed prolongator, found by a group of lanes.
#pragma once

#include "tessera/amg/coarsening/detail/aggregate_table.hpp"

namespace tessera::amg::detail {

/// Lists the aggregates of a row with several near-nullspace vectors, for which nothing is
/// filtered.
template <class Scalar, class Space, class Offset>
struct ListRowByGroup {
  static constexpr int at_once = 4;  ///< entries of a lane that are on their way together

  SmoothingInput<Scalar, Space, Offset> in;
  GroupShape shape;
  Array<Offset, Space> counts;  ///< of entries of P; 0 of a row that is left for later
  Array<char, Space> later;
  Array<Ordinal, Space> aggregates;  ///< `shape.stride()` a row

  static int bytes(const GroupShape& shape) { return AggregateTable::bytes(shape.log2_stride); }

  /// Row i, -1 for none.
  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i,
                                  unsigned char* share) const {
    const AggregateTable table(share, shape.log2_stride);
    table.clear(group);
    group.sync();
    if (i >= 0) insert_row(group, i, table);
    group.sync();
    const Ordinal num_found = table.list(group);
    const bool fits = num_found <= shape.stride();
    if (i < 0) return;
    const std::size_t to = static_cast<std::size_t>(i) * shape.stride();
    for (Ordinal e = group.lane(); fits && e < num_found; e += group.size())
      aggregates(to + table.rank(table.listed(e), num_found)) = table.listed(e);
    if (group.lane() != 0) return;
    later(i) = fits ? 0 : 1;
    counts(i) = fits ? static_cast<Offset>(num_found) * in.m : 0;
  }

 private:
  /// Row i's own aggregate and, if it is smoothed, those of its neighbours.
  KOKKOS_INLINE_FUNCTION void insert_row(const kernels::LaneGroup& group, Ordinal i,
                                         const AggregateTable& table) const {
    const Ordinal own = in.aggregate(i);
    if (own >= 0 && group.lane() == 0) table.insert(own);
    const Ordinal size = in.smooths(i) ? in.length(i) : 0;
    const Offset begin = in.A.offsets(i);
    for (Ordinal first = group.lane(); first < size; first += at_once * group.size()) {
      Ordinal of[at_once];
      for (int e = 0; e < at_once; ++e) {
        const Ordinal l = first + e * group.size();
        of[e] = l < size ? in.A.columns(begin + l) : -1;
      }
      for (int e = 0; e < at_once; ++e)
        of[e] = of[e] < 0 ? -1 : in.aggregate(of[e]);
      for (int e = 0; e < at_once; ++e) {
        if (of[e] >= 0) table.insert(of[e]);
      }
    }
  }
};

/// Counts, or lists, the columns of a row that was left for later, however many there are: each
/// aggregate is the smallest above the one before.
template <class Scalar, class Space, class Offset>
struct ListLaterRow {
  SmoothingInput<Scalar, Space, Offset> in;
  Array<const char, Space> later;
  Array<Offset, Space> counts;  ///< or where rows begin, if there are `columns`
  Array<Ordinal, Space> columns = {};

  /// Row `row` if it was left for later; -1 for none.
  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal row,
                                  unsigned char* /*share*/) const {
    const Ordinal i = row >= 0 && later(row) != 0 ? row : -1;
    const bool filtered = filter_by_group(in, group, i).filtered;
    const bool lists = columns.extent(0) > 0;
    Offset count = 0;
    Ordinal g = next_group(group, i, filtered, -1);
    while (group.warp_max(g != no_group ? 1 : 0) != 0) {
      if (g != no_group && lists && group.lane() == 0) list(counts(i) + count, g);
      if (g != no_group) count += in.m;
      g = next_group(group, i, filtered, g);
    }
    if (i >= 0 && !lists && group.lane() == 0) counts(i) = count;
  }

 private:
  KOKKOS_INLINE_FUNCTION void list(Offset to, Ordinal g) const {
    for (Ordinal b = 0; b < in.m; ++b)
      columns(to + b) = g * in.m + b;
  }

  /// The smallest of row i's aggregates above `last`; `no_group` where there is none.
  KOKKOS_INLINE_FUNCTION Ordinal next_group(const kernels::LaneGroup& group, Ordinal i,
                                            bool filtered, Ordinal last) const {
    Ordinal least = no_group;
    if (i >= 0 && last != no_group) {
      const Ordinal own = in.aggregate(i);
      if (own > last) least = own;
      const Offset begin = in.A.offsets(i);
      const Ordinal size = in.length(i);
      for (Ordinal l = group.lane(); l < size; l += group.size()) {
        if (filtered && !in.strong(i, begin + l)) continue;
        const Ordinal g = in.aggregate(in.A.columns(begin + l));
        if (g > last && g < least) least = g;
      }
    }
    return group.reduce(least, [](Ordinal a, Ordinal b) { return a < b ? a : b; });
  }
};

}  // namespace tessera::amg::detail
