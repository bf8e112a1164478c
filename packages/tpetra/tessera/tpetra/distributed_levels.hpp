// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Smoothed aggregation over several processes, on matrices of Tpetra.
#pragma once

#include "tessera/tpetra/spread_cycle.hpp"

#include <Tpetra_Operator.hpp>

namespace tessera::tpetra {

/// Levels down to one that the first process solves alone.
template <class GlobalOrdinal, class Node>
struct DistributedLevels {
  std::vector<SpreadLevel<GlobalOrdinal, Node>> levels;
  MultiVector<double, typename Node::execution_space> vectors;  ///< near-nullspace of the coarsest
};

/// Coarsens `A` until at most `gather_rows` rows are left.
///
/// Aggregates do not reach from one process to another: each makes its part of the tentative
/// prolongator by Tessera's aggregation of its diagonal block. It is smoothed by the whole matrix,
/// so that it interpolates across the borders as well as inside, with weak couplings left out as on
/// one process (filtered_matrix.hpp). Products of matrices are Tpetra's.
///
/// `near_nullspace`: this process's part, n by m, m the same on all; `block_size`: unknowns a
/// vertex on the finest level. Without symmetry prolongators are not smoothed, for their transposes
/// restrict. Collective. @throws Error on all processes where one fails.
template <class GlobalOrdinal, class Node>
DistributedLevels<GlobalOrdinal, Node> make_distributed_levels(
    const amg::Parameters& parameters,
    const Teuchos::RCP<const Tpetra::CrsMatrix<double, int, GlobalOrdinal, Node>>& A,
    const MultiVector<double, typename Node::execution_space>& near_nullspace, int block_size,
    bool symmetric, int gather_rows);

/// Whether <A u, v> = <u, A v> for two vectors of noise, and so, but for bad luck, A = A^T.
/// Collective.
template <class GlobalOrdinal, class Node>
bool looks_symmetric(const Tpetra::Operator<double, int, GlobalOrdinal, Node>& A);

}  // namespace tessera::tpetra
