// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The rows of a bin, each by a group of lanes with a table of its own in team scratch.
///
/// A row needs no barrier of its team. Of its table it uses as much as it needs, so that a bin may
/// hold rows of several sizes: each has room for the largest.
#pragma once

#include "tessera/kernels/execution/lane_group.hpp"
#include "tessera/kernels/execution/scratch.hpp"
#include "tessera/kernels/format/bucket_table.hpp"
#include "tessera/kernels/spgemm/detail/launch.hpp"

namespace tessera::kernels::spgemm_detail {

/// Tables of up to 2^7 slots share a bin: their rows do not fill a multiprocessor's shared
/// memory before they fill its threads.
inline constexpr int log2_slots_of_smallest_bin = 7;

/// Rows with larger tables get a team each.
inline constexpr int max_log2_by_group = 10;

/// A group as the scope of a sort.
struct GroupScope {
  const LaneGroup& group;

  template <class Index, class Function>
  KOKKOS_INLINE_FUNCTION void for_each(Index n, const Function& function) const {
    for (Index i = group.lane(); i < n; i += group.size())
      function(i);
    group.sync();
  }
};

/// A row and the memory for its table; `row` is -1 past the end of the bin, where the group goes
/// along with an empty row.
struct GroupRow {
  Ordinal row;
  void* memory;
};

/// The row of this thread's group. `row_bytes` is what `launch_by_group` was given.
template <class Member, class Rows>
KOKKOS_INLINE_FUNCTION GroupRow row_of_group(const Member& member, const RowBin& bin,
                                             const Rows& rows, int lanes, int row_bytes) {
  const int groups = member.team_size() / lanes;
  const int group = member.team_rank() / lanes;
  auto* const first =
      static_cast<unsigned char*>(member.team_scratch(0).get_shmem_aligned(groups * row_bytes, 16));
  unsigned char* const memory = in_scratch(first) + static_cast<std::ptrdiff_t>(group) * row_bytes;
  const std::int64_t index = static_cast<std::int64_t>(member.league_rank()) * groups + group;
  const Ordinal row = index >= bin.count    ? -1
                      : rows.extent(0) == 0 ? static_cast<Ordinal>(index)
                                            : rows(bin.first + index);
  return {row, memory};
}

/// Bytes of a table so that the next one is aligned.
KOKKOS_INLINE_FUNCTION constexpr int padded_table_bytes(int bytes) {
  return (bytes + 15) / 16 * 16;
}

/// Whether the tables of a warp's rows fit in scratch.
template <class Space>
bool fits_by_group(int lanes, int row_bytes) {
  return rows_in_warp<Space>(lanes) * row_bytes + 32 <=
         Kokkos::TeamPolicy<Space>::scratch_size_max(0);
}

/// `functor` for the `count` rows of a bin, each by `lanes` lanes with `row_bytes` of scratch, a
/// multiple of 16.
template <class Functor, class Space>
void launch_by_group(const Space& exec, const char* label, const Functor& functor, Ordinal count,
                     int lanes, int row_bytes) {
  const int warp = rows_in_warp<Space>(lanes);
  const int max_warps = (Kokkos::TeamPolicy<Space>::scratch_size_max(0) - 32) / (warp * row_bytes);
  const int rows = warp * std::clamp(max_warps, 1, is_host_space<Space> ? 1 : 4);
  Kokkos::TeamPolicy<Space> policy(exec, (count - 1) / rows + 1, rows * lanes, 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(rows * row_bytes + 16));
  Kokkos::parallel_for(label, policy, functor);
}

}  // namespace tessera::kernels::spgemm_detail
