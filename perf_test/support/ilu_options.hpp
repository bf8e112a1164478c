// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The command line of the comparison of ILU(0).
#pragma once

#include "support/matrix_folder.hpp"
#include "support/real_systems.hpp"

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tessera::perf {

/// What `ilu` is told.
struct IluOptions {
  std::vector<std::string> gallery;
  MatrixFolder folder;
  double tolerance = 1e-10;
  int max_iterations = 1000;
  std::size_t max_entries = 8'000'000;
  int min_rows = 1000;
  int repeats = 7;
  int applications = 20;
  bool bicgstab_on_all = false;
  std::string out;

  void add_to(CLI::App& app) {
    app.add_option("--gallery", gallery,
                   "problems of the gallery, NAME:n=N; without any, eight and the folder's");
    folder.add_to(app);
    app.add_option("--tolerance", tolerance, "relative residual");
    app.add_option("--max-iterations", max_iterations, "limit");
    app.add_option("--max-entries", max_entries, "larger matrices are left out");
    app.add_option("--min-rows", min_rows, "of the folder's matrices");
    app.add_option("--repeats", repeats, "timed solves; the median counts")
        ->check(CLI::PositiveNumber);
    app.add_option("--applications", applications, "of the factors, in each timing of them")
        ->check(CLI::PositiveNumber);
    app.add_flag("--bicgstab-on-all", bicgstab_on_all,
                 "BiCGSTAB also for positive definite matrices, beside CG");
    app.add_option("--out", out, "JSON file");
  }

  /// The gallery's systems, and the folder's where none of the gallery was asked for or both were.
  std::vector<RealCase> cases() const {
    std::vector<RealCase> result;
    std::vector<std::string> chosen = gallery;
    if (gallery.empty() && folder.only.empty())
      chosen = {
          "poisson2d:n=64",  "poisson3d:n=24", "poisson2d:n=256",   "poisson3d:n=48",
          "poisson2d:n=700", "poisson3d:n=80", "elasticity3d:n=16", "convdiff2d:n=300,peclet=100"};
    for (const std::string& text : chosen)
      result.push_back(gallery_case(text));
    if (!folder.is_asked_for(!gallery.empty())) return result;
    for (auto& matrix : cases_of_folder(folder.path, min_rows)) {
      if (folder.has(matrix.name)) result.push_back(std::move(matrix));
    }
    return result;
  }
};

}  // namespace tessera::perf
