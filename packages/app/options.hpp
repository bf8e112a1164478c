// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the command line asks for, before anything is done, and the commands that it asks.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/exit_code.hpp"

namespace tessera::app {

/// A problem of the gallery and its options as typed: (key of GalleryParameters, text).
struct GalleryChoice {
  std::string name;
  std::vector<std::pair<std::string, std::string>> settings;
};

/// `tessera solve`.
struct SolveOptions {
  std::string command_line;  ///< all of it, as a shell takes it
  std::string matrix;  ///< a file; empty where the system is a problem of the gallery
  GalleryChoice problem;
  std::vector<std::string> settings;  ///< "key=value" of each -p
  std::string config;
  std::string tolerance;  ///< solver.tolerance as typed; empty where it is not given
  std::string rhs = "problem";
  std::string near_nullspace;
  std::string coordinates;
  int block_size = 0;  ///< 0: what the problem says, found from the pattern for a file
  int seed = 1;
  int num_rhs = 0;  ///< 0: as many as the right-hand side's file has, else 1
  std::string output;
  std::string report;
  std::string html;
  std::string log;
  std::string device = "auto";
  int threads = 0;  ///< 0: Kokkos decides
  std::string precision = "auto";
  bool quiet = false;
  bool profile = false;
  bool sum_duplicates = false;
  int repeat = 1;
  bool warm_up = false;
};

/// `tessera info`.
struct InfoOptions {
  std::string matrix;
  bool json = false;
  bool sum_duplicates = false;
};

/// `tessera gallery`.
struct GalleryOptions {
  GalleryChoice problem;  ///< no name: list them all
  std::string output;
  std::string rhs_output;
  std::string near_nullspace_output;
  std::string coordinates_output;
};

/// `tessera params`.
struct ParamsOptions {
  bool json_schema = false;
};

/// `tessera compare`.
struct CompareOptions {
  std::vector<std::string> reports;  ///< JSON files; the others are compared with the first
  std::string html;
  std::string json;
  bool quiet = false;
};

/// Solves, prints, and writes what was asked for.
ExitCode run_solve(const SolveOptions& options);

/// Describes a matrix.
ExitCode run_info(const InfoOptions& options);

/// Lists the gallery, or writes one of its problems to files.
ExitCode run_gallery(const GalleryOptions& options);

/// Shows reports of solves side by side.
ExitCode run_compare(const CompareOptions& options);

/// Lists all parameters of a solve.
ExitCode run_params(const ParamsOptions& options);

}  // namespace tessera::app
