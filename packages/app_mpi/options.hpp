// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The command `tessera-mpi solve` and what its line asks for.
#pragma once

#include "app/exit_code.hpp"
#include "app/options.hpp"
#include "tessera/distributed/communicator.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace tessera::app_mpi {

struct Options {
  app::SolveOptions solve;
  std::string balance;  ///< "rows" or "entries"; empty: rows
  std::string partition;  ///< "order" or "graph"; empty: order
  std::string messages;  ///< "host" or "device"; empty: host
};

/// Adds the command, whose help teaches it.
CLI::App* add_solve(CLI::App& app, Options& options);

extern const char* const main_footer;

/// Whether MPI is to read and write a device's memory. @throws UsageError for another word.
bool sends_from_device(const Options& options);

/// Solves, prints on process 0, and writes what was asked for. The same code on all processes.
/// Kokkos is not initialised yet. Collective. @throws CommandError on all processes.
app::ExitCode run_solve(const std::shared_ptr<const distributed::Communicator>& processes,
                        int processes_of_host, const Options& options);

}  // namespace tessera::app_mpi
