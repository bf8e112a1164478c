// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Shapes of the groups of lanes that smooth the rows of a prolongator, and passes by them.
#pragma once

#include "tessera/kernels/execution/as_argument.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/lane_group.hpp"
#include "tessera/kernels/execution/scratch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tessera::amg::detail {

/// How many lanes share a row of A, and how many entries of it scratch has room for.
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

/// How rows are shared out and how much room they have.
struct GroupShape {
  LaneShape rows;
  int log2_stride;  ///< at least 3

  /// Aggregates of a row of P that there is room for.
  KOKKOS_INLINE_FUNCTION Ordinal stride() const { return Ordinal(1) << log2_stride; }
};

/// The shape for rows of `mean` entries, those of `block_size` unknowns per node: room for twice as
/// many aggregates as the root of their vertices. Rows of P have 3 to 6 on meshes of tetrahedra and
/// of elements of order 1 to 3, with rows of A of 15 to 121 entries, and 8 of 27-point stencils on
/// boxes.
inline GroupShape group_shape(double mean, Ordinal block_size = 1) {
  int log2_stride = 3;
  for (double most = 16; log2_stride < 5 && mean > most * block_size; most *= 4)
    ++log2_stride;
  return {lane_shape(mean), log2_stride};
}

/// A row's share of scratch, of which it uses `used` bytes: the groups of a warp read different
/// banks.
inline int group_slice(int used, int lanes) {
  return (used + 127) / 128 * 128 + std::max(16, 4 * lanes) % 128;
}

/// Rows of a warp of 32 lanes: teams come in whole warps. 1 on a host.
template <class Space>
int rows_in_warp(int lanes) {
  return kernels::is_host_space<Space> ? 1 : std::max(1, 32 / lanes);
}

/// `shape` with no more capacity than scratch has for the rows of a warp, bytes(capacity) each; one
/// lane on a host.
template <class Space, class Bytes>
LaneShape fitting(LaneShape shape, const Bytes& bytes) {
  constexpr int to_align = 16;
  if (kernels::is_host_space<Space>) shape.lanes = 1;
  const int most =
      Kokkos::TeamPolicy<Space>::scratch_size_max(0) / rows_in_warp<Space>(shape.lanes);
  while (shape.capacity > 8 && group_slice(bytes(shape.capacity), shape.lanes) + to_align > most)
    shape.capacity -= 8;
  return shape;
}

/// Calls a functor for rows by groups of lanes with a share of scratch each.
template <class Space, class Functor>
struct RowsByGroupsInScratch {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;

  Functor functor;
  Ordinal num_rows;
  int lanes;
  int slice;  ///< bytes of a row's share of scratch, a multiple of 16

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const int rows = member.team_size() / lanes;
    const int in_team = member.team_rank() / lanes;
    const std::int64_t row = static_cast<std::int64_t>(member.league_rank()) * rows + in_team;
    auto* const first =
        static_cast<unsigned char*>(member.team_scratch(0).get_shmem_aligned(rows * slice, 16));
    functor(kernels::LaneGroup(lanes, member.team_rank()),
            row < num_rows ? static_cast<Ordinal>(row) : -1,
            kernels::in_scratch(first) + static_cast<std::ptrdiff_t>(in_team * slice));
  }
};

/// functor(group, i, share) for each row i, by groups of `lanes` lanes with a share of `bytes`
/// bytes of scratch each, aligned to 16; i = -1 for a group without a row, which goes along, as
/// `LaneGroup` wants it. The rows of a warp fit.
template <class Space, class Functor>
void for_each_row_by_group(const Space& exec, const char* label, Ordinal num_rows, int lanes,
                           int bytes, const Functor& functor) {
  if (num_rows == 0) return;
  const int slice = group_slice(bytes, lanes);
  const int in_warp = rows_in_warp<Space>(lanes);
  const int most = Kokkos::TeamPolicy<Space>::scratch_size_max(0) - 16;
  // A functor that asks for no scratch may have none.
  const int warps = most / std::max(1, in_warp * slice);
  const int rows = kernels::is_host_space<Space> ? 1 : in_warp * std::clamp(warps, 1, 4);
  auto policy = kernels::as_argument(
      Kokkos::TeamPolicy<Space>(exec, (num_rows - 1) / rows + 1, rows * lanes, 1));
  policy.set_scratch_size(0, Kokkos::PerTeam(rows * slice + 16));
  Kokkos::parallel_for(label, policy,
                       RowsByGroupsInScratch<Space, Functor>{functor, num_rows, lanes, slice});
}

/// What is read at once, of a row's share of scratch.
template <class T>
struct alignas(16) Four {
  T of[4];
};

}  // namespace tessera::amg::detail
