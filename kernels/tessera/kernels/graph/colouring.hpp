// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Colours of the nodes of a graph.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <cstdint>
#include <vector>

namespace tessera::kernels {

/// No edge has both ends of one colour.
template <class Space>
struct Colouring {
  Array<Ordinal, Space> colour_of;  ///< length num_nodes, each in [0, num_colours)
  Ordinal num_colours = 0;
};

/// Colours the nodes of a symmetric graph side by side: nodes of larger weight than all neighbours
/// without a colour take the least one that no neighbour has, until none is left (Jones &
/// Plassmann, "A parallel graph coloring heuristic", SIAM J. Sci. Comput. 14, 1993). A weight is a
/// hash of the node's number, and no two are the same: the result is that of a sequential pass in
/// the order of weights, whatever threads there are, and depends on the graph and `seed` alone.
/// There are at most as many colours as the largest number of neighbours, and one. Waits.
template <class Space, class Offset>
Colouring<Space> colour(const Space& exec, const Graph<Space, Offset>& graph,
                        std::uint32_t seed = 0);

/// The nodes of colour c are `nodes(starts[c])` up to `nodes(starts[c + 1] - 1)`, ascending.
template <class Space>
struct NodesByColour {
  Array<Ordinal, Space> nodes;
  std::vector<Ordinal> starts;  ///< on the host; length num_colours + 1
};

/// Waits.
template <class Space>
NodesByColour<Space> nodes_by_colour(const Space& exec, const Colouring<Space>& colouring);

}  // namespace tessera::kernels
