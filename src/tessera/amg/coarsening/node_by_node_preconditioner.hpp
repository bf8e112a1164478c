// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A preconditioner made of a renumbered matrix.
#pragma once

#include "tessera/amg/coarsening/nodes.hpp"
#include "tessera/operator/linear_operator.hpp"

#include <memory>

namespace tessera::amg {

/// Applies a preconditioner numbered node by node to vectors numbered as in `nodes`.
template <class Scalar, class Space>
class NodeByNodePreconditioner : public Preconditioner<Scalar, Space> {
 public:
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;

  NodeByNodePreconditioner(const Nodes& nodes, std::shared_ptr<Preconditioner<Scalar, Space>> inner)
      : m_nodes(nodes), m_inner(std::move(inner)) {}

  void prepare(const Space& exec, int k) override {
    m_inner->prepare(exec, k);
    const Ordinal n = m_nodes.num_nodes * m_nodes.block_size;
    if (m_r.extent(1) == static_cast<std::size_t>(k)) return;
    m_r = {};
    m_z = allocate_multivector<Scalar>(exec, "tessera::amg::z_by_node", n, k);
    m_r = allocate_multivector<Scalar>(exec, "tessera::amg::r_by_node", n, k);
  }

  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override {
    prepare(exec, static_cast<int>(r.extent(1)));
    const Vectors r_by_node = m_r;
    const Vectors z_by_node = m_z;
    to_node_by_node<Scalar, Space>(exec, m_nodes, r, r_by_node);
    m_inner->apply(exec, r_by_node, z_by_node);
    from_node_by_node<Scalar, Space>(exec, m_nodes, z_by_node, z);
  }

 private:
  Nodes m_nodes;
  std::shared_ptr<Preconditioner<Scalar, Space>> m_inner;
  MultiVector<Scalar, Space> m_r;
  MultiVector<Scalar, Space> m_z;
};

}  // namespace tessera::amg
