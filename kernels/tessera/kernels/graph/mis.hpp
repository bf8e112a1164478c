// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Maximal independent sets of distance k.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// Which nodes of a symmetric graph belong to a maximal independent set of distance k, MIS(k): 1
/// for those that do, 0 for the others (Cusp paper, Definition 3.1 and Algorithm 5). Any two of
/// them are more than k edges apart, and every other node is at most k edges from one of them.
///
/// State, hash and index of a node are one 64-bit word, the hash is drawn again each round, and
/// each round visits only the nodes that can still change; the host waits once for several
/// rounds. The result depends on the graph and `seed` alone, not on the number of threads. 1 <= k
/// <= 8.
///
/// `active`, where it is not empty (else length num_nodes), restricts the graph to the nodes
/// with a nonzero entry: no path leads through the others, and none of them is chosen.
template <class Space, class Offset>
Array<std::int8_t, Space> maximal_independent_set(
    const Space& exec, const Graph<Space, Offset>& graph, int k, std::uint32_t seed = 0,
    const NonDeduced<ArrayView<const std::int8_t, Space>>& active = {});

}  // namespace tessera::kernels
