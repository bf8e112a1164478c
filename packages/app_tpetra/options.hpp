// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the command line of `tessera-tpetra solve` asks for.
#pragma once

#include "app/options.hpp"

#include <CLI/CLI.hpp>

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

}  // namespace tessera::app_tpetra
