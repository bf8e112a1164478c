// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Coarse and fine nodes of a system of equations, and what that says of their unknowns.
#pragma once

#include "tessera/amg/coarsening/splitting.hpp"

namespace tessera::amg {

/// The matrix of nodes that classical coarsening "by nodes" takes strength from (T. Clees, "AMG
/// Strategies for PDE Systems with Applications in Industrial Semiconductor Simulation", 2005;
/// BoomerAMG's nodal coarsening): beside the diagonal minus the Frobenius norm of the block that
/// couples two nodes, where that is not zero; on it the norm of the node's own block, or the sum of
/// the norms beside it where that is larger. So a row sums to zero, unless its own block outweighs
/// its couplings. 0 where that block is zero. Rows ascend. Waits.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> block_norms(const Space& exec,
                                                const kernels::CsrView<Scalar, Space, Offset>& A,
                                                int block_size);

/// All unknowns of a coarse node are coarse points, numbered node by node.
template <class Space>
Splitting<Space> unknowns_of_nodes(const Space& exec, const Splitting<Space>& nodes,
                                   int block_size);

/// What unknowns depend on: those of their own function in the nodes that theirs depends on, where
/// `part` (function_part.hpp) couples them, with `by_sign` by the sign opposite to the diagonal's.
/// In part's order. `strong`: of nodes, rows ascending. Waits.
template <class Scalar, class Space, class Offset>
kernels::Graph<Space, Offset> strong_in_nodes(const Space& exec,
                                              const kernels::CsrView<Scalar, Space, Offset>& part,
                                              const kernels::Graph<Space, Offset>& strong,
                                              int block_size, bool by_sign);

}  // namespace tessera::amg
