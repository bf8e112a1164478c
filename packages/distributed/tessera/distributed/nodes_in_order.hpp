// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A graph whose nodes are shared out in the order of the numbers that the application gave them.
#pragma once

#include "tessera/distributed/node_graph.hpp"

#include <optional>

namespace tessera::distributed {

/// The same graph with its nodes by their given numbers: each process has as many as before, those
/// of the numbers that are its share of 0 up to the number of all nodes. A grid that is shared out
/// in boxes has its lines and planes again.
template <class Space>
struct NodesInOrder {
  NodeGraph<Space> graph;  ///< without a halo
  /// From its nodes to the original ones; null on one process.
  Plan<Space> back;
  NodeHalo<Space> halo;  ///< along `back`
  /// By original node its place among the nodes here and, behind them, those that come by `back`.
  Array<const Ordinal, Space> place;

  /// Numbers of the nodes here as numbers of the original nodes. Collective.
  Array<Partition::Global, Space> given_back(
      const Space& exec, const Array<Partition::Global, Space>& of_nodes_here) const;
};

/// Nothing on all processes where the given numbers are not each of 0 up to the number of all
/// nodes once, or where edges show that these are no grid's. Each process sends the edges of nodes
/// that it does not keep. Collective.
template <class Space>
std::optional<NodesInOrder<Space>> nodes_in_given_order(const Space& exec,
                                                        const NodeGraph<Space>& nodes);

}  // namespace tessera::distributed
