// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the nodes of all processes say about a box of grid points.
#pragma once

#include "tessera/distributed/node_graph.hpp"
#include "tessera/kernels/graph/pieces_of_box.hpp"

#include <optional>
#include <vector>

namespace tessera::distributed {

/// For kernels::choose_pieces: each process looks at its own nodes, and the counts are summed. All
/// members are collective but `num_nodes` and `has_edges`.
template <class Space>
class LookAtNodes {
 public:
  using Offset = std::int64_t;
  using Graph = kernels::Graph<Space, Offset>;

  /// Of fewer than 2^31 nodes.
  LookAtNodes(const Space& exec, const NodeGraph<Space>& nodes);

  Ordinal num_nodes() const { return m_num_nodes; }
  bool has_edges() const { return m_has_edges; }
  kernels::BoxFit fit(const kernels::Box& box);
  kernels::PlaneFit planes(const kernels::Box& box, bool spares_rim);
  std::optional<std::vector<Ordinal>> strides();
  /// Pairs that missing connections cut apart within aggregates (kernels::CutPairs).
  std::int64_t cut_pairs(const kernels::PiecesOfBox& pieces);

  /// Own nodes alone, columns numbered from the first of them.
  const Graph& own() const { return m_own; }

 private:
  /// Own nodes, and behind them as many others as a node's next points may be; kept until a box has
  /// them farther or nearer.
  const Graph& with_nodes_above(const kernels::Box& box);
  Ordinal first() const { return static_cast<Ordinal>(m_nodes.nodes->first()); }

  Space m_exec;
  const NodeGraph<Space>& m_nodes;
  Ordinal m_num_nodes;
  bool m_has_edges = false;
  Graph m_own;
  Graph m_above;
  Ordinal m_step_above = -1;
};

}  // namespace tessera::distributed
