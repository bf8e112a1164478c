// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Aggregates of a graph that is distributed over processes.
#pragma once

#include "tessera/amg/coarsening/coarsening_parameters.hpp"
#include "tessera/distributed/node_graph.hpp"
#include "tessera/kernels/graph/hubs.hpp"
#include "tessera/kernels/graph/structured.hpp"

#include <cstdint>
#include <optional>

namespace tessera::distributed {

/// Aggregates that reach across processes: the same for any number of these. Numbers of aggregates
/// are shares of processes, too.
template <class Space>
struct SharedAggregates {
  Ordinal num_own = 0;  ///< aggregates that this process has
  Array<Partition::Global, Space> aggregate_of;  ///< of each own node among all; -1: in none
  std::optional<kernels::Box> box;  ///< that the aggregates fill, in this order
};

template <class Space>
using GlobalHubTest = kernels::HubTest<Space, std::int64_t>;

/// kernels::aggregate_mis2 of the graph of all processes: an aggregate belongs to the process of
/// its root and is numbered by it, as the hubs do that nothing is strongly coupled to. Collective.
template <class Space>
SharedAggregates<Space> aggregate_mis2(const Space& exec, const NodeGraph<Space>& graph,
                                       const GlobalHubTest<Space>& is_hub);

/// The aggregates of a level, boxes where its nodes are a numbered one and `how` has it so; `hint`:
/// the box that is expected. Collective.
template <class Space>
SharedAggregates<Space> aggregates_of(const Space& exec, const NodeGraph<Space>& graph,
                                      amg::Aggregation how, const std::optional<kernels::Box>& hint,
                                      const GlobalHubTest<Space>& is_hub);

}  // namespace tessera::distributed
