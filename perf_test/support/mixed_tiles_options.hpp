// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The command line of the measurement of tiles in mixed precision.
#pragma once

#include "support/matrix_folder.hpp"
#include "support/real_systems.hpp"
#include "tessera/kernels/format/mixed_tiles.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tessera::perf {

/// Every matrix of the folder, by name.
inline std::vector<RealCase> all_files(const std::filesystem::path& folder) {
  std::vector<RealCase> cases;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string file = entry.path().filename();
    const auto end = file.find(".mtx");
    if (end == std::string::npos) continue;
    RealCase one;
    one.name = file.substr(0, end);
    one.file = entry.path();
    cases.push_back(std::move(one));
  }
  std::sort(cases.begin(), cases.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return cases;
}

/// What `mixed_tiles` is told.
struct MixedTilesOptions {
  std::vector<std::string> gallery;
  MatrixFolder folder;
  std::vector<std::string> methods{"cg", "bicgstab"};
  std::string preconditioner = "none";
  std::string loss = "relative";
  double loss_tolerance = 1e-15;
  double tolerance = 1e-10;
  int max_iterations = 1000;
  std::size_t max_entries = 8'000'000;
  int repeats = 7;
  bool memory_only = false;
  bool without_solves = false;
  std::string out;

  void add_to(CLI::App& app) {
    app.add_option("--gallery", gallery, "problems of the gallery, NAME:n=N");
    folder.add_to(app);
    app.add_option("--methods", methods,
                   "cg where the matrix is known to be definite, bicgstab elsewhere");
    app.add_option("--preconditioner", preconditioner, "none or jacobi")
        ->check(CLI::IsMember({"none", "jacobi"}));
    app.add_option("--loss", loss, "what tiles may lose: none, relative or absolute")
        ->check(CLI::IsMember({"none", "relative", "absolute"}));
    app.add_option("--loss-tolerance", loss_tolerance, "and how much");
    app.add_option("--tolerance", tolerance, "relative residual of solves");
    app.add_option("--max-iterations", max_iterations, "limit");
    app.add_option("--max-entries", max_entries, "larger matrices are left out");
    app.add_option("--repeats", repeats, "timed runs; the median counts")
        ->check(CLI::PositiveNumber);
    app.add_flag("--memory-only", memory_only,
                 "bytes and kinds alone, of every matrix of the folder, diagonal and rectangular "
                 "ones too");
    app.add_flag("--without-solves", without_solves, "tiles alone");
    app.add_option("--out", out, "JSON file");
  }

  kernels::TileCriterion criterion() const {
    return {loss == "none"       ? kernels::TileLoss::none
            : loss == "relative" ? kernels::TileLoss::relative
                                 : kernels::TileLoss::absolute,
            loss_tolerance};
  }

  /// The gallery's systems, and the folder's where none of the gallery was asked for or both were.
  std::vector<RealCase> cases() const {
    std::vector<RealCase> result;
    std::vector<std::string> chosen = gallery;
    if (gallery.empty() && folder.only.empty() && !memory_only)
      chosen = {"poisson2d:n=64",
                "poisson2d:n=256",
                "poisson2d:n=1000",
                "poisson3d:n=32",
                "poisson3d:n=64",
                "poisson3d27:n=32",
                "elasticity3d:n=20",
                "jump2d:n=300,contrast=1e6",
                "convdiff2d:n=100,peclet=100"};
    for (const std::string& text : chosen)
      result.push_back(gallery_case(text));
    if (!folder.is_asked_for(!gallery.empty())) return result;
    for (auto& matrix : memory_only ? all_files(folder.path) : cases_of_folder(folder.path, 0)) {
      if (folder.has(matrix.name)) result.push_back(std::move(matrix));
    }
    return result;
  }
};

}  // namespace tessera::perf
