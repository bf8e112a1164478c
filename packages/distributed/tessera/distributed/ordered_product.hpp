// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The Galerkin product whose sums do not depend on the shares.
#pragma once

#include "tessera/distributed/matrix.hpp"

namespace tessera::distributed {

/// R (A P): each process multiplies its rows of A by those of P, which are sent by others, and its
/// rows of R by those of A P, which are sent, too. So each entry is one sum in the order of all
/// columns, where `GalerkinProduct` adds up what processes have summed; rows of A P, which are
/// longer than those of the product, go from process to process for that.
template <class Space>
class OrderedProduct {
 public:
  using Rows = LocalRows<Space>;

  /// The product, in rows of this process's coarse unknowns. `A`: this process's rows, in the order
  /// of all columns; `P`: the same rows by `numbers`; `fine`: forward along A's importer.
  /// Collective.
  const Rows& make(const Space& exec, const Rows& A, const Rows& P,
                   const ColumnNumbers<Space>& numbers, const Matrix<Space>& R,
                   RowExchange<Space> fine);
  /// Again, for matrices of the same patterns. Collective.
  const Rows& remake(const Space& exec, const Rows& A, const Rows& P, const Matrix<Space>& R);

  /// The columns of the product, which are the coarse unknowns.
  const ColumnNumbers<Space>& columns() const { return m_columns; }

 private:
  Rows multiplied(const Space& exec, const Rows& A, const Rows& P, const Matrix<Space>& R);

  RowExchange<Space> m_fine;
  RowExchange<Space> m_coarse;
  Rows m_P;  ///< of this process, and below them those of others that A's columns want
  Rows m_AP;
  Rows m_stack;  ///< the same, and below them those of others that R's columns want
  Array<const Ordinal, Space>
      m_number;  ///< by column of the stack that among `columns`, -1 for none
  Rows m_product;
  ColumnNumbers<Space> m_columns;
  bool m_knows_pattern = false;
};

}  // namespace tessera::distributed
