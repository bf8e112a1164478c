// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The values of a row of a smoothed prolongator whose pattern is known, by a group of lanes.
#pragma once

#include "tessera/amg/coarsening/detail/aggregate_table.hpp"
#include "tessera/amg/coarsening/detail/group_shape.hpp"

namespace tessera::amg::detail {

/// Fills a row of P, of any length: its lanes bring A's row to scratch, as much of it at a time as
/// there is room for, and each sums for entries of its own, in A's order.
template <class Scalar, class Space, class Offset>
struct FillRowByGroup {
  static constexpr int at_once = 4;  ///< entries of a lane that are on their way together

  SmoothingInput<Scalar, Space, Offset> in;
  SmoothedRows<Scalar, Space, Offset, true> out;
  LaneShape shape;
  Array<const char, Space> later;  ///< where given, the rows that are to be filled

  /// A row's share of scratch.
  struct Memory {
    Scalar* values;  ///< of A's row; where there are several near-nullspace vectors, times -damping
    Scalar* tentatives;  ///< with one near-nullspace vector
    Offset* starts;  ///< with several: where T's rows begin; in the place of `tentatives`
    Ordinal* groups;  ///< the aggregate of each entry; below 0 where it takes no part
  };

  static KOKKOS_INLINE_FUNCTION constexpr int tentative_bytes(Ordinal m) {
    return static_cast<int>(m == 1 ? sizeof(Scalar) : sizeof(Offset));
  }
  static int bytes(Ordinal capacity, Ordinal m) {
    return capacity * (static_cast<int>(sizeof(Scalar) + sizeof(Ordinal)) + tentative_bytes(m));
  }

