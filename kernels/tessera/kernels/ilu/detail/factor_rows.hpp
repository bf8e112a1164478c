// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The two factorisations, row by row: exactly, and by sweeps of the fixed-point iteration.
#pragma once

#include "tessera/kernels/execution/lane_group.hpp"
#include "tessera/kernels/execution/ticket_loop.hpp"
#include "tessera/kernels/format/find_entry.hpp"
#include "tessera/kernels/sptrsv/row_order.hpp"

namespace tessera::kernels::detail {

/// A pattern by plain pointers.
template <class Offset>
struct PlainIluPattern {
  const Offset* offsets;
  const Ordinal* columns;
  const Offset* diagonal;  ///< entry (i, i)

  /// Entry (row, column) of those from `low` up to `high` of that row; `high` where it is not
  /// stored.
  KOKKOS_FUNCTION Offset find(Offset low, Offset high, Ordinal column) const {
    return find_entry(columns, low, high, column);
  }
};

/// to(i, j) -= l u_kj for the j above k of row k, as far as row i, whose entry (i, k) is `at`, has
/// them; each lane of the group takes some. Row i's entries are written by one lane each, and one k
/// is to be done before the next.
template <class Scalar, class Offset>
KOKKOS_FUNCTION void eliminate(const PlainIluPattern<Offset>& pattern, const LaneGroup& group,
                               Ordinal row, Offset at, Scalar l, const Scalar* from, Scalar* to) {
  const Ordinal k = pattern.columns[at];
  const Offset row_end = pattern.offsets[row + 1];
  const Offset end = pattern.offsets[k + 1];
  Offset low = at + 1;
  for (Offset e = pattern.diagonal[k] + 1 + group.lane(); e < end; e += group.size()) {
    const Offset q = pattern.find(low, row_end, pattern.columns[e]);
    if (q == row_end) continue;
    to[q] -= l * from[e];
    low = q + 1;
  }
}

/// What becomes of pivots: see IluOptions::shift.
template <class Scalar>
struct PivotRule {
  Scalar shift;
  const Scalar* row_norms;
  Scalar* found;  ///< the pivots as they were
  Scalar* inverse_diagonal;

  KOKKOS_FUNCTION bool is_small(Ordinal row, Scalar pivot) const {
    return Kokkos::abs(pivot) <= shift * row_norms[row];
  }
  /// The pivot of that row, whose inverse is kept.
  KOKKOS_FUNCTION Scalar settle(Ordinal row, Scalar pivot) const {
    found[row] = pivot;
    if (shift > 0 && is_small(row, pivot)) {
      const Scalar bound = row_norms[row] > 0 ? shift * row_norms[row] : Scalar(1);
      pivot = pivot < 0 ? -bound : bound;
    }
    inverse_diagonal[row] = Scalar(1) / pivot;
    return pivot;
  }
};

/// Factors a row once the rows of its entries below the diagonal are done: a task of a TicketLoop,
/// one of these entries per round.
template <class Scalar, class Offset>
struct FactorRow {
  struct Row {
    Ordinal row = -1;
    Offset at = 0, diagonal = 0;  ///< `at`: the entry below the diagonal that is next
    Scalar l = 0;
    bool stepped = false;  ///< in this round, with `l` as the entry of L
  };

  PlainIluPattern<Offset> pattern;
  RowOrder order;
  PivotRule<Scalar> pivots;
  Scalar* values;
  std::int32_t* is_done;  ///< 0 before, for each row

  KOKKOS_FUNCTION Row begin(std::uint32_t position, int, int) const {
    Row row;
    if (position >= static_cast<std::uint32_t>(order.count)) return row;
    row.row = order.row(position);
    row.at = pattern.offsets[row.row];
    row.diagonal = pattern.diagonal[row.row];
    return row;
  }
  KOKKOS_FUNCTION bool advance(Row& row, const LaneGroup& group, bool give_up) const {
    const bool is_through = row.at >= row.diagonal;
    // Each lane by itself, for what it reads of that row after.
    const bool sees = is_through || give_up || load_acquire(is_done + pattern.columns[row.at]) != 0;
    const bool goes_on = group.lanes_where(sees) == all_lanes(group);
    if (is_through) return true;
    if (!goes_on) return false;
    row.l = values[row.at] * pivots.inverse_diagonal[pattern.columns[row.at]];
    row.stepped = true;
    eliminate(pattern, group, row.row, row.at, row.l, values, values);
    return row.at + 1 >= row.diagonal;
  }
  KOKKOS_FUNCTION void finish(Row& row, const LaneGroup& group, bool publish) const {
    group.sync();
    if (row.stepped) {
      if (group.lane() == 0) values[row.at] = row.l;
      ++row.at;
      row.stepped = false;
    }
    if (!publish || row.row < 0 || group.lane() != 0) return;
    values[row.diagonal] = pivots.settle(row.row, values[row.diagonal]);
    store_release(is_done + row.row, 1);
  }
};

/// One sweep of the fixed-point iteration over all rows: `next` from `last`.
template <class Scalar, class Offset>
struct SweepRow {
  PlainIluPattern<Offset> pattern;
  Ordinal num_rows;
  PivotRule<Scalar> pivots;  ///< with the inverses of the diagonal of `next`
  const Scalar* a;  ///< A on the pattern
  const Scalar* last;  ///< null for the first guess
  const Scalar* last_inverse;
  Scalar* next;
  int lanes;
  bool divides = true;  ///< by the pivots of `last`

  template <class Space>
  void run(const Space& exec, const char* label) const {
    if (num_rows == 0) return;
    if constexpr (is_host_space<Space>) {
      Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(exec, 0, num_rows), *this);
    } else {
      const int rows_per_team = ticket_team / lanes;
      const int teams = (num_rows + rows_per_team - 1) / rows_per_team;
      Kokkos::parallel_for(label, Kokkos::TeamPolicy<Space>(exec, teams, ticket_team, 1), *this);
    }
  }
  KOKKOS_FUNCTION void operator()(const Ordinal row) const { compute(LaneGroup(1, 0), row); }
  template <class Member>
    requires requires(const Member& member) { member.team_rank(); }
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const std::int64_t thread =
        static_cast<std::int64_t>(member.league_rank()) * ticket_team + member.team_rank();
    compute(LaneGroup(lanes, member.team_rank()), thread / lanes);
  }

 private:
  KOKKOS_FUNCTION void compute(const LaneGroup& group, std::int64_t number) const {
    const auto row = static_cast<Ordinal>(number < num_rows ? number : -1);
    const Offset begin = row < 0 ? 0 : pattern.offsets[row];
    const Offset end = row < 0 ? 0 : pattern.offsets[row + 1];
    const Offset diagonal = row < 0 ? 0 : pattern.diagonal[row];
    for (Offset e = begin + group.lane(); e < end; e += group.size())
      next[e] = a[e];
    group.sync();
    const int steps = last == nullptr ? 0 : static_cast<int>(diagonal - begin);
    const int max_steps = group.warp_max(steps);
    for (int step = 0; step < max_steps; ++step) {
      if (step < steps)
        eliminate(pattern, group, row, begin + step, last[begin + step], last, next);
      group.sync();
    }
    if (divides) {
      for (Offset e = begin + group.lane(); e < diagonal; e += group.size())
        next[e] *= last_inverse[pattern.columns[e]];
    }
    if (row >= 0 && group.lane() == 0) next[diagonal] = pivots.settle(row, next[diagonal]);
  }
};

}  // namespace tessera::kernels::detail
