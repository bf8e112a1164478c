// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The numbers that columns have on one process.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <cstdint>
#include <vector>

namespace tessera::distributed {

/// Numbers of columns on one process: its own, which follow each other among all, come first; other
/// processes' get theirs as they turn up.
class ColumnNumbers {
 public:
  using Global = std::int64_t;

  /// `first`: the global number of the first of `num_own` columns.
  explicit ColumnNumbers(Global first = 0, Ordinal num_own = 0)
      : m_first(first), m_num_own(num_own) {}
  /// With these of other processes, in this order.
  ColumnNumbers(Global first, Ordinal num_own, const std::vector<Global>& others);

  Global first() const { return m_first; }
  Ordinal num_own() const { return m_num_own; }
  Ordinal size() const { return m_num_own + static_cast<Ordinal>(m_others.size()); }
  /// Other processes' columns, by number from `num_own()` on.
  const std::vector<Global>& others() const { return m_others; }
  Global global(Ordinal column) const {
    return column < m_num_own ? m_first + column
                              : m_others[static_cast<std::size_t>(column - m_num_own)];
  }

  /// The number of each of these columns; new ones get theirs in ascending order. Waits for `exec`.
  template <class Space>
  Array<Ordinal, Space> add(const Space& exec, const ArrayView<const Global, Space>& columns);
  /// Leaves other processes' columns out that are not marked, and puts the rest in ascending order.
  /// Returns for each of these columns of before its number now, -1 for none.
  std::vector<Ordinal> keep(const std::vector<char>& is_used_of_others);

 private:
  /// Takes the columns that are not known yet; all are others', in ascending order.
  void append(const std::vector<Global>& columns);
  /// Of the i-th in ascending order its place in `m_others`.
  std::size_t place(std::size_t i) const {
    return m_ascending.empty() ? i : static_cast<std::size_t>(m_ascending[i]);
  }

  Global m_first;
  Ordinal m_num_own;
  std::vector<Global> m_others;
  std::vector<Ordinal> m_ascending;  ///< places in `m_others`; none where that ascends itself
};

}  // namespace tessera::distributed
