// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Strength of connection: which entries of a matrix coarsening looks at.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// The graph of A's strong couplings (Cusp paper, sections 1.2.2 and 3.1): vertices i and j are
/// neighbours where |A_ij| > theta sqrt(|A_ii A_jj|). `theta == 0` keeps every nonzero off-diagonal
/// entry; explicit zeros are never strong. A missing or zero diagonal entry counts as zero, so that
/// each nonzero of its row is strong.
///
/// With `block_size` m > 1 the unknowns of a node are consecutive, vertices are nodes, and |.| is
/// the Frobenius norm of an m by m block. A is square, its size a multiple of `block_size`. Rows
/// keep A's order (block_size 1) or are sorted (block_size > 1). The graph is symmetric where A is;
/// see `symmetrize` for other matrices.
template <class Scalar, class Space, class Offset>
Graph<Space, Offset> strength_of_connection(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& A, double theta,
                                            int block_size = 1);

/// The graph with an edge wherever `graph` has one in either direction; rows sorted, edges to
/// itself dropped.
template <class Space, class Offset>
Graph<Space, Offset> symmetrize(const Space& exec, const Graph<Space, Offset>& graph);

}  // namespace tessera::kernels
