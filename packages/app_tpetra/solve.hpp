// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// `tessera-tpetra solve`.
#pragma once

#include "app/exit_code.hpp"
#include "app_tpetra/options.hpp"

#include <Teuchos_Comm.hpp>

namespace tessera::app_tpetra {

/// Solves, prints on process 0, and writes what was asked for. The same code on all processes.
/// Collective. @throws CommandError on all processes.
app::ExitCode run_solve(const Teuchos::RCP<const Teuchos::Comm<int>>& processes,
                        const Options& options);

}  // namespace tessera::app_tpetra
