// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The interpolation of classical multigrid over processes, whichever it is.
#pragma once

#include "tessera/distributed/point_splitting.hpp"
#include "tessera/distributed/row_stack.hpp"

namespace tessera::distributed {

/// Makes P for a splitting, and its values again for new ones of A in the same pattern. Sums and
/// the choice between equal weights are in the order of all columns, so that P does not depend on
/// the shares.
template <class Space>
class LevelInterpolation {
 public:
  using Rows = LocalRows<Space>;

  virtual ~LevelInterpolation() = default;
  /// P, its columns by `columns()`. `A`: this process's rows, columns numbered as the points of
  /// `split`, entries in the order of all columns. Collective.
  virtual const Rows& make(const Space& exec, const Rows& A, const SplitPoints<Space>& split) = 0;
  /// The values again, in the pattern of before. Collective.
  virtual const Rows& remake(const Space& exec, const Communicator& processes, const Rows& A) = 0;

  const Rows& rows() const { return m_P; }
  const ColumnNumbers<Space>& columns() const { return m_columns; }

 protected:
  Rows m_P;
  ColumnNumbers<Space> m_columns;
};

}  // namespace tessera::distributed
