// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Setup and solve of a system in shares, as often as asked, with all that the report needs.
#pragma once

#include "app/report.hpp"
#include "app/terminal.hpp"
#include "app/transcript.hpp"
#include "app_mpi/system.hpp"
#include "tessera/distributed/parameters.hpp"

#include <memory>

namespace tessera::app_mpi {

/// Solves and fills in the report. Returns this process's rows of x. Collective.
/// @throws CommandError on all processes.
template <class Space>
Columns solve_system(const std::shared_ptr<const distributed::Communicator>& processes,
                     System system, const distributed::Parameters& parameters,
                     const app::SolveOptions& options, app::Transcript& transcript,
                     app::Progress& progress, app::SolveReport& report);

}  // namespace tessera::app_mpi
