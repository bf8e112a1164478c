// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows that several processes have made parts of, added up.
#pragma once

#include "tessera/distributed/row_stack.hpp"

namespace tessera::distributed {

/// This process's rows, of which others have made parts, too. Most have none and no column of
/// others: these are copied, and the rest, the border, is a product of small matrices. Patterns are
/// found once.
template <class Space>
class RowSums {
 public:
  using Rows = LocalRows<Space>;

  /// `parts`: the first `num_rows` are of this process's rows, those behind go to others by `back`;
  /// their columns are those of `numbers`, which becomes the sums', others' in ascending order.
  /// Where nothing is sent the sums are `parts`, in the same arrays. Collective.
  const Rows& make(const Space& exec, const Rows& parts, Ordinal num_rows, RowExchange<Space> back,
                   ColumnNumbers<Space>& numbers);
  /// The values again in the same arrays, for parts of the same pattern; of one process alone they
  /// are those of the parts. Collective.
  const Rows& remake(const Space& exec, const Rows& parts);

  const Rows& rows() const { return m_rows; }

 private:
  RowExchange<Space> m_back;
  Array<Ordinal, Space> m_border;  ///< rows that others have parts of, or with columns of others
  /// Rows of the border, and below them what others have made of the same.
  Rows m_stack;
  std::size_t m_num_own_entries = 0;  ///< of the stack
  Rows m_sum;  ///< adds up the rows of `m_stack`
  Rows m_border_sums;
  Rows m_rows;
};

}  // namespace tessera::distributed
