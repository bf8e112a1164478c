// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A maximal independent set of distance two over processes.
#pragma once

#include "tessera/distributed/node_graph.hpp"

#include <cstdint>

namespace tessera::distributed {

/// What the rounds work on, of the nodes here; made in a step of all processes.
template <class Space>
struct SetRounds {
  Array<std::uint64_t, Space> tuples;
  Array<std::uint64_t, Space> near;  ///< the largest ones within an edge
  Array<std::int8_t, Space> chosen;  ///< 1 for the nodes of the set

  SetRounds(const Space& exec, const NodeGraph<Space>& graph);
};

/// kernels::maximal_independent_set with k = 2 of the graph of all processes: 1 for the nodes here
/// that belong to it, ghosts among them, as `rounds.chosen`. Hashes are of `graph.hashed`, global
/// numbers, so that the set depends on the graph and `seed` alone, neither on the number of
/// processes nor on their shares. Each round sends two words per ghost. `active`: for each node
/// here whether it takes part. Allocates nothing. Collective.
template <class Space>
void independent_set(const Space& exec, const NodeGraph<Space>& graph,
                     const Array<std::int8_t, Space>& active, std::uint32_t seed,
                     const SetRounds<Space>& rounds);

}  // namespace tessera::distributed
