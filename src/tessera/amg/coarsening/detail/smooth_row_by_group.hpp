// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A row of a smoothed prolongator with one near-nullspace vector, made by a group of lanes.
#pragma once

#include "tessera/amg/coarsening/detail/aggregate_table.hpp"

#include <cstdint>
#include <type_traits>

namespace tessera::amg::detail {

/// A row's aggregate, below 0 for none, and its entry of the tentative prolongator. The number is
/// as wide as the entry: both come by one load, which would have bytes that nobody wrote between
/// them.
template <class Scalar>
struct alignas(2 * sizeof(Scalar)) Membership {
  using Number = std::conditional_t<sizeof(Scalar) == sizeof(Ordinal), Ordinal, std::int64_t>;
  static_assert(sizeof(Number) == sizeof(Scalar));

  Scalar tentative;
  Number aggregate;
};

template <class Scalar, class Space, class Offset>
struct FindMembers {
  SmoothingInput<Scalar, Space, Offset> in;
  Array<Membership<Scalar>, Space> members;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    const Ordinal g = in.aggregate(i);
    members(i) = {g < 0 ? Scalar(0) : in.T.values(in.T.offsets(i)), g};
  }
};

/// Makes a row of P. What the groups of a warp decide together is the same for all of them, as
/// `LaneGroup` wants it: a group without a row goes along with an empty one.
template <class Scalar, class Space, class Offset>
struct SmoothRowByGroup {
  static constexpr int at_once = 4;  ///< entries of a lane that are on their way together

  SmoothingInput<Scalar, Space, Offset> in;
  Array<const Membership<Scalar>, Space> members;
  Scalar omega_over_rho;
  GroupShape shape;
  Array<Offset, Space> counts;  ///< 0 of a row that is left for later
  Array<char, Space> later;
  Array<Ordinal, Space> columns;  ///< `shape.stride()` a row
  Array<Scalar, Space> values;

  /// A row's share of scratch.
  struct Memory {
    Scalar* values;  ///< of A's row
    Scalar* tentatives;
    Ordinal* groups;  ///< the aggregate of each entry; below 0 where it takes no part
    AggregateTable table;
  };

  static int bytes(const GroupShape& shape) {
    return shape.rows.capacity * static_cast<int>(2 * sizeof(Scalar) + sizeof(Ordinal)) +
           AggregateTable::bytes(shape.log2_stride);
  }

