// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The largest entries of a row, looked for by a group of lanes in the table that it was summed in.
#pragma once

#include "tessera/kernels/spgemm/detail/row_list.hpp"
#include "tessera/kernels/spgemm/truncated_spgemm.hpp"

namespace tessera::kernels::spgemm_detail {

/// A row in the order of its columns. Places are counted in that order.
template <class Scalar>
struct OrderedRow {
  static constexpr int slot_bits = 12;
  static constexpr Ordinal slot_mask = (1 << slot_bits) - 1;

  RowTable<Scalar> table;  ///< keys(i): where the i-th column lies in the list, and its slot
  Ordinal size;

  /// Of a table whose keys are listed; writes over them. All groups of a warp together.
  static KOKKOS_INLINE_FUNCTION OrderedRow of(const LaneGroup& group, const RowTable<Scalar>& table,
                                              int log2_slots, Ordinal size) {
    for_each_in_order(group, table, log2_slots, size, [&](Ordinal rank, Ordinal i) {
      table.keys[rank] = i << slot_bits | static_cast<Ordinal>(table.slots[i]);
    });
    group.sync();
    return {table, size};
  }

  KOKKOS_INLINE_FUNCTION Ordinal column(Ordinal place) const {
    return table.found[table.keys[place] >> slot_bits];
  }
  KOKKOS_INLINE_FUNCTION Scalar value(Ordinal place) const {
    return table.sums[table.keys[place] & slot_mask];
  }
  KOKKOS_INLINE_FUNCTION float magnitude(Ordinal place) const {
    return Kokkos::abs(static_cast<float>(value(place)));
  }
};

/// Which entries of a row are kept; the same on each lane.
struct KeptPlaces {
  static constexpr int max_count = RowTruncation::max_kept;

  Ordinal place[max_count];  ///< by size; those behind `count` are past the row's end
  int count = 0;

  KOKKOS_INLINE_FUNCTION bool has(Ordinal wanted) const {
    bool found = false;
    for (const Ordinal each : place)
      found = found || each == wanted;
    return found;
  }
  /// How many of them come before place(c) in the row.
  KOKKOS_INLINE_FUNCTION int rank(int c) const {
    int before = 0;
    for (const Ordinal each : place)
      before += each < place[c] ? 1 : 0;
    return before;
  }
};

/// An entry by its magnitude and its place.
struct SizedPlace {
  float size;
  Ordinal place;

  KOKKOS_INLINE_FUNCTION bool precedes(const SizedPlace& other) const {
    return size > other.size || (size == other.size && place < other.place);
  }
  /// The first of those that the lanes have.
  static KOKKOS_INLINE_FUNCTION SizedPlace first_of(const LaneGroup& group,
                                                    const SizedPlace& mine) {
    const float size = group.reduce(mine.size, [](float a, float b) { return Kokkos::max(a, b); });
    const Ordinal place =
        mine.size == size ? mine.place : Kokkos::Experimental::finite_max_v<Ordinal>;
    return {size, group.reduce(place, [](Ordinal a, Ordinal b) { return Kokkos::min(a, b); })};
  }
};

/// Finds the largest, then the largest of what follows. All groups of a warp together.
template <class Scalar>
KOKKOS_INLINE_FUNCTION KeptPlaces kept_places(const LaneGroup& group, const OrderedRow<Scalar>& row,
                                              const RowTruncation& truncation) {
  float largest = 0;
  for (Ordinal i = group.lane(); i < row.size; i += group.size())
    largest = Kokkos::max(largest, row.magnitude(i));
  largest = group.reduce(largest, [](float a, float b) { return Kokkos::max(a, b); });
  const auto least = static_cast<float>(truncation.factor * static_cast<double>(largest));
  KeptPlaces kept;
  SizedPlace last{Kokkos::Experimental::infinity_v<float>, -1};
  for (int c = 0; c < KeptPlaces::max_count; ++c) {
    kept.place[c] = row.size;
    if (c >= truncation.max_entries) continue;  // the whole warp agrees
    SizedPlace next{-1, row.size};
    for (Ordinal i = group.lane(); i < row.size; i += group.size()) {
      const SizedPlace mine{row.magnitude(i), i};
      const bool passes = mine.size >= least && row.value(i) != Scalar(0);
      if (passes && last.precedes(mine) && mine.precedes(next)) next = mine;
    }
    next = SizedPlace::first_of(group, next);
    kept.place[c] = next.place;
    kept.count += next.place < row.size ? 1 : 0;
    last = next;
  }
  return kept;
}

/// What kept entries are multiplied by, 1 where nothing is; sums run in the order of columns.
template <class Scalar>
KOKKOS_INLINE_FUNCTION double scale_of_kept(const OrderedRow<Scalar>& row, const KeptPlaces& kept,
                                            double cancelling_share) {
  double all = 0, sum = 0, size = 0;
  for (Ordinal i = 0; i < row.size; ++i) {
    const auto value = static_cast<double>(row.value(i));
    all += value;
    if (!kept.has(i)) continue;
    sum += value;
    size += Kokkos::abs(value);
  }
  const bool cancels = !(Kokkos::abs(sum) > cancelling_share * size);
  return all == sum || cancels ? 1 : all / sum;
}

}  // namespace tessera::kernels::spgemm_detail
