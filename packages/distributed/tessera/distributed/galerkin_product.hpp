// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The Galerkin product of matrices that are distributed over processes.
#pragma once

#include "tessera/distributed/row_sums.hpp"
#include "tessera/kernels/spgemm/galerkin.hpp"

#include "tessera/distributed/communicator.hpp"

namespace tessera::distributed {

/// R A P, by Tessera's products of each process's rows: it has the rows of P that A's columns want
/// sent by others, multiplies them, and sends rows of the product that are others' back to them,
/// who add them up. Patterns are found once; with new values one row's worth of numbers goes each
/// way.
template <class Space>
class GalerkinProduct {
 public:
  using Rows = LocalRows<Space>;
  using Exchange = RowExchange<Space>;

  /// The product, in rows of this process's coarse unknowns. `A`: this process's rows, its own
  /// columns first and then those that `fine`, along A's importer, brings; `P`: the same rows by
  /// `numbers`; `R`: the transpose of this process's rows of R^T, which is P where that restricts;
  /// `coarse`: backward along R^T's importer. Collective.
  const Rows& make(const Space& exec, const Communicator& processes, const Rows& A, const Rows& P,
                   const ColumnNumbers<Space>& numbers, const Rows& R, Exchange fine,
                   Exchange coarse);
  /// The values again of the same array, for matrices of the same patterns, where `new_P` those of
  /// P and R are new, too. Collective.
  const Rows& remake(const Space& exec, const Communicator& processes, const Rows& A, const Rows& P,
                     const Rows& R, bool new_P);

  /// The columns of the product, which are the coarse unknowns.
  const ColumnNumbers<Space>& columns() const { return m_columns; }

 private:
  Exchange m_fine;
  Rows m_P;  ///< of this process, and below them those of others that A's columns want
  Rows m_R;  ///< what this process's rows of R^T restrict
  kernels::GalerkinPlan<double, Space, std::int64_t> m_plan;
  Rows m_partial;  ///< this process's part of the product, others' rows below its own
  RowSums<Space> m_sums;  ///< of those parts: the product
  ColumnNumbers<Space> m_columns;
};

}  // namespace tessera::distributed
