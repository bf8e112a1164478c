// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Triangular solves as part of a cooperative group's work: by one worker, by all level after
/// level, and by all with each row as soon as those that it needs are there.
#pragma once

#include "tessera/kernels/sptrsv/level_order.hpp"
#include "tessera/kernels/sptrsv/waiting_row.hpp"

namespace tessera::kernels::detail {

/// x = T^-1 b by the first lanes of one worker of a device, with a barrier of theirs between
/// levels. What does not depend on the level before was fetched while that was solved for: a row's
/// number and bounds two turns ahead, its entries one. b may be x.
template <class Scalar>
struct BlockWalk {
  PlainLevels<Scalar> T;
  int lanes;  ///< that share a row, a power of two up to 32
  int walkers;  ///< lanes of the worker that take part: whole warps
  const Scalar* b;
  Scalar* x;
  Scalar* copy;  ///< of x, for other workers; null for none

  template <class Group>
  KOKKOS_FUNCTION void operator()(const Group& group) const {
    if (group.lane() >= walkers) return;
    const int groups = walkers / lanes;
    const int lane_group = group.lane() / lanes;
    const int lane = group.lane() % lanes;
    Turn at(T);
    Turn ahead = at;
    Part now = part_of(place_at(ahead, lane_group), lane);
    ahead.advance(T, groups);
    Place next = place_at(ahead, lane_group);
    ahead.advance(T, groups);
    while (at.level < T.num_levels) {
      const Place after_next = place_at(ahead, lane_group);
      const Part following = part_of(next, lane);
      solve_row(group, now, lane);
      const Ordinal level = at.level;
      at.advance(T, groups);
      if (at.level != level) group.synchronize_first(walkers);
      ahead.advance(T, groups);
      now = following;
      next = after_next;
    }
  }

 private:
  static constexpr int at_once = 4;

  /// So many rows of a level as there are groups of lanes.
  struct Turn {
    Ordinal level = 0;
    Ordinal position = 0, end = 0, next_end = 0;

    KOKKOS_FUNCTION explicit Turn(const PlainLevels<Scalar>& T)
        : end(end_of(T, 0)), next_end(end_of(T, 1)) {}
    KOKKOS_FUNCTION void advance(const PlainLevels<Scalar>& T, int groups) {
      position += groups;
      if (position < end || level >= T.num_levels) return;
      ++level;
      position = end;
      end = next_end;
      next_end = end_of(T, level + 1);
    }
    /// Beyond the last level, where that ends.
    KOKKOS_FUNCTION static Ordinal end_of(const PlainLevels<Scalar>& T, Ordinal level) {
      return T.level_offsets[level < T.num_levels ? level + 1 : T.num_levels];
    }
  };
  struct Place {
    Ordinal position = -1, row = -1;
    Ordinal begin = 0, end = 0;
  };
  struct Part {
    Ordinal row = -1;
    Ordinal rest = 0, end = 0;  ///< of entries that were not fetched
    int count = 0;
    Ordinal columns[at_once];
    Scalar values[at_once];
    Scalar rhs = 0, inverse = 1;
  };

  KOKKOS_FUNCTION Place place_at(const Turn& turn, int lane_group) const {
    const Ordinal p = turn.position + lane_group;
    if (turn.level >= T.num_levels || p >= turn.end) return {};
    return {p, T.rows[p], T.offsets[p], T.offsets[p + 1]};
  }
  KOKKOS_FUNCTION Part part_of(const Place& place, int lane) const {
    Part part;
    part.row = place.row;
    if (place.row < 0) return part;
    part.end = place.end;
    part.rest = place.begin + lane;
    for (int k = 0; k < at_once; ++k) {
      if (part.rest < part.end) {
        part.columns[k] = T.columns[part.rest];
        part.values[k] = T.values[part.rest];
        part.rest += lanes;
        ++part.count;
      }
    }
    if (lane == 0) {
      part.rhs = b[place.row];
      if (T.inverse_diagonal != nullptr) part.inverse = T.inverse_diagonal[place.position];
    }
    return part;
  }
  /// By all lanes that walk: those without a row for the sum.
  template <class Group>
  KOKKOS_FUNCTION void solve_row(const Group& group, const Part& part, int lane) const {
    Scalar sum = 0;
    for (int k = 0; k < at_once; ++k) {
      if (k < part.count) sum += part.values[k] * x[part.columns[k]];
    }
    for (Ordinal e = part.rest; e < part.end; e += lanes)
      sum += T.values[e] * x[T.columns[e]];
    sum = group.sum_of_lanes(sum, lanes);
    if (part.row < 0 || lane != 0) return;
    const Scalar value = (part.rhs - sum) * part.inverse;
    x[part.row] = value;
    if (copy != nullptr) copy[part.row] = value;
  }
};

/// Rows and entries of a level from which on a host's threads share it.
inline constexpr std::int64_t group_level_work = 4096;

/// x = T^-1 b by all workers of a host, level after level; small levels are the first one's. Ends
/// with a barrier.
template <class Group, class Scalar>
KOKKOS_FUNCTION void solve_level_by_level(Group& group, const PlainLevels<Scalar>& T,
                                          const Scalar* b, Scalar* x) {
  bool is_by_first = false;
  for (Ordinal level = 0; level < T.num_levels; ++level) {
    const Ordinal begin = T.level_offsets[level];
    const Ordinal end = T.level_offsets[level + 1];
    if (end - begin + T.offsets[end] - T.offsets[begin] < group_level_work) {
      is_by_first = true;
      for (Ordinal p = begin; group.is_first() && p < end; ++p)
        T.solve_row(p, b, x);
      continue;
    }
    if (is_by_first) group.barrier();
    is_by_first = false;
    group.for_each(end - begin,
                   [&](std::int64_t l) { T.solve_row(begin + static_cast<Ordinal>(l), b, x); });
    group.barrier();
  }
  if (is_by_first) group.barrier();
}

/// x = T^-1 b by workers of a device that run at once: each row as soon as those that it needs are
/// there, which were the sentinel before (sentinel.hpp). b may be the sentinel in places, too.
///
/// Warps get rows in the order of the levels, and a warp takes them in that order: so the
/// first row of all that is not solved for waits for nobody. The lanes of a warp look in rounds, as
/// those of a TicketLoop do. A wait that takes too long makes the group fail, and the row a NaN.
template <class Scalar>
struct SynchronizationFreeRows {
  PlainLevels<Scalar> T;
  int lanes;  ///< that share a row, a power of two up to 32
  int warps;  ///< of all workers, that take part: rows far ahead would only be polled
  const Scalar* b;
  Scalar* x;

