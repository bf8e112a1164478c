// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The points of a level, in an order that does not depend on its halo.
#pragma once

#include "tessera/distributed/matrix.hpp"

#include <memory>

namespace tessera::distributed {

/// Own points, and behind them others' that the level's rows have columns of; where whole nodes are
/// asked for all unknowns of theirs, node by node.
template <class Space>
struct LevelPoints {
  std::shared_ptr<const Communicator> processes;
  std::shared_ptr<const Partition> nodes;
  GlobalNumbers<Space> ghosts;  ///< in ascending order
  Plan<Space> halo;  ///< from own points to these
  Array<Ordinal, Space> number_of_others;  ///< of the level's ghosts, among these points
  Ordinal num_before = 0;  ///< ghosts before own points

  Ordinal num_own() const { return nodes->own(); }
  std::size_t num_here() const { return static_cast<std::size_t>(num_own()) + ghosts.extent(0); }
};

/// `block_size`: unknowns of the nodes that are to be whole. Collective.
template <class Space>
LevelPoints<Space> level_points(const Space& exec, const LevelRows<Space>& fine, int block_size);

/// The nodes of points that are whole nodes. Collective.
template <class Space>
LevelPoints<Space> nodes_of_points(const Space& exec, const LevelPoints<Space>& points,
                                   int block_size);

/// Own points by `shares`, and others, which ascend. Collective.
template <class Space>
LevelPoints<Space> points_of_shares(const Space& exec,
                                    const std::shared_ptr<const Communicator>& processes,
                                    const std::shared_ptr<const Partition>& shares,
                                    const GlobalNumbers<Space>& others);

/// The level's rows by these points, entries in the order of all columns.
template <class Space>
LocalRows<Space> rows_by_points(const Space& exec, const LevelRows<Space>& fine,
                                const LevelPoints<Space>& points);

}  // namespace tessera::distributed
