// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The order of the entries of one row.
#pragma once

#include "tessera/io/detail/entry_sort.hpp"

namespace tessera::detail {

/// Orders each row by (column, listed entry), which no two entries share: the result does not
/// depend on the order in which the scatter's atomics came.
template <class Space, class Offset>
struct SortRows {
  SortedEntries<Space, Offset> sorted;
  static constexpr Offset longest_insertion = 64;

  KOKKOS_FUNCTION static Offset listed(Offset source) { return source < 0 ? -1 - source : source; }

  KOKKOS_FUNCTION bool less(Offset a, Ordinal column, Offset source) const {
    return sorted.columns(a) != column ? sorted.columns(a) < column
                                       : listed(sorted.sources(a)) < listed(source);
  }

  KOKKOS_FUNCTION void move(Offset to, Offset from) const {
    sorted.columns(to) = sorted.columns(from);
    sorted.sources(to) = sorted.sources(from);
  }

  KOKKOS_FUNCTION void insertion_sort(Offset begin, Offset end) const {
    for (Offset i = begin + 1; i < end; ++i) {
      const Ordinal column = sorted.columns(i);
      const Offset source = sorted.sources(i);
      Offset j = i;
      for (; j > begin && !less(j - 1, column, source); --j)
        move(j, j - 1);
      sorted.columns(j) = column;
      sorted.sources(j) = source;
    }
  }

  // Puts (column, source) at `root` of the heap at `begin` of `size` elements and lets it sink.
  KOKKOS_FUNCTION void sink(Offset begin, Offset root, Offset size, Ordinal column,
                            Offset source) const {
    for (Offset child = 2 * root + 1; child < size; child = 2 * root + 1) {
      if (child + 1 < size && less(begin + child, sorted.columns(begin + child + 1),
                                   sorted.sources(begin + child + 1))) {
        ++child;
      }
      if (less(begin + child, column, source)) break;
      move(begin + root, begin + child);
      root = child;
    }
    sorted.columns(begin + root) = column;
    sorted.sources(begin + root) = source;
  }

  KOKKOS_FUNCTION void heap_sort(Offset begin, Offset end) const {
    const Offset size = end - begin;
    for (Offset root = size / 2; root-- > 0;) {
      sink(begin, root, size, sorted.columns(begin + root), sorted.sources(begin + root));
    }
    for (Offset last = size - 1; last > 0; --last) {
      const Ordinal column = sorted.columns(begin + last);
      const Offset source = sorted.sources(begin + last);
      move(begin + last, begin);
      sink(begin, 0, last, column, source);
    }
  }

  KOKKOS_FUNCTION bool is_ordered(Offset begin, Offset end) const {
    for (Offset i = begin + 1; i < end; ++i) {
      if (!less(i - 1, sorted.columns(i), sorted.sources(i))) return false;
    }
    return true;
  }

  KOKKOS_FUNCTION void operator()(Ordinal row) const {
    const Offset begin = sorted.offsets(row);
    const Offset end = sorted.offsets(row + 1);
    if (end - begin <= longest_insertion) {
      insertion_sort(begin, end);
    } else if (!is_ordered(begin, end)) {
      heap_sort(begin, end);
    }
  }
};

}  // namespace tessera::detail
