// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which process gets which rows, by the graph of the matrix.
#pragma once

#include "app_mpi/row_shares.hpp"
#include "app_mpi/together.hpp"
#include "tessera/io/binary_rows.hpp"

#include <vector>

namespace tessera::app_mpi {

/// Whether this command was built with PT-Scotch.
bool has_graph_partitioner();

/// For each of this process's rows the process that is to get it: parts of about as many rows, or
/// entries where `by_entries`, between which PT-Scotch finds few couplings (Chevalier and
/// Pellegrini, PT-Scotch: a tool for efficient parallel graph ordering, 2008). Rows of a node,
/// `block_size` of them one after the other, stay together; a row that couples another one counts
/// for both. With fewer nodes than processes rows stay. The same from run to run. `processes` are
/// those of MPI_COMM_WORLD, in any order. Collective.
/// @throws CommandError on all processes where PT-Scotch fails, or was not there to be built with.
std::vector<int> graph_partition(const Communicator& processes, const RowShares& shares,
                                 const HostCsr& rows, int block_size, bool by_entries);

}  // namespace tessera::app_mpi
