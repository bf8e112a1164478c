// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The second factor of an interpolation that is a product, with rows of others.
#pragma once

#include "tessera/distributed/ordered_numbers.hpp"

namespace tessera::distributed {

/// A process's rows and below them some of others', as they come along a plan, with columns in the
/// order of all. A product with it has its rows in that order, and each is summed as on one
/// process.
template <class Space>
class OrderedStack {
 public:
  /// Rows with columns by `columns`, entries of each row in the order of all, and what has come by
  /// `plan` of others'. Collective.
  void make(const Space& exec, const Communicator& processes, const Plan<Space>& plan,
            const LocalRows<Space>& rows, ColumnNumbers<Space> columns);
  /// Other values, in the pattern of before. Collective.
  void fill(const Space& exec, const Communicator& processes, const LocalRows<Space>& rows);
  /// Frees the values; the pattern stays, for others.
  void release() { m_stack.values = {}; }

  const LocalRows<Space>& rows() const { return m_stack; }
  /// Of its columns.
  const OrderedNumbers<Space>& numbers() const { return m_numbers; }

 private:
  RowExchange<Space> m_exchange;
  LocalRows<Space> m_stack;
  OrderedNumbers<Space> m_numbers;
};

/// `rows`, whose columns are `columns`'s, with columns by `numbers`, which have these.
template <class Space>
LocalRows<Space> with_columns_in_order(const Space& exec, const LocalRows<Space>& rows,
                                       const ColumnNumbers<Space>& columns,
                                       const OrderedNumbers<Space>& numbers);

}  // namespace tessera::distributed
