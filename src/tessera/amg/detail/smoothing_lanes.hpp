// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Shapes of teams for rows that several lanes smooth together, and what the lanes do together.
#pragma once

#include "tessera/kernels/as_argument.hpp"
#include "tessera/kernels/format/host_space.hpp"

#include <algorithm>
#include <limits>

namespace tessera::amg::detail {

/// How many lanes share a row of A, and how many entries of it scratch has room for; a longer row
/// is read again from memory where another would be read from scratch.
struct LaneShape {
  int lanes;  ///< a power of two, at most 32
  Ordinal capacity;  ///< a multiple of 8
};

/// The shape for rows of `mean` entries. A lane gets about four entries: fewer would leave lanes
/// without an aggregate of their own to sum for. Rows up to 3 times the mean fit, as those at the
/// vertices of cubic elements do.
inline LaneShape lane_shape(double mean) {
  int lanes = 4;
  while (lanes < 32 && 6 * lanes <= mean)
    lanes *= 2;
  const auto wanted = static_cast<Ordinal>(std::clamp(3 * mean, 16.0, 512.0));
  return {lanes, (wanted + 7) / 8 * 8};
}

/// Bytes of a row's slice of scratch, so far apart that neighbouring rows of a warp lie in
/// different banks.
inline int slice_bytes(int used, int lanes) {
  return (used + 127) / 128 * 128 + std::max(8, 4 * lanes) % 128;
}

/// Rows of a warp of 32 lanes: teams come in whole warps. 1 on a host.
template <class Space>
int rows_in_warp(int lanes) {
  return kernels::is_host_space<Space> ? 1 : std::max(1, 32 / lanes);
}

/// Bytes of scratch for a row, with room to align its slice.
inline int scratch_bytes(int slice) { return slice + 16; }

/// `shape` with no more capacity than scratch has for the rows of a warp, bytes(capacity) each.
template <class Space, class Bytes>
LaneShape fitting(LaneShape shape, const Bytes& bytes) {
  const int most =
      Kokkos::TeamPolicy<Space>::scratch_size_max(0) / rows_in_warp<Space>(shape.lanes);
  while (shape.capacity > 8 &&
         scratch_bytes(slice_bytes(bytes(shape.capacity), shape.lanes)) > most)
    shape.capacity -= 8;
  return shape;
}

/// `functor` for all rows of its `in.A`: each by the lanes of a team thread with `functor.slice`
/// bytes of scratch. The rows of a warp fit.
template <class Space, class Functor>
void for_each_row_by_lanes(const Space& exec, const char* label, const Functor& functor) {
  const Ordinal num_rows = functor.in.A.num_rows;
  if (num_rows == 0) return;
  const int lanes = functor.shape.lanes;
  const int bytes = scratch_bytes(functor.slice);
  const int in_warp = rows_in_warp<Space>(lanes);
  const int warps = Kokkos::TeamPolicy<Space>::scratch_size_max(0) / (in_warp * bytes);
  const int rows = kernels::is_host_space<Space> ? 1 : in_warp * std::clamp(warps, 1, 4);
  auto policy = kernels::as_argument(
      Kokkos::TeamPolicy<Space>(exec, (num_rows + rows - 1) / rows, rows, lanes));
  policy.set_scratch_size(0, Kokkos::PerThread(bytes));
  Kokkos::parallel_for(label, policy, functor);
}

inline constexpr Ordinal no_group = std::numeric_limits<Ordinal>::max();

/// The lanes of one team thread. What one of them writes in a call, all see after it.
template <class Member>
struct VectorLanes {
  const Member& member;
  int width;  ///< how many there are

  /// work(l) for l < count, in any order.
  template <class Work>
  KOKKOS_INLINE_FUNCTION void for_each(Ordinal count, const Work& work) const {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, count), work);
  }

  /// work() by one lane.
  template <class Work>
  KOKKOS_INLINE_FUNCTION void once(const Work& work) const {
    Kokkos::single(Kokkos::PerThread(member), work);
  }

  /// The sum of what add(l, sum) adds for l < count, each lane's share in ascending order, the
  /// lanes' sums in a tree.
  template <class Value, class Add>
  KOKKOS_INLINE_FUNCTION Value sum(Ordinal count, const Add& add) const {
    Value result;
    Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(member, count), add, result);
    for_each(0, [](Ordinal) {});  // a reduction does not end in step
    return result;
  }

  /// The smallest of group(l), l < count, above `last`; `no_group` where there is none.
  template <class Group>
  KOKKOS_INLINE_FUNCTION Ordinal next_group(Ordinal count, Ordinal last, const Group& group) const {
    Ordinal next = no_group;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(member, count),
        [&](Ordinal l, Ordinal& least) {
          const Ordinal g = group(l);
          if (g > last && g < least) least = g;
        },
        Kokkos::Min<Ordinal>(next));
    return next;
  }
};

}  // namespace tessera::amg::detail
