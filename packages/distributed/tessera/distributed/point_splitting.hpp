// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Splitting into coarse and fine points over processes.
#pragma once

#include "tessera/amg/coarsening/coarsening_parameters.hpp"
#include "tessera/distributed/node_graph.hpp"

#include <cstdint>
#include <memory>

namespace tessera::distributed {

/// The points of a level, split.
template <class Space>
struct SplitPoints {
  NodeGraph<Space> points;  ///< row i of its graph has what own point i depends on, in A's order
  Plan<Space> halo;  ///< of `points`
  Array<std::int8_t, Space> is_coarse;  ///< of own points and of ghosts
  std::shared_ptr<const Partition> coarse;  ///< own coarse points, numbered in the order of points
};

/// kernels::pmis or kernels::advancing_front of the graph of all processes: 1 for the coarse points
/// here, ghosts among them, 0 for fine ones. Row i of `points.graph` has what own point i depends
/// on; a process need not have ghosts for what depends on its points. Hashes are of global numbers,
/// so that the splitting depends on the graph alone, neither on the number of processes nor on
/// their shares, and is that of one process. `stays`: for each own point at least whether it is
/// coarse whatever depends on it. A round of PMIS sends a word per ghost each way, and a byte.
/// Collective.
template <class Space>
Array<std::int8_t, Space> split_points(const Space& exec, const NodeGraph<Space>& points,
                                       const Array<std::int8_t, Space>& stays,
                                       amg::PointSplitting how);

}  // namespace tessera::distributed
