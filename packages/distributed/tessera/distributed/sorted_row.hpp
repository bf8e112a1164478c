// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One row of those given, by the columns' numbers on the process, and sorted.
#pragma once

#include "tessera/distributed/first_where.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

namespace tessera::distributed {

/// Of sorted rows, those that have a column twice.
template <class Space>
struct HasTwice {
  ArrayView<const std::int64_t, Space> offsets;
  ArrayView<const Ordinal, Space> columns;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    for (std::int64_t e = offsets(i) + 1; e < offsets(i + 1); ++e)
      if (columns(e) == columns(e - 1)) return true;
    return false;
  }
};

/// Makes one row by one thread of a host: numbers, order and values while the row is in its cache.
///
/// `Source` has the rows as they were given: `row(i).column(k)`, the number here of row i's entry
/// k, and `row(i).place(k)`, where that is among all entries given; `value(place)`; and
/// `first_outside(i)`, the place of the row's first column that there is not, or `nowhere`.
template <class Space, class Source>
struct SortedRow {
  using Offset = std::int64_t;
  static constexpr int longest_counted_row = 128;  // a multiple of eight

  Source source;
  ArrayView<const Offset, Space> offsets;  ///< of the rows made
  ArrayView<Ordinal, Space> columns;
  ArrayView<double, Space> values;
  ArrayView<Offset, Space> place;

  void operator()(Ordinal row, Offset& outside, Offset& twice) const {
    const Offset begin = offsets(row);
    const Offset end = offsets(row + 1);
    const Offset wrong = source.first_outside(row);
    if (wrong != nowhere) {
      outside = std::min(outside, wrong);
      return;
    }
    const auto given = source.row(row);
    if (end - begin <= longest_counted_row)
      count(given, begin, static_cast<int>(end - begin));
    else
      sort(given, begin, end);
    if (HasTwice<Space>{offsets, columns}(static_cast<std::size_t>(row)))
      twice = std::min(twice, static_cast<Offset>(row));
  }

  void emit(Offset to, Ordinal column, Offset from) const {
    columns(to) = column;
    values(to) = source.value(from);
    place(to) = from;
  }

  /// An entry's place is the number of smaller columns; none is counted where the row ascends.
  /// Equal columns would have one place: such a row is sorted.
  template <class Row>
  void count(const Row& given, Offset begin, int length) const {
    Ordinal list[longest_counted_row];
    Ordinal at[longest_counted_row];
    bool ascends = true;
    for (int e = 0; e < length; ++e) {
      list[e] = given.column(e);
      ascends = ascends && (e == 0 || list[e - 1] < list[e]);
    }
    if (ascends)
      std::iota(at, at + length, 0);
    else if (!count_smaller(list, length, at))
      return sort(given, begin, begin + length);
    for (int e = 0; e < length; ++e)
      emit(begin + at[e], list[e], given.place(e));
  }

  /// By entry of the list, which has room for a multiple of eight, how many are smaller; false
  /// where some are equal. Compilers vectorise the inner loop: nothing is summed across lanes, and
  /// eight are compared for each that is read.
  static bool count_smaller(Ordinal* list, int length, Ordinal* smaller) {
    const int padded = (length + 7) / 8 * 8;
    std::fill(list + length, list + padded, std::numeric_limits<Ordinal>::max());
    std::fill(smaller, smaller + padded, 0);
    for (int other = 0; other < padded; other += 8) {
      Ordinal c[8];
      std::copy_n(list + other, 8, c);
      for (int e = 0; e < padded; ++e) {
        const Ordinal column = list[e];
        smaller[e] += (c[0] < column) + (c[1] < column) + (c[2] < column) + (c[3] < column) +
                      (c[4] < column) + (c[5] < column) + (c[6] < column) + (c[7] < column);
      }
    }
    // Of distinct columns these are all the numbers below `length`; equal ones lower the sum.
    return std::accumulate(smaller, smaller + length, 0) == length * (length - 1) / 2;
  }

  /// The column and the place in the row in one number: a sort that looks nothing up.
  template <class Row>
  void sort(const Row& given, Offset begin, Offset end) const {
    constexpr int place_bits = 32;
    Offset* const keys = place.data();
    for (Offset e = begin; e < end; ++e)
      keys[e] = (static_cast<Offset>(given.column(e - begin)) << place_bits) | (e - begin);
    std::sort(keys + begin, keys + end);
    for (Offset e = begin; e < end; ++e)
      emit(e, static_cast<Ordinal>(keys[e] >> place_bits),
           given.place(keys[e] & ((Offset{1} << place_bits) - 1)));
  }
};

}  // namespace tessera::distributed
