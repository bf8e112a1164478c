// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Coarse operators over processes without their small entries.
#pragma once

#include "tessera/amg/coarsening/galerkin_product.hpp"
#include "tessera/distributed/row_stack.hpp"

namespace tessera::distributed {

/// What is kept of this process's rows of a product (amg::kept_pattern), found once.
template <class Space>
class KeptRows {
 public:
  using Rows = LocalRows<Space>;

  /// Rows without what `drops` says; `numbers`, of the product's columns, loses those of others
  /// that nothing is kept of.
  const Rows& make(const Space& exec, const Rows& product, const amg::DroppedEntries& drops,
                   ColumnNumbers<Space>& numbers);
  /// The values again, in the array of before, for a product of the same pattern.
  const Rows& remake(const Space& exec, const Rows& product);

 private:
  Rows in_order(const Space& exec, const Rows& product) const;

  amg::DroppedEntries m_drops;
  Ordinal m_num_own = 0, m_num_before = 0;
  Rows m_kept;  ///< by the product's columns
  Rows m_rows;  ///< by those that are left
};

}  // namespace tessera::distributed
