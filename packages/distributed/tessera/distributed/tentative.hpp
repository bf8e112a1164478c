// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The tentative prolongator of aggregates that reach across processes.
#pragma once

#include "tessera/distributed/aggregation.hpp"

namespace tessera::distributed {

/// What interpolates `coarse_vectors`, of this process's aggregates, to the fine near-nullspace.
template <class Space>
struct SharedTentative {
  LocalRows<Space> T;  ///< this process's rows
  ColumnNumbers<Space> columns;  ///< of T: m for each aggregate, others' in ascending order
  MultiVector<double, Space> coarse_vectors;
};

/// amg::tentative_prolongator: pieces of an aggregate go to the process that has it, which makes
/// them orthonormal in the order of their rows, as one process does, and sends them back.
/// `vectors`: n by m, this process's rows. Collective.
template <class Space>
SharedTentative<Space> tentative_prolongator(const Space& exec,
                                             const std::shared_ptr<const Communicator>& processes,
                                             const SharedAggregates<Space>& aggregates,
                                             const MultiVector<double, Space>& vectors,
                                             int block_size);

}  // namespace tessera::distributed
