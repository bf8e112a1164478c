// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The command line of the comparison of solves in one kernel.
#pragma once

#include "support/matrix_folder.hpp"
#include "tessera/kernels/persistent/solve.hpp"

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <vector>

namespace tessera::perf {

/// What `persistent_cg` is told.
struct PersistentCgOptions {
  std::vector<std::string> gallery;
  MatrixFolder folder;
  std::vector<std::string> methods{"cg", "bicgstab"};
  std::string preconditioner = "none";
  double tolerance = 1e-10;
  int max_iterations = 1000;
  std::size_t max_entries = 8'000'000;
  int repeats = 7;
  kernels::PersistentTuning tuning;
  std::vector<int> register_entries{0};
  std::vector<int> windows{1};
  std::vector<int> lanes_per_row{0};
  bool without_stage = false;
  std::string out;

  /// What tells this one from the others that are asked for.
  std::string what_differs(const kernels::PersistentTuning& tuning) const {
    std::string words;
    const int entries = tuning.register_entries;
    if (register_entries.size() > 1)
      words += entries < 0    ? ", none in registers"
               : entries == 0 ? ""
                              : ", " + std::to_string(entries) + " in registers";
    if (windows.size() > 1) {
      constexpr const char* names[] = {", no window", ", window", ", any window"};
      words += names[tuning.window];
    }
    if (lanes_per_row.size() > 1 && tuning.lanes_per_row > 0)
      words += ", rows of " + std::to_string(tuning.lanes_per_row);
    return words;
  }

  void add_to(CLI::App& app) {
    app.add_option(
        "--gallery", gallery,
        "problems of the gallery, NAME:n=N; without any, Poisson's of 4,096 to 1,000,000 "
        "rows and one of convection");
    folder.add_to(app);
    app.add_option("--methods", methods, "cg, bicgstab");
    app.add_option("--preconditioner", preconditioner, "none or jacobi")
        ->check(CLI::IsMember({"none", "jacobi"}));
    app.add_option("--tolerance", tolerance, "relative residual");
    app.add_option("--max-iterations", max_iterations, "limit");
    app.add_option("--max-entries", max_entries, "larger matrices are left out");
    app.add_option("--repeats", repeats, "timed solves; the median counts")
        ->check(CLI::PositiveNumber);
    app.add_option("--shares", tuning.shares, "blocks of the one kernel; 0: chosen");
    app.add_option("--lanes", tuning.lanes, "threads of a block; 0: chosen");
    app.add_option("--lanes-per-row", lanes_per_row, "1, 2, … or 32; 0: chosen; each of several");
    app.add_option("--cluster", tuning.cluster,
                   "1: the blocks are one cluster; -1: they are not; 0: chosen")
        ->check(CLI::Range(-1, 1));
    app.add_flag("--without-stage", without_stage, "nothing in shared memory");
    app.add_option("--register-entries", register_entries,
                   "entries of the matrix that a thread holds in registers, up to 8; -1: none; 0: "
                   "chosen; each of several")
        ->check(CLI::Range(-1, 8));
    app.add_option(
           "--windows", windows,
           "1: columns that lie close together are fetched first where threads hold entries; "
           "2: elsewhere in a cluster, too; 0: nowhere; each of several")
        ->check(CLI::Range(0, 2));
    app.add_option("--out", out, "JSON file");
  }
};

}  // namespace tessera::perf
