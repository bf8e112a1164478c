// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which unknowns of a matrix belong to one node.
#pragma once

#include "tessera/amg/coarsening/nodes.hpp"

namespace tessera::amg {

/// The most unknowns per node that `find_nodes` looks for by itself.
inline constexpr int max_unknowns_found = 8;

/// Reads the nodes off the pattern of `A` (square): the rows of a node have entries in the same
/// nodes' columns. `block_size` is the number of unknowns per node where it is known, which leaves
/// the numbering to be found (node by node where neither fits); 0 where it is not.
///
/// Rows that hold no more than entries within their own node, such as Dirichlet rows, fit any
/// pattern, and so may one node in a hundred that differs. Unknown by unknown each
/// unknown of most nodes must be coupled to another one too, which independent copies of one
/// matrix, and grids that are periodic or cut in two, do not show. Where different unknowns are
/// coupled, but the first and the last are not, they are the points across a thin grid, not
/// unknowns of a node; nor are pieces of a line, of which the last point is coupled to the next
/// piece's first, but the first not to the next one's last. Numberings are tried on 64 nodes, and
/// what fits there is checked in one pass over the pattern, so that a scalar matrix is told by a
/// look at a few thousand rows.
template <class Scalar, class Space, class Offset>
Nodes find_nodes(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                 int block_size = 0);

}  // namespace tessera::amg