  /// Row `row`, -1 for none.
  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal row,
                                  unsigned char* share) const {
    const Ordinal i = row >= 0 && is_asked_for(row) ? row : -1;
    const bool smooths = i >= 0 && in.smooths(i);
    if (i >= 0 && !smooths) copy_tentative(group, i);
    const bool sums = smooths && out.offsets(i) < out.offsets(i + 1);
    const RowFilter<Scalar> filter = row_filter(group, sums ? i : -1);
    const Scalar factor = sums ? in.damping(i, out.omega_over_rho, filter) : Scalar(0);
    const Ordinal size = sums ? in.length(i) : 0;
    const Ordinal num_parts = sums ? (size > 0 ? (size - 1) / shape.capacity + 1 : 1) : 0;
    const Memory memory = split(share);
    const Ordinal max_parts = group.warp_max(num_parts);
    for (Ordinal part = 0; part < max_parts; ++part) {
      const Ordinal from = part * shape.capacity;
      const Ordinal count =
          part < num_parts ? Kokkos::min(shape.capacity, Ordinal(size - from)) : 0;
      if (count > 0) stage(group, i, from, count, filter.filtered, factor, memory);
      group.sync();
      if (part < num_parts) {
        if (in.m == 1) {
          add_single(group, i, count, part, part + 1 == num_parts, filter.lumped, factor, memory);
        } else {
          add_block(group, i, count, part, part + 1 == num_parts, memory);
        }
      }
      group.sync();
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION bool is_asked_for(Ordinal i) const {
    return later.extent(0) == 0 || later(i) != 0;
  }

  KOKKOS_INLINE_FUNCTION Memory split(unsigned char* share) const {
    Memory memory;
    memory.values = reinterpret_cast<Scalar*>(share);
    unsigned char* const next = share + shape.capacity * sizeof(Scalar);
    memory.tentatives = reinterpret_cast<Scalar*>(next);
    memory.starts = reinterpret_cast<Offset*>(next);
    memory.groups = reinterpret_cast<Ordinal*>(next + shape.capacity * tentative_bytes(in.m));
    return memory;
  }

  KOKKOS_INLINE_FUNCTION void copy_tentative(const kernels::LaneGroup& group, Ordinal i) const {
    const auto length = static_cast<Ordinal>(in.tentative_length(i));
    for (Ordinal b = group.lane(); b < length; b += group.size())
      out.values(out.offsets(i) + b) = in.T.values(in.T.offsets(i) + b);
  }

  /// The filter of row i, -1 for none, in the pattern that it has.
  KOKKOS_INLINE_FUNCTION RowFilter<Scalar> row_filter(const kernels::LaneGroup& group,
                                                      Ordinal i) const {
    if (in.filter_squared == 0) return {};
    const RowFilter<Scalar> filter = filter_by_group(in, group, i);
    const Ordinal row = i >= 0 && in.may_filter(i) ? i : -1;
    const RowSums<Scalar> sums = sums_by_group(in, group, row, [&](Offset k) {
      return (!filter.filtered || in.strong(row, k)) &&
             in_pattern(row, in.aggregate(in.A.columns(k)));
    });
    return row < 0 ? filter : in.filter_again(row, filter, sums);
  }

  /// Whether row i of P, with one near-nullspace vector and not empty, has aggregate g, or there is
  /// none.
  KOKKOS_INLINE_FUNCTION bool in_pattern(Ordinal i, Ordinal g) const {
    if (g < 0) return true;
    Offset first = out.offsets(i);
    for (Offset count = out.offsets(i + 1) - first; count > 1;) {
      const Offset half = count / 2;
      if (out.columns(first + half) <= g) first += half;
      count -= half;
    }
    return out.columns(first) == g;
  }

  /// Brings `count` entries of A's row to scratch; and entries beyond them, for they are read by
  /// fours. The loads of one array wait for memory together, not one after the other.
  KOKKOS_INLINE_FUNCTION void stage(const kernels::LaneGroup& group, Ordinal i, Ordinal from,
                                    Ordinal count, bool filtered, Scalar factor,
                                    const Memory& memory) const {
    for (Ordinal l = count + group.lane(); l < (count + 3) / 4 * 4; l += group.size())
      memory.groups[l] = -1;
    const Offset begin = in.A.offsets(i) + from;
    for (Ordinal first = group.lane(); first < count; first += at_once * group.size()) {
      Ordinal column[at_once];
      Scalar value[at_once];
      Ordinal of[at_once];
      Offset start[at_once];
      for (int e = 0; e < at_once; ++e) {
        const Ordinal l = first + e * group.size();
        column[e] = l < count ? in.A.columns(begin + l) : -1;
        value[e] = l < count ? in.A.values(begin + l) : Scalar(0);
      }
      for (int e = 0; e < at_once; ++e)
        of[e] = column[e] < 0 ? -1 : in.aggregate(column[e]);
      if (filtered) keep_strong(i, column, value, of);
      for (int e = 0; e < at_once; ++e)
        start[e] = of[e] < 0 ? Offset(0) : in.T.offsets(column[e]);
      for (int e = 0; e < at_once; ++e) {
        if (column[e] < 0) continue;
        const Ordinal l = first + e * group.size();
        memory.groups[l] = of[e];
        memory.values[l] = in.m == 1 ? value[e] : -factor * value[e];
        if (in.m != 1) memory.starts[l] = start[e];
      }
      if (in.m == 1) stage_tentatives(group, first, column, of, start, memory);
    }
  }

  /// Takes the aggregates of weak entries away.
  KOKKOS_INLINE_FUNCTION void keep_strong(Ordinal i, const Ordinal* column, const Scalar* value,
                                          Ordinal* of) const {
    double scale[at_once];
    for (int e = 0; e < at_once; ++e)
      scale[e] = column[e] < 0 ? 0.0 : in.scale(column[e]);
    for (int e = 0; e < at_once; ++e) {
      if (!in.strong(i, column[e], value[e], scale[e])) of[e] = -1;
    }
  }

  KOKKOS_INLINE_FUNCTION void stage_tentatives(const kernels::LaneGroup& group, Ordinal first,
                                               const Ordinal* column, const Ordinal* of,
                                               const Offset* start, const Memory& memory) const {
    Scalar tentative[at_once];
    for (int e = 0; e < at_once; ++e)
      tentative[e] = of[e] < 0 ? Scalar(0) : in.T.values(start[e]);
    for (int e = 0; e < at_once; ++e) {
      if (column[e] >= 0) memory.tentatives[first + e * group.size()] = tentative[e];
    }
  }

  /// Adds what is in scratch, the row's part number `part`, to P's row with one near-nullspace
  /// vector.
  KOKKOS_INLINE_FUNCTION void add_single(const kernels::LaneGroup& group, Ordinal i, Ordinal count,
                                         Ordinal part, bool last, Scalar lumped, Scalar factor,
                                         const Memory& memory) const {
    const Ordinal own = in.aggregate(i);
    for (Offset at = out.offsets(i) + group.lane(); at < out.offsets(i + 1); at += group.size()) {
      const Ordinal key = out.columns(at);
      Scalar sum = part == 0 ? Scalar(0) : out.values(at);
      for (Ordinal l = 0; l < count; l += 4) {
        const auto groups = *reinterpret_cast<const Four<Ordinal>*>(memory.groups + l);
        const auto of_A = *reinterpret_cast<const Four<Scalar>*>(memory.values + l);
        const auto of_T = *reinterpret_cast<const Four<Scalar>*>(memory.tentatives + l);
        for (int q = 0; q < 4; ++q) {
          if (groups.of[q] == key) sum += of_A.of[q] * of_T.of[q];
        }
      }
      out.values(at) = last ? in.smoothed(i, sum, key == own, factor, lumped) : sum;
    }
  }

  /// The same with several near-nullspace vectors.
  KOKKOS_INLINE_FUNCTION void add_block(const kernels::LaneGroup& group, Ordinal i, Ordinal count,
                                        Ordinal part, bool last, const Memory& memory) const {
    const Ordinal own = in.aggregate(i);
    for (Offset at = out.offsets(i) + group.lane(); at < out.offsets(i + 1); at += group.size()) {
      const Ordinal key = out.columns(at) / in.m;
      const Ordinal b = out.columns(at) - key * in.m;
      Scalar sum = part == 0 ? Scalar(0) : out.values(at);
      for (Ordinal l = 0; l < count; l += 4) {
        const auto groups = *reinterpret_cast<const Four<Ordinal>*>(memory.groups + l);
        for (int q = 0; q < 4; ++q) {
          if (groups.of[q] == key)
            sum += memory.values[l + q] * in.T.values(memory.starts[l + q] + b);
        }
      }
      if (last && key == own) sum += in.T.values(in.T.offsets(i) + b);
      out.values(at) = sum;
    }
  }
};

/// The values of P, whose pattern is known: of all rows, or of those of `later`.
template <class Scalar, class Space, class Offset>
void fill_by_groups(const Space& exec, const char* label,
                    const SmoothingInput<Scalar, Space, Offset>& in,
                    const SmoothedRows<Scalar, Space, Offset, true>& out, const LaneShape& shape,
                    const Array<const char, Space>& later = {}) {
  using Fill = FillRowByGroup<Scalar, Space, Offset>;
  const auto bytes = [&](Ordinal capacity) { return Fill::bytes(capacity, in.m); };
  const LaneShape fits = fitting<Space>(shape, bytes);
  for_each_row_by_group(exec, label, in.A.num_rows, fits.lanes, bytes(fits.capacity),
                        Fill{in, out, fits, later});
}

}  // namespace tessera::amg::detail
