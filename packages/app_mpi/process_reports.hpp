// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the report has of all processes.
#pragma once

#include "app/report.hpp"
#include "tessera/distributed/communicator.hpp"

#include <vector>

namespace tessera::app_mpi {

/// Each process's, by rank. Collective.
std::vector<app::ProcessReport> gathered(const distributed::Communicator& processes,
                                         const app::ProcessReport& own);

/// Makes the memory of the levels that all processes have, and what setup took and was forecast to,
/// that of all of them. Collective.
void sum_bytes(const distributed::Communicator& processes, HierarchyInfo& hierarchy);

}  // namespace tessera::app_mpi
