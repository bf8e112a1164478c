// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows of the points around a process's own ones.
#pragma once

#include "tessera/distributed/level_points.hpp"
#include "tessera/distributed/ordered_numbers.hpp"

namespace tessera::distributed {

/// This process's rows of a square matrix, and those of the points that its level is coupled to,
/// as one square matrix in the order of all points; points that turn up in those rows alone have
/// empty ones.
template <class Space>
class OverlappedRows {
 public:
  using Rows = LocalRows<Space>;

  /// The pattern. `own`: this process's rows, entries in the order of all columns, which are
  /// `columns`. Collective.
  void make(const Space& exec, const Rows& own, const ColumnNumbers<Space>& columns,
            const LevelPoints<Space>& points);
  /// Gives the matrix these values, in which those of others' rows are not theirs yet.
  void take(const Array<double, Space>& values) { m_rows.values = values; }
  /// The values of others' rows, from their processes. Collective.
  void exchange(const Space& exec);

  const Rows& rows() const { return m_rows; }
  const OrderedNumbers<Space>& numbers() const { return m_numbers; }
  /// This process's rows again, as `own_columns_first` has them.
  Rows own_rows(const Space& exec, ColumnNumbers<Space>& columns) const {
    return own_columns_first(exec, m_rows, m_numbers.num_before, m_numbers.num_own, m_numbers,
                             columns);
  }
  /// The last step of `make`: rows and columns in the order of all. By itself and public, for nvcc
  /// takes no loop within a private function.
  void place(const Space& exec, const Rows& stack, const LevelPoints<Space>& points);

 private:
  RowExchange<Space> m_exchange;
  OrderedNumbers<Space> m_numbers;
  Rows m_own;  ///< without values
  Rows m_rows;
  std::size_t m_before = 0, m_after = 0;  ///< entries of others, before and behind own ones
};

}  // namespace tessera::distributed
