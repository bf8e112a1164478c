// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tasks of a TicketLoop: a row of a triangle that waits for the values of the rows that it needs.
#pragma once

#include "tessera/kernels/execution/concurrent_access.hpp"
#include "tessera/kernels/execution/ticket_loop.hpp"
#include "tessera/kernels/sptrsv/detail/plain_triangle.hpp"

#include <limits>

namespace tessera::kernels::detail {

/// The scalars of a vector whose entries are the sentinel until they are known. Sentinel is one NaN
/// of the many, which `published` never gives: no flag beside the value is needed, and no order
/// between two words.
template <class Scalar>
struct Sentinel {
  using Word = std::conditional_t<sizeof(Scalar) == 8, std::uint64_t, std::uint32_t>;
  static constexpr Word word = ~Word(0);

  KOKKOS_FUNCTION static Scalar value() { return of(word); }
  KOKKOS_FUNCTION static Word read(const Scalar* from) {
    return load_relaxed(reinterpret_cast<const Word*>(from));
  }
  KOKKOS_FUNCTION static Scalar of(Word known) { return Kokkos::bit_cast<Scalar>(known); }
  KOKKOS_FUNCTION static void publish(Scalar* to, Scalar value) {
    const Word bits = Kokkos::bit_cast<Word>(value);
    store_relaxed(reinterpret_cast<Word*>(to),
                  bits == word ? Kokkos::bit_cast<Word>(missing()) : bits);
  }
  /// What a row takes for a value that never came.
  KOKKOS_FUNCTION static Scalar missing() { return Kokkos::Experimental::quiet_NaN_v<Scalar>; }
};

/// Levels, which are never below 0.
template <>
struct Sentinel<Ordinal> {
  using Word = Ordinal;
  static constexpr Word word = -1;

  KOKKOS_FUNCTION static Ordinal value() { return word; }
  KOKKOS_FUNCTION static Word read(const Ordinal* from) { return load_relaxed(from); }
  KOKKOS_FUNCTION static Ordinal of(Word known) { return known; }
  KOKKOS_FUNCTION static void publish(Ordinal* to, Ordinal value) { store_relaxed(to, value); }
  KOKKOS_FUNCTION static Ordinal missing() { return 0; }
};

/// A lane's part of a row. It looks at the values that a few entries need at once: where the last
/// of them comes, one more look is enough.
template <class Value, class Sum, class Offset>
struct WaitingRow {
  static constexpr int at_once = 4;
  using Word = typename Sentinel<Value>::Word;

  Ordinal row = -1;  ///< -1: none
  Offset next = 0, end = 0;
  int step = 1;
  int count = 0;  ///< of the entries looked at
  Ordinal columns[at_once];
  Word words[at_once];
  Sum sum{};
};

/// The part that the tasks have in common. `load(k, entry)` fetches what else there is to an entry
/// that is looked at as the k-th.
template <class Value, class Row, class Offset>
struct RowWaits {
  template <class Load>
  KOKKOS_FUNCTION static void look_at_next(Row& row, const Ordinal* columns, const Load& load) {
    row.count = 0;
    for (int k = 0; k < Row::at_once; ++k) {
      const Offset e = row.next + static_cast<Offset>(k) * row.step;
      if (e >= row.end) break;
      row.columns[k] = columns[e];
      row.words[k] = Sentinel<Value>::word;
      load(k, e);
      ++row.count;
    }
  }

  /// True where nothing is left to wait for. `add(k, value)` in the entries' order.
  template <class Load, class Add>
  KOKKOS_FUNCTION static bool advance(Row& row, bool give_up, const Ordinal* columns,
                                      const Value* values, const Load& load, const Add& add) {
    while (row.count > 0) {
      for (int k = 0; k < Row::at_once; ++k) {
        if (k < row.count && row.words[k] == Sentinel<Value>::word)
          row.words[k] = Sentinel<Value>::read(values + row.columns[k]);
      }
      bool all = true;
      for (int k = 0; k < Row::at_once; ++k)
        all = all && (k >= row.count || row.words[k] != Sentinel<Value>::word);
      if (!all && !give_up) return false;
      for (int k = 0; k < Row::at_once; ++k) {
        if (k >= row.count) continue;
        const bool is_there = row.words[k] != Sentinel<Value>::word;
        add(k, is_there ? Sentinel<Value>::of(row.words[k]) : Sentinel<Value>::missing());
      }
      row.next += static_cast<Offset>(row.count) * row.step;
      look_at_next(row, columns, load);
    }
    return true;
  }
};

/// Solves for x(row), which is the sentinel before, as are all of x.
template <class Scalar, class Offset>
struct SolveRow {
  struct Row : WaitingRow<Scalar, Scalar, Offset> {
    Scalar entries[WaitingRow<Scalar, Scalar, Offset>::at_once];
    Scalar rhs = 0, inverse = 1;
  };
  using Waits = RowWaits<Scalar, Row, Offset>;

