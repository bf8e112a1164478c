// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The numbers that columns have on one process.
#pragma once

#include "tessera/distributed/sorted_numbers.hpp"

#include <cstdint>

namespace tessera::distributed {

/// Numbers of columns on one process: its own, which follow each other among all, come first; other
/// processes' get theirs as they turn up. These are in the memory of the space; copies share them.
template <class Space>
class ColumnNumbers {
 public:
  using Global = std::int64_t;
  using Others = GlobalNumbers<Space>;

  /// `first`: the global number of the first of `num_own` columns.
  explicit ColumnNumbers(Global first = 0, Ordinal num_own = 0)
      : m_first(first), m_num_own(num_own) {}
  /// With these of other processes, which ascend.
  ColumnNumbers(Global first, Ordinal num_own, const Others& others)
      : m_first(first), m_num_own(num_own), m_others(others), m_ascending(others) {}
  /// With these of other processes, in this order, whichever that is. Waits for `exec`.
  ColumnNumbers(const Space& exec, Global first, Ordinal num_own, const Others& others);

  Global first() const { return m_first; }
  Ordinal num_own() const { return m_num_own; }
  Ordinal size() const { return m_num_own + static_cast<Ordinal>(m_others.extent(0)); }
  /// Other processes' columns, by number from `num_own()` on.
  const Others& others() const { return m_others; }
  /// The same in ascending order.
  const Others& ascending_others() const { return m_ascending; }
  /// The global number of one column. Waits for `exec`.
  Global global(const Space& exec, Ordinal column) const;

  /// The number of each of these columns; new ones get theirs in ascending order. Waits for `exec`.
  Array<Ordinal, Space> add(const Space& exec, const ArrayView<const Global, Space>& columns);
  /// Leaves other processes' columns out whose mark is 0, and puts the rest in ascending order.
  /// Returns for each of these columns of before its number now, -1 for none. Waits for `exec`.
  Array<const Ordinal, Space> keep(const Space& exec, const ArrayView<const Ordinal, Space>& marks);

 private:
  /// Takes those of the columns that are not known yet; all are others', in ascending order.
  void append(const Space& exec, const Others& columns);

  Global m_first;
  Ordinal m_num_own;
  Others m_others;
  Others m_ascending;
  /// By place in `m_ascending` that in `m_others`; none where these are the same.
  Array<const Ordinal, Space> m_place;
};

}  // namespace tessera::distributed