  /// `f(row, value)` for each row by one lane.
  template <class Group, class Function>
  KOKKOS_FUNCTION void operator()(const Group& group, int share, const Function& f) const {
    constexpr int warp = 32;
    const int all = group.num_lanes() / warp * group.num_shares();
    const int workers = warps < all ? warps : all;
    const int worker = group.lane() / warp * group.num_shares() + share;
    if (worker >= workers) return;
    const int rows_per_warp = warp / lanes;
    const int lane_group = group.lane() % warp / lanes;
    for (std::int64_t first = static_cast<std::int64_t>(worker) * rows_per_warp; first < T.num_rows;
         first += static_cast<std::int64_t>(workers) * rows_per_warp)
      solve_row(group, first + lane_group, group.lane() % lanes, f);
  }

 private:
  using Word = typename Sentinel<Scalar>::Word;
  struct Row : WaitingRow<Scalar, Scalar, Ordinal> {
    Scalar entries[WaitingRow<Scalar, Scalar, Ordinal>::at_once];
    Word rhs = 0;
    Scalar inverse = 1;
    bool waits_for_rhs = false;
  };
  using Waits = RowWaits<Scalar, Row, Ordinal>;

  /// By all lanes of a warp, for as many rows.
  template <class Group, class Function>
  KOKKOS_FUNCTION void solve_row(const Group& group, std::int64_t position, int lane,
                                 const Function& f) const {
    Row row = begin(position, lane);
    typename Group::Wait wait;
    bool done = false;
    do {
      const bool gives_up = group.timed_out(wait);
      const bool ready = advance(row, gives_up);
      const bool complete = group.sum_of_lanes(ready ? 0 : 1, lanes) == 0;
      const Scalar sum = group.sum_of_lanes(row.sum, lanes);
      if (complete && !done && lane == 0 && row.row >= 0) {
        const Scalar value = (Sentinel<Scalar>::of(row.rhs) - sum) * row.inverse;
        Sentinel<Scalar>::publish(x + row.row, value);
        f(row.row, value);
      }
      done = done || complete;
    } while (group.any_of_warp(!done));
  }

  KOKKOS_FUNCTION Row begin(std::int64_t position, int lane) const {
    Row row;
    if (position >= T.num_rows) return row;
    row.row = T.rows[position];
    row.next = T.offsets[position] + lane;
    row.end = T.offsets[position + 1];
    row.step = lanes;
    if (lane == 0) {
      row.rhs = Sentinel<Scalar>::word;
      row.waits_for_rhs = true;
      if (T.inverse_diagonal != nullptr) row.inverse = T.inverse_diagonal[position];
    }
    Waits::look_at_next(row, T.columns, [&](int k, Ordinal e) { row.entries[k] = T.values[e]; });
    return row;
  }
  /// True where the lane has nothing to wait for any more.
  KOKKOS_FUNCTION bool advance(Row& row, bool gives_up) const {
    if (row.waits_for_rhs) {
      row.rhs = Sentinel<Scalar>::read(b + row.row);
      row.waits_for_rhs = row.rhs == Sentinel<Scalar>::word && !gives_up;
    }
    const bool has_entries = Waits::advance(
        row, gives_up, T.columns, x, [&](int k, Ordinal e) { row.entries[k] = T.values[e]; },
        [&](int k, Scalar value) { row.sum += row.entries[k] * value; });
    return has_entries && !row.waits_for_rhs;
  }
};

}  // namespace tessera::kernels::detail