  PlainTriangle<Scalar, Offset> T;
  RowOrder order;
  const Scalar* b;
  Scalar* x;
  Scalar* reset_b;  ///< `b`, where it is to be the sentinel after, or null
  Scalar* reset;  ///< another vector that is to be the sentinel after, or null

  KOKKOS_FUNCTION Row begin(std::uint32_t position, int lane, int lanes) const {
    Row row;
    if (position >= static_cast<std::uint32_t>(order.count)) return row;
    row.row = order.row(position);
    row.next = T.begin[row.row] + lane;
    row.end = T.end[row.row];
    row.step = lanes;
    if (lane == 0) {
      row.rhs = b[row.row];
      if (T.inverse_diagonal != nullptr) row.inverse = T.inverse_diagonal[row.row];
      if (reset_b != nullptr) reset_b[row.row] = Sentinel<Scalar>::value();
      if (reset != nullptr) reset[row.row] = Sentinel<Scalar>::value();
    }
    Waits::look_at_next(row, T.columns, [&](int k, Offset e) { row.entries[k] = T.values[e]; });
    return row;
  }
  KOKKOS_FUNCTION bool advance(Row& row, const LaneGroup&, bool give_up) const {
    return Waits::advance(
        row, give_up, T.columns, x, [&](int k, Offset e) { row.entries[k] = T.values[e]; },
        [&](int k, Scalar value) { row.sum += row.entries[k] * value; });
  }
  KOKKOS_FUNCTION void finish(Row& row, const LaneGroup& group, bool publish) const {
    const Scalar sum = group.sum(row.sum);
    if (publish && group.lane() == 0 && row.row >= 0)
      Sentinel<Scalar>::publish(x + row.row, (row.rhs - sum) * row.inverse);
  }
};

/// Finds a row's level: 0, or one more than the highest of those that it needs. `levels` is the
/// sentinel before.
template <class Scalar, class Offset>
struct LevelRow {
  using Row = WaitingRow<Ordinal, Ordinal, Offset>;
  using Waits = RowWaits<Ordinal, Row, Offset>;

  PlainTriangle<Scalar, Offset> T;
  RowOrder order;
  Ordinal* levels;

  KOKKOS_FUNCTION Row begin(std::uint32_t position, int lane, int lanes) const {
    Row row;
    if (position >= static_cast<std::uint32_t>(order.count)) return row;
    row.row = order.row(position);
    row.next = T.begin[row.row] + lane;
    row.end = T.end[row.row];
    row.step = lanes;
    Waits::look_at_next(row, T.columns, [](int, Offset) {});
    return row;
  }
  KOKKOS_FUNCTION bool advance(Row& row, const LaneGroup&, bool give_up) const {
    return Waits::advance(
        row, give_up, T.columns, levels, [](int, Offset) {},
        [&](int, Ordinal level) { row.sum = level + 1 > row.sum ? level + 1 : row.sum; });
  }
  KOKKOS_FUNCTION void finish(Row& row, const LaneGroup& group, bool publish) const {
    Ordinal level = row.sum;
    for (int distance = group.size() / 2; distance > 0; distance /= 2) {
      const Ordinal other = group.from_lane(level, group.lane() ^ distance);
      level = other > level ? other : level;
    }
    if (publish && group.lane() == 0 && row.row >= 0)
      Sentinel<Ordinal>::publish(levels + row.row, level);
  }
};

}  // namespace tessera::kernels::detail
