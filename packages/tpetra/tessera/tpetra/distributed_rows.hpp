// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A process's part of a level that is distributed over processes.
#pragma once

#include "tessera/tpetra/exchange.hpp"
#include "tessera/tpetra/row_stack.hpp"

#include <memory>
#include <vector>

namespace tessera::tpetra {

template <class Space>
struct DistributedTranspose;

/// This process's rows of a level, and the ways between it and the others.
template <class Space>
struct DistributedRows {
  using Rows = DistributedMatrixRows<Space>;

  Rows A;  ///< own columns first, then those of others in the order of `halo`'s remote rows
  int block_size = 1;  ///< unknowns per node
  Exchange<double, Space> halo;  ///< along A's importer
  RowExchange<Space> rows;  ///< the same way
  std::shared_ptr<DistributedTranspose<Space>> transposed;  ///< null where A is symmetric
};

/// The same rows of A^T.
template <class Space>
struct DistributedTranspose {
  DistributedRows<Space> rows;
  /// By column of A^T here the number that it has as one of A's; those that A has not come behind.
  std::vector<Ordinal> columns_of_A;
  Ordinal num_columns = 0;  ///< of A's and those
};

/// This process's values, and below them what has come of others' in the halo's order. Collective.
template <class Space>
Array<double, Space> with_halo(const Space& exec, Exchange<double, Space> halo,
                               const Array<double, Space>& own);

}  // namespace tessera::tpetra
