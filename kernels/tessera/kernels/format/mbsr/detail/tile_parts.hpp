// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How conversions distribute tile rows to warps. A part is a power of two of tile rows, one
/// warp's: what it reads lies together in global memory, and is looked through in shared memory.
///
/// A warp is a thread of a team with its vector lanes. Lanes are numbered by `for_lanes` whatever a
/// space has of them, so that a host, which has one, goes the same way.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/format/detail/lanes.hpp"
#include "tessera/kernels/format/tile_map.hpp"

namespace tessera::kernels::detail {

/// Lanes that work on a part.
inline constexpr int part_lanes = 32;

/// Warps of a team on a device.
inline constexpr int warps_per_team = 4;

/// Calls work(lane) on each lane of a warp. What one lane wrote into shared memory is there for the
/// others afterwards.
template <class Member, class Work>
KOKKOS_INLINE_FUNCTION void for_lanes(const Member& member, const Work& work) {
  Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, part_lanes), work);
}

/// The lanes for which `flag` holds, lane i in bit i. By all `lanes` lanes of a thread in step; a
/// host has one.
template <int lanes>
KOKKOS_INLINE_FUNCTION std::uint32_t lanes_where(bool flag) {
  static_assert(lanes == 1 || lanes == part_lanes);
  if constexpr (lanes == 1) return flag ? 1u : 0u;
#if defined(__CUDA_ARCH__)
  return __ballot_sync(0xffffffffu, flag);
#elif defined(__HIP_DEVICE_COMPILE__)
  // Of a wavefront of 64 lanes a thread has one half.
  return static_cast<std::uint32_t>(__ballot(flag) >> (__lane_id() / lanes * lanes));
#else
  return flag ? 1u : 0u;
#endif
}

/// Calls store(i, load(i)) for i < `count`, neighbouring lanes with neighbouring i, a few loads of
/// each lane on their way at once.
template <int at_once, class Load, class Store>
KOKKOS_INLINE_FUNCTION void copy_by_lane(int lane, int count, const Load& load,
                                         const Store& store) {
  using Value = decltype(load(0));
  for (int i = lane; i < count; i += at_once * part_lanes) {
    Value loaded[at_once];
    for (int q = 0; q < at_once; ++q)
      if (i + q * part_lanes < count) loaded[q] = load(i + q * part_lanes);
    for (int q = 0; q < at_once; ++q)
      if (i + q * part_lanes < count) store(i + q * part_lanes, loaded[q]);
  }
}

/// The size of parts, and the lanes of each tile row.
struct TileParts {
  /// Entries of a part on average, at most: 27 a lane. Lanes with fewer spend on finding their
  /// shares what the shorter merge saves.
  static constexpr int max_length = 27 * part_lanes;
  /// Entries of a stage. The least does not limit the warps that run at once on an SM at 8
  /// bytes per entry, and gives parts of short rows room for a longer one.
  static constexpr int min_capacity = 512;
  static constexpr int max_capacity = 1024;

  int capacity;  ///< entries that fit into a stage, at least 16
  int lanes_per_row;  ///< a power of two

  /// For tile rows of `length / tile_rows` entries on average: a stage that a part fits into with
  /// an eighth to spare, since more shared memory means fewer warps at once.
  TileParts(Ordinal tile_rows, std::size_t length)
      : capacity(min_capacity), lanes_per_row(lanes_for(tile_rows, length, max_length)) {
    if (tile_rows == 0) return;
    const std::size_t mean = length * rows() / tile_rows;
    const std::size_t wanted = (mean + mean / 8) / part_lanes * part_lanes + part_lanes;
    if (wanted > min_capacity)
      capacity = wanted < max_capacity ? static_cast<int>(wanted) : max_capacity;
  }
  /// With a stage of `stage_capacity` entries, which parts fill to seven eighths on average.
  TileParts(Ordinal tile_rows, std::size_t length, int stage_capacity)
      : capacity(stage_capacity),
        lanes_per_row(lanes_for(tile_rows, length, stage_capacity / 8 * 7)) {}

  /// The lanes of a tile row in parts of at most `most` entries on average.
  static int lanes_for(Ordinal tile_rows, std::size_t length, int most) {
    int lanes = 1;
    while (lanes < part_lanes &&
           length * (part_lanes / lanes) > static_cast<std::size_t>(most) * tile_rows)
      lanes *= 2;
    return lanes;
  }

  KOKKOS_INLINE_FUNCTION Ordinal rows() const { return part_lanes / lanes_per_row; }

  /// A thread of a team, with `bytes` of scratch memory to itself, for each part.
  template <class Space>
  Kokkos::TeamPolicy<Space> teams(const Space& exec, Ordinal tile_rows, std::size_t bytes) const {
    constexpr int warps = is_host_space<Space> ? 1 : warps_per_team;
    constexpr int lanes = is_host_space<Space> ? 1 : part_lanes;
    const Ordinal parts = (tile_rows + rows() - 1) / rows();
    Kokkos::TeamPolicy<Space> policy(exec, (parts + warps - 1) / warps, warps, lanes);
    policy.set_scratch_size(0, Kokkos::PerThread(static_cast<int>(bytes)));
    return policy;
  }
};

/// Goes through the tile rows of this warp's part: short_rows(first, last) for those that fit into
/// a stage together, long_row(tile_row) for one that does not fit. `entries_before(tile_row)`
/// tells, for up to `tile_rows` itself.
template <class Member, class EntriesBefore, class ShortRows, class LongRow>
KOKKOS_INLINE_FUNCTION void for_part(const Member& member, const TileParts& parts,
                                     Ordinal tile_rows, const EntriesBefore& entries_before,
                                     const ShortRows& short_rows, const LongRow& long_row) {
  const Ordinal part = row_of_thread(member);
  if (part > (tile_rows - 1) / parts.rows()) return;
  Ordinal first = part * parts.rows();
  const Ordinal end = first + Kokkos::min(parts.rows(), tile_rows - first);
  while (first < end) {
    const auto begin = entries_before(first);
    Ordinal last = first;
    if (entries_before(end) - begin <= parts.capacity) {
      last = end;
    } else {
      while (entries_before(last + 1) - begin <= parts.capacity)
        ++last;
    }
    if (last > first) {
      short_rows(first, last);
    } else {
      long_row(first);
      ++last;
    }
    first = last;
  }
}

/// `count` elements of the warp's scratch memory.
template <class T, class Member>
KOKKOS_INLINE_FUNCTION T* part_scratch(const Member& member, int count) {
  return static_cast<T*>(member.thread_scratch(0).get_shmem_aligned(count * sizeof(T), alignof(T)));
}

}  // namespace tessera::kernels::detail
