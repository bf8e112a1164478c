// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A system whose rows are shared out again before it is solved.
#pragma once

#include "app/report.hpp"
#include "app_mpi/renumbering.hpp"
#include "app_mpi/system.hpp"

#include <optional>

namespace tessera::app_mpi {

/// How rows are shared out: in the matrix's order, or by its graph.
enum class PartitionKind { order, graph };

/// @throws UsageError for another word, and for a partition that this command was built without.
PartitionKind chosen_partition(const std::string& option);

/// Gives the system's rows to the processes that `graph_partition` picks, those of a node together,
/// and notes how many entries are in other processes' columns before and after. Without more than
/// one process it stays, and nothing is returned. Collective.
/// @throws CommandError on all processes.
std::optional<Renumbering> repartition(const std::shared_ptr<const Communicator>& processes,
                                       bool by_entries, System& system, app::SolveReport& report);

}  // namespace tessera::app_mpi
