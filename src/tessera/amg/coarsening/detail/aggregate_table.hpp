// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The distinct aggregates of a row, gathered by a group of lanes in scratch, after the row is
/// filtered.
#pragma once

#include "tessera/amg/coarsening/detail/group_shape.hpp"
#include "tessera/amg/coarsening/detail/smoothing_input.hpp"
#include "tessera/kernels/execution/lane_group.hpp"
#include "tessera/kernels/format/bucket_table.hpp"

#include <limits>

namespace tessera::amg::detail {

inline constexpr Ordinal no_group = std::numeric_limits<Ordinal>::max();

/// A table of them and, made of it, their list. The table is twice as large as the list may get: a
/// full one means that there is no room.
class AggregateTable {
 public:
  /// `memory`: `bytes(log2_stride)` bytes, aligned to 16.
  KOKKOS_INLINE_FUNCTION AggregateTable(unsigned char* memory, int log2_stride)
      : m_keys(reinterpret_cast<Ordinal*>(memory)),
        m_listed(m_keys + num_slots(log2_stride)),
        m_log2_slots(log2_stride + 1) {}

  static KOKKOS_INLINE_FUNCTION constexpr int bytes(int log2_stride) {
    return 2 * num_slots(log2_stride) * static_cast<int>(sizeof(Ordinal));
  }

  KOKKOS_INLINE_FUNCTION void clear(const kernels::LaneGroup& group) const {
    for (Ordinal slot = group.lane(); slot < num_slots(); slot += group.size())
      m_keys[slot] = kernels::empty_slot;
  }

  /// The group's lanes may call at once.
  KOKKOS_INLINE_FUNCTION void insert(Ordinal g) const {
    bool fresh;
    kernels::find_or_insert_in_bucket(m_keys, m_log2_slots, g, fresh,
                                      num_slots() / kernels::Bucket::size);
  }

  /// Lists what is in the table; returns how many there are. The list ends in numbers that are not
  /// below any, for it is read by fours.
  KOKKOS_INLINE_FUNCTION Ordinal list(const kernels::LaneGroup& group) const {
    Ordinal num_found = 0;
    for (Ordinal first = 0; first < num_slots(); first += group.size()) {
      const Ordinal slot = first + group.lane();
      const Ordinal key = slot < num_slots() ? m_keys[slot] : kernels::empty_slot;
      const std::uint32_t with_key = group.lanes_where(key != kernels::empty_slot);
      if (key != kernels::empty_slot) m_listed[num_found + group.count_before(with_key)] = key;
      num_found += Kokkos::Experimental::popcount_builtin(with_key);
    }
    for (Ordinal e = num_found + group.lane(); e < (num_found + 3) / 4 * 4; e += group.size())
      m_listed[e] = no_group;
    group.sync();
    return num_found;
  }

  KOKKOS_INLINE_FUNCTION Ordinal listed(Ordinal e) const { return m_listed[e]; }

  /// How many of the `num_found` that are listed are below `key`.
  KOKKOS_INLINE_FUNCTION Ordinal rank(Ordinal key, Ordinal num_found) const {
    Ordinal rank = 0;
    for (Ordinal f = 0; f < num_found; f += 4) {
      const auto four = *reinterpret_cast<const Four<Ordinal>*>(m_listed + f);
      for (int q = 0; q < 4; ++q)
        rank += four.of[q] < key ? 1 : 0;
    }
    return rank;
  }

 private:
  static KOKKOS_INLINE_FUNCTION constexpr Ordinal num_slots(int log2_stride) {
    return Ordinal(2) << log2_stride;
  }
  KOKKOS_INLINE_FUNCTION Ordinal num_slots() const { return Ordinal(1) << m_log2_slots; }

  Ordinal* m_keys;
  Ordinal* m_listed;
  int m_log2_slots;
};

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
