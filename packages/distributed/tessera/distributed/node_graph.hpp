// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The strength graph of a level that is distributed over processes.
#pragma once

#include "tessera/distributed/node_halo.hpp"
#include "tessera/distributed/row_stack.hpp"
#include "tessera/kernels/graph/strength_measure.hpp"

#include <cstdint>
#include <memory>

namespace tessera::distributed {

/// Strong couplings of this process's nodes: own ones come first, and behind them ghosts, other
/// processes' nodes, in ascending order. Rows of ghosts have no meaning.
template <class Space>
struct NodeGraph {
  std::shared_ptr<const Communicator> processes;
  std::shared_ptr<const Partition> nodes;
  GlobalNumbers<Space> ghosts;
  NodeHalo<Space> halo;
  kernels::Graph<Space, std::int64_t> graph;
  Array<Partition::Global, Space> number;  ///< of each node here among all
  /// What hashes go by: `number`, or the given numbers of the nodes' first rows.
  Array<Partition::Global, Space> hashed;
  /// Whether `hashed` are given numbers: on all processes or on none, those without nodes as well.
  bool has_given_numbers = false;

  Ordinal num_own() const { return nodes->own(); }
  Ordinal num_here() const { return num_own() + static_cast<Ordinal>(ghosts.extent(0)); }
};

/// What is strong.
template <class Space>
struct Strength {
  double theta = 0;
  StrengthMeasure measure = StrengthMeasure::largest;
  std::size_t longest = 0;  ///< the most entries of a row that is no hub's
  Array<const double, Space> scale;  ///< of own unknowns, where they are nodes and theta is not 0
};

/// `NodeGraph::number`, by `nodes` and `ghosts`. Waits for `exec`.
template <class Space>
Array<Partition::Global, Space> global_numbers(const Space& exec, const NodeGraph<Space>& graph);

/// The couplings that are strong by kernels::strength_of_connection, and of a level that is not
/// symmetric those in the other direction, too. Collective.
template <class Space>
NodeGraph<Space> node_graph(const Space& exec, const LevelRows<Space>& fine,
                            const Strength<Space>& strength);

}  // namespace tessera::distributed
