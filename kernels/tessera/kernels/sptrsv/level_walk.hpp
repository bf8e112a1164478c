// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A triangular solve by the lanes of one block, level by level: work for a cooperative group of
/// one share, which another kernel of a cooperative group can also call.
#pragma once

#include "tessera/kernels/sptrsv/detail/plain_triangle.hpp"

namespace tessera::kernels {

/// Solves for the rows of the levels from `first_level` up to `last_level`; all below are solved.
///
/// Between two levels there is one barrier of the block. What a level costs beside it is the way
/// from the values of the level before to a sum: the rows' numbers, bounds, entries, right-hand
/// sides and pivots do not depend on those values, and were fetched while the levels before were
/// computed, each stage one turn ahead of the next, since a thread stops where it uses what it has
/// not got yet. Rows too long for that read the rest of their entries in their turn.
///
/// `Group` (execution/cooperative_group.hpp) gives `lane()`, `num_lanes()`, `synchronize_lanes()`
/// and `sum_of_lanes(value, lanes)`. b may be x.
template <class Scalar, class Offset>
struct LevelWalk {
  static constexpr int max_lanes = 512;  ///< of a block: 128 registers per lane

  detail::PlainTriangle<Scalar, Offset> T;
  const Ordinal* order;  ///< rows, level by level
  const Ordinal* level_offsets;  ///< of the levels in `order`
  Ordinal first_level, last_level;
  int lanes;  ///< that share a row, a power of two up to 32; 1 on a host
  const Scalar* b;
  Scalar* x;
  std::size_t staged_rows;  ///< x is kept in shared memory where it has that many rows; 0: not

  template <class Group>
  KOKKOS_FUNCTION void operator()(Group& group) const {
    if (first_level >= last_level) return;
    // What is read: on chip where it fits, which the caller knows by `staged_rows`.
    Scalar* const staged = staged_rows > 0 ? reinterpret_cast<Scalar*>(group.scratch()) : nullptr;
    const int groups = group.num_lanes() / lanes;
    const int lane_group = group.lane() / lanes;
    const int lane = group.lane() % lanes;

    Turn at(*this, first_level);
    Entries now = entries_of(header_of(row_at(at, lane_group)), lane);
    Turn ahead = at;
    ahead.advance(*this, groups);
    Header next = header_of(row_at(ahead, lane_group));
    ahead.advance(*this, groups);
    Ordinal after_next = row_at(ahead, lane_group);
    ahead.advance(*this, groups);
    while (at.level < last_level) {
      const Ordinal last_stage = row_at(ahead, lane_group);
      const Header next_stage = header_of(after_next);
      const Entries following = entries_of(next, lane);
      solve_row(group, now, lane, staged != nullptr ? staged : x, staged);
      const Ordinal level = at.level;
      at.advance(*this, groups);
      if (at.level != level) group.synchronize_lanes();
      ahead.advance(*this, groups);
      now = following;
      next = next_stage;
      after_next = last_stage;
    }
  }

 private:
  static constexpr int at_once = 4;

  /// So many rows of a level as the block has groups of lanes.
  struct Turn {
    Ordinal level;
    Ordinal position, end, next_end;

    KOKKOS_FUNCTION Turn(const LevelWalk& walk, Ordinal first)
        : level(first), position(walk.level_offsets[first]), end(walk.level_offsets[first + 1]) {
      next_end = walk.end_of(first + 1);
    }
    KOKKOS_FUNCTION void advance(const LevelWalk& walk, int groups) {
      position += groups;
      if (position < end || level >= walk.last_level) return;
      ++level;
      position = end;
      end = next_end;
      next_end = walk.end_of(level + 1);
    }
  };
  struct Header {
    Ordinal row = -1;
    Offset begin = 0, end = 0;
  };
  struct Entries {
    Ordinal row = -1;
    Offset rest = 0, end = 0;  ///< of those that were not fetched
    int count = 0;
    Ordinal columns[at_once];
    Scalar values[at_once];
    Scalar rhs = 0, inverse = 1;
  };

  /// Where that level ends in `order`; beyond the last, where the last does.
  KOKKOS_FUNCTION Ordinal end_of(Ordinal level) const {
    return level_offsets[level < last_level ? level + 1 : last_level];
  }
  KOKKOS_FUNCTION Ordinal row_at(const Turn& turn, int lane_group) const {
    const Ordinal position = turn.position + lane_group;
    return turn.level < last_level && position < turn.end ? order[position] : -1;
  }
  KOKKOS_FUNCTION Header header_of(Ordinal row) const {
    if (row < 0) return {};
    return {row, T.begin[row], T.end[row]};
  }
  KOKKOS_FUNCTION Entries entries_of(const Header& header, int lane) const {
    Entries part;
    part.row = header.row;
    if (header.row < 0) return part;
    part.end = header.end;
    part.rest = header.begin + lane;
    for (int k = 0; k < at_once; ++k) {
      if (part.rest < part.end) {
        part.columns[k] = T.columns[part.rest];
        part.values[k] = T.values[part.rest];
        part.rest += lanes;
        ++part.count;
      }
    }
    if (lane == 0) {
      part.rhs = b[header.row];
      if (T.inverse_diagonal != nullptr) part.inverse = T.inverse_diagonal[header.row];
    }
    return part;
  }
  /// All lanes call it: those without a row for the sum.
  template <class Group>
  KOKKOS_FUNCTION void solve_row(const Group& group, const Entries& part, int lane,
                                 const Scalar* solved, Scalar* staged) const {
    Scalar sum = 0;
    for (int k = 0; k < at_once; ++k) {
      if (k < part.count) sum += part.values[k] * solved[part.columns[k]];
    }
    for (Offset e = part.rest; e < part.end; e += lanes)
      sum += T.values[e] * solved[T.columns[e]];
    sum = group.sum_of_lanes(sum, lanes);
    if (part.row < 0 || lane != 0) return;
    const Scalar value = (part.rhs - sum) * part.inverse;
    x[part.row] = value;
    if (staged != nullptr) staged[part.row] = value;
  }
};

}  // namespace tessera::kernels
