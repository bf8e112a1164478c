// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The command `tessera-tpetra solve` and what its line asks for.
#pragma once

#include "app/exit_code.hpp"
#include "app/options.hpp"

#include <CLI/CLI.hpp>
#include <Teuchos_Comm.hpp>

#include <string>
#include <vector>

namespace tessera::app_tpetra {

struct Options {
  std::string matrix;  ///< a Matrix Market file; empty where the system is a problem of the gallery
  app::GalleryChoice problem;
  std::vector<std::string> settings;  ///< "key=value" of each -p
  std::string config;
  std::string setup = "tessera";  ///< or "muelu"
  std::string muelu;  ///< an XML file of MueLu's parameters
  std::string rhs = "problem";
  int seed = 1;
  int num_rhs = 0;  ///< 0: as many as the right-hand side's file has, else 1
  int block_size = 0;  ///< 0: the problem's own, 1 for a file
  int repeat = 1;
  std::string output;
  std::string report;
  std::string html;
  bool quiet = false;
};

/// Adds the command, whose help teaches it.
CLI::App* add_solve(CLI::App& app, Options& options);

extern const char* const main_footer;

/// Solves, prints on process 0, and writes what was asked for. The same code on all processes.
/// Collective. @throws CommandError on all processes.
app::ExitCode run_solve(const Teuchos::RCP<const Teuchos::Comm<int>>& processes,
                        const Options& options);

}  // namespace tessera::app_tpetra