  /// Row i, -1 for none.
  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i,
                                  unsigned char* share) const {
    const Memory memory = split(share);
    const bool smooths = i >= 0 && in.smooths(i) && !in.stands_alone(i);
    const Ordinal length = smooths ? in.length(i) : 0;
    const bool is_short = length <= shape.rows.capacity;
    const Ordinal size = is_short ? length : 0;
    clear(group, memory, size);
    const RowFilter<Scalar> filter = stage(group, i, size, memory);
    const Ordinal own = smooths ? static_cast<Ordinal>(members(i).aggregate) : -1;
    if (own >= 0 && group.lane() == 0) memory.table.insert(own);
    group.sync();
    const Ordinal num_found = memory.table.list(group);
    const bool fits = is_short && num_found <= shape.stride();
    if (smooths && fits) sum(group, i, size, own, filter, num_found, memory);
    if (i < 0 || group.lane() != 0) return;
    later(i) = fits ? 0 : 1;
    counts(i) = fits ? num_found : 0;
    if (!in.smooths(i)) copy_tentative(i);
  }

 private:
  KOKKOS_INLINE_FUNCTION Memory split(unsigned char* share) const {
    auto* const entries = reinterpret_cast<Scalar*>(share);
    const Ordinal capacity = shape.rows.capacity;
    auto* const groups = reinterpret_cast<Ordinal*>(entries + 2 * capacity);
    return {entries, entries + capacity, groups,
            AggregateTable(reinterpret_cast<unsigned char*>(groups + capacity), shape.log2_stride)};
  }

  /// An empty table; and entries beyond the row's end, for it is read by fours.
  KOKKOS_INLINE_FUNCTION void clear(const kernels::LaneGroup& group, const Memory& memory,
                                    Ordinal size) const {
    memory.table.clear(group);
    for (Ordinal l = size + group.lane(); l < (size + 3) / 4 * 4; l += group.size())
      memory.groups[l] = -1;
    group.sync();
  }

  /// Brings A's row to scratch and its aggregates into the table; the row's filter. Until that is
  /// known, -2 - g stands for the aggregate g of a weak entry.
  KOKKOS_INLINE_FUNCTION RowFilter<Scalar> stage(const kernels::LaneGroup& group, Ordinal i,
                                                 Ordinal size, const Memory& memory) const {
    const bool may_filter = size > 0 && in.may_filter(i);
    const double own_scale = may_filter ? in.scale(i) : 0.0;
    const Scalar own_near_nullspace_value = may_filter ? in.near_nullspace_vector(i) : Scalar(1);
    RowSums<Scalar> sums;
    const Offset begin = size > 0 ? in.A.offsets(i) : 0;
    for (Ordinal first = group.lane(); first < size; first += at_once * group.size()) {
      Ordinal column[at_once];
      Scalar value[at_once];
      Membership<Scalar> of[at_once];
      double scale[at_once];
      Scalar near_nullspace_vector[at_once];
      for (int e = 0; e < at_once; ++e) {
        const Ordinal l = first + e * group.size();
        column[e] = l < size ? in.A.columns(begin + l) : -1;
        value[e] = l < size ? in.A.values(begin + l) : Scalar(0);
      }
      for (int e = 0; e < at_once; ++e) {
        of[e] = column[e] < 0 ? Membership<Scalar>{0, -1} : members(column[e]);
        scale[e] = may_filter && column[e] >= 0 ? in.scale(column[e]) : 0.0;
        near_nullspace_vector[e] =
            may_filter && column[e] >= 0 ? in.near_nullspace_vector(column[e]) : Scalar(0);
      }
      for (int e = 0; e < at_once; ++e) {
        if (column[e] < 0) continue;
        bool takes_part = true;
        if (may_filter) {
          takes_part = column[e] == i || in.strong(value[e], own_scale, scale[e]);
          const Scalar moved = takes_part
                                   ? Scalar(0)
                                   : value[e] * near_nullspace_vector[e] / own_near_nullspace_value;
          in.add_entry(column[e] == i, value[e], moved, takes_part, sums);
        }
        auto g = static_cast<Ordinal>(of[e].aggregate);
        if (g >= 0 && takes_part) memory.table.insert(g);
        if (g >= 0 && !takes_part) g = -2 - g;
        const Ordinal l = first + e * group.size();
        memory.groups[l] = g;
        memory.values[l] = value[e];
        memory.tentatives[l] = of[e].tentative;
      }
    }
    RowFilter<Scalar> filter;
    if (in.filter_squared == 0) return filter;
    sums = sum_of_group(group, sums);
    if (!may_filter) return filter;
    filter = in.filter_by(i, sums);
    if (!filter.filtered) take_weak(group, size, memory);
    return filter;
  }

  /// Entries that were taken for weak take part after all; each lane's own.
  KOKKOS_INLINE_FUNCTION void take_weak(const kernels::LaneGroup& group, Ordinal size,
                                        const Memory& memory) const {
    for (Ordinal l = group.lane(); l < size; l += group.size()) {
      if (memory.groups[l] >= -1) continue;
      memory.groups[l] = -2 - memory.groups[l];
      memory.table.insert(memory.groups[l]);
    }
  }

  KOKKOS_INLINE_FUNCTION void sum(const kernels::LaneGroup& group, Ordinal i, Ordinal size,
                                  Ordinal own, const RowFilter<Scalar>& filter, Ordinal num_found,
                                  const Memory& memory) const {
    const Scalar factor = in.damping(i, omega_over_rho, filter);
    const std::size_t to = static_cast<std::size_t>(i) * shape.stride();
    for (Ordinal e = group.lane(); e < num_found; e += group.size()) {
      const Ordinal key = memory.table.listed(e);
      const Ordinal rank = memory.table.rank(key, num_found);
      Scalar sum = 0;
      for (Ordinal l = 0; l < size; l += 4) {
        const auto groups = *reinterpret_cast<const Four<Ordinal>*>(memory.groups + l);
        const auto of_A = *reinterpret_cast<const Four<Scalar>*>(memory.values + l);
        const auto of_T = *reinterpret_cast<const Four<Scalar>*>(memory.tentatives + l);
        for (int q = 0; q < 4; ++q) {
          if (groups.of[q] == key) sum += of_A.of[q] * of_T.of[q];
        }
      }
      columns(to + rank) = key;
      values(to + rank) = in.smoothed(i, sum, key == own, factor, filter.lumped);
    }
  }

  /// T's row, of one entry at the most.
  KOKKOS_INLINE_FUNCTION void copy_tentative(Ordinal i) const {
    const auto length = static_cast<Ordinal>(in.tentative_length(i));
    const std::size_t to = static_cast<std::size_t>(i) * shape.stride();
    counts(i) = length;
    for (Ordinal e = 0; e < length; ++e) {
      columns(to + e) = in.T.columns(in.T.offsets(i) + e);
      values(to + e) = in.T.values(in.T.offsets(i) + e);
    }
  }
};

}  // namespace tessera::amg::detail
