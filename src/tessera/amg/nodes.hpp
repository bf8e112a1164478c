// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which unknowns of a matrix belong to one node, and the matrix renumbered node by node.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::amg {

/// `num_nodes` nodes of `block_size` unknowns each. Row r is unknown r % block_size of node
/// r / block_size; with `by_unknown` the first unknowns of all nodes come first, then all second
/// ones: row r is unknown r / num_nodes of node r % num_nodes.
struct Nodes {
  int block_size = 1;
  Ordinal num_nodes = 0;
  bool by_unknown = false;
  bool coupled = false;  ///< found: in most nodes each unknown is coupled to another one

  KOKKOS_FUNCTION Ordinal node(Ordinal row) const {
    return by_unknown ? row % num_nodes : row / block_size;
  }
  KOKKOS_FUNCTION Ordinal unknown(Ordinal row) const {
    return by_unknown ? row / num_nodes : row % block_size;
  }
  KOKKOS_FUNCTION Ordinal row(Ordinal node, Ordinal unknown) const {
    return by_unknown ? unknown * num_nodes + node : node * block_size + unknown;
  }
};

/// The most unknowns a node that `find_nodes` looks for by itself.
inline constexpr int most_unknowns_found = 8;

/// Reads the nodes off the pattern of `A` (square): the rows of a node have entries in the same
/// nodes' columns. `block_size` is the number of unknowns a node where it is known, which leaves
/// the numbering to be found (node by node where neither fits); 0 where it is not.
///
/// Rows that hold no more than entries within their own node, such as Dirichlet rows, fit any
/// pattern, and so may one node in a hundred that differs. Unknown by unknown each
/// unknown of most nodes must be coupled to another one too, which independent copies of one
/// matrix, and grids that are periodic or cut in two, do not show. Where different unknowns are
/// coupled, but the first and the last are not, they are the points across a thin grid, not
/// unknowns of a node; nor are pieces of a line, of which the last point is coupled to the next
/// piece's first, but the first not to the next one's last. Numberings are tried on 256 nodes, and
/// what fits there is checked in one pass over the pattern, so that a scalar matrix is told by a
/// look at a few thousand rows.
template <class Scalar, class Space, class Offset>
Nodes find_nodes(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                 int block_size = 0);

/// `A` with rows and columns renumbered from `nodes` to node by node; rows sorted.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> node_by_node(const Space& exec,
                                                 const kernels::CsrView<Scalar, Space, Offset>& A,
                                                 const Nodes& nodes);

/// `to`, numbered node by node, from `from`, numbered as in `nodes`.
template <class Scalar, class Space>
void to_node_by_node(const Space& exec, const Nodes& nodes,
                     const NonDeduced<ConstMultiVectorView<Scalar, Space>>& from,
                     const MultiVectorView<Scalar, Space>& to);

/// The way back.
template <class Scalar, class Space>
void from_node_by_node(const Space& exec, const Nodes& nodes,
                       const NonDeduced<ConstMultiVectorView<Scalar, Space>>& from,
                       const MultiVectorView<Scalar, Space>& to);

/// `block_size` columns, numbered as in `nodes`: column a is 1 on unknown a of each node, else 0.
template <class Scalar, class Space>
MultiVector<Scalar, Space> unit_vectors(const Space& exec, const Nodes& nodes);

}  // namespace tessera::amg
