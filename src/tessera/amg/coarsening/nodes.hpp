// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How unknowns are numbered by node, and matrices and vectors renumbered node by node.
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
