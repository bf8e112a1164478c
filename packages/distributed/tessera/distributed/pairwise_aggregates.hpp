// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Pairwise aggregates of a graph that is distributed over processes.
#pragma once

#include "tessera/distributed/aggregation.hpp"
#include "tessera/kernels/graph/pairwise.hpp"

namespace tessera::distributed {

/// kernels::aggregate_pairwise of the matrix of all processes: an aggregate belongs to the process
/// of its root and is numbered by it. Aggregates are those of one process whatever the shares, to
/// the last tie, where the level's values are; of values that depend on the shares by rounding,
/// with `options.rounded`. Hubs are aggregates from the first pass on, numbered among the others,
/// so that beside some a later pass may decide ties otherwise than on one process. `fine`: with its
/// transpose, one unknown per node. Collective.
/// @throws Error for options out of their range.
template <class Space>
SharedAggregates<Space> aggregate_pairwise(const Space& exec, const LevelRows<Space>& fine,
                                           const kernels::PairwiseOptions& options);

}  // namespace tessera::distributed
