// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A maximal independent set of distance two over processes.
#pragma once

#include "tessera/distributed/node_graph.hpp"

#include <cstdint>

namespace tessera::distributed {

/// kernels::maximal_independent_set with k = 2 of the graph of all processes: 1 for the nodes here
/// that belong to it, ghosts among them. Hashes are of global numbers, so that the set depends on
/// the graph and `seed` alone, neither on the number of processes nor on their shares. Each round
/// sends two words per ghost. `active`: for each node here whether it takes part. Collective.
template <class Space>
Array<std::int8_t, Space> independent_set(const Space& exec, const NodeGraph<Space>& graph,
                                          const Array<std::int8_t, Space>& active,
                                          std::uint32_t seed);

}  // namespace tessera::distributed
