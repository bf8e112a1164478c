// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Splitting into coarse and fine points by fronts that advance over the points of all processes.
#pragma once

#include "tessera/distributed/node_graph.hpp"

#include <cstdint>

namespace tessera::distributed {

/// kernels::advancing_front of the graph of all processes, round by round, by the same rules
/// (front_rules.hpp): what `split_points` asks for. A process has the dependences in the rows of
/// its own points, and tells the owners of ghosts what these mean for them. A round sends two words
/// per ghost to its owner, and from there a word and a byte; all wait for each other once. The
/// number of rounds hardly grows with that of points. Collective.
template <class Space>
Array<std::int8_t, Space> advancing_front(const Space& exec, const NodeGraph<Space>& points,
                                          const Array<std::int8_t, Space>& stays);

}  // namespace tessera::distributed
