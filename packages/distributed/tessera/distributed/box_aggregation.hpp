// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Aggregates of nodes that form a box of grid points over processes.
#pragma once

#include "tessera/distributed/aggregation.hpp"

#include <optional>

namespace tessera::distributed {

/// kernels::aggregate_structured of the graph of all processes, which counts together what each
/// sees of its own nodes. A process has the aggregates from that of its first node on. Of nodes
/// with given numbers in the order of these, so that aggregates are numbered by the box, and shared
/// out in that order, however nodes are. Collective.
template <class Space>
std::optional<SharedAggregates<Space>> aggregate_structured(
    const Space& exec, const NodeGraph<Space>& graph, const std::optional<kernels::Box>& hint);

}  // namespace tessera::distributed
