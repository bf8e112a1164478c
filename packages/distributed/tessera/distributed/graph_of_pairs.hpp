// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The couplings between pairs of nodes, over processes.
#pragma once

#include "tessera/distributed/pair_graph.hpp"

#include <memory>

namespace tessera::distributed {

/// Aggregates of one node or two, which are coupled.
template <class Space>
struct Pairs {
  std::shared_ptr<const Partition> shares;  ///< an aggregate belongs to whoever has its first node
  Array<Partition::Global, Space> aggregate_of;  ///< of each node here among all; -1: in none
  Array<Ordinal, Space> first;  ///< by own aggregate its first node here
  Array<Ordinal, Space> second;  ///< and the other one; -1: none
};

/// kernels::pairwise_detail::couplings_between: of `pairs` of the nodes of `fine`. Whoever has the
/// lower one of two aggregates sums what couples them, in the order of all nodes, as one process
/// does. Collective.
template <class Space>
PairGraph<Space> graph_of_pairs(const Space& exec, const PairGraph<Space>& fine,
                                const Pairs<Space>& pairs);

}  // namespace tessera::distributed
