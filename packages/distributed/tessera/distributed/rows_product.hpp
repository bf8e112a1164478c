// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Products with a matrix over several processes whose rows stay whole.
#pragma once

#include "tessera/distributed/matrix.hpp"
#include "tessera/matrix/stored_matrix.hpp"

#include <cstddef>
#include <memory>

namespace tessera::distributed {

/// For the few products that setup needs: the rows are A's own arrays, and x's entries are put
/// together with what others have. Where there are many products, `make_operator` multiplies while
/// messages are under way.
template <class Space>
class RowsProduct {
 public:
  /// With room for vectors of `num_columns`; sends nothing: a step of all processes.
  RowsProduct(const Space& exec, const Matrix<Space>& A, std::size_t num_columns);

  /// y = A x, column by column, of as many columns as there is room for. x: over own columns; y:
  /// over own rows. Collective.
  void apply(const Space& exec, const ConstMultiVectorView<double, Space>& x,
             const MultiVectorView<double, Space>& y);

 private:
  std::shared_ptr<const SparseOperator<double, Space>> m_ordered;  ///< where that is asked for
  StoredCsr<double, Space, std::int64_t> m_rows;
  Exchange<double, Space> m_halo;
  MultiVector<double, Space> m_columns;  ///< own entries of x, and others' behind them
};

}  // namespace tessera::distributed
