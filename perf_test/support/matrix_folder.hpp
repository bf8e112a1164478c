// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The folder of matrices that a program is told, and which of them.
#pragma once

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace tessera::perf {

/// `--matrices` and `--only`.
struct MatrixFolder {
  std::string path;
  std::vector<std::string> only;
  bool is_given = false;

  /// Stays where it is until the command line has been read.
  void add_to(CLI::App& app) {
    if (const char* const known = std::getenv("TESSERA_MATRICES")) path = known;
    app.add_option(
           "--matrices", path,
           "folder with INDEX.tsv (TESSERA_MATRICES where none of this, --only and --gallery "
           "is given)")
        ->each([this](const std::string&) { is_given = true; });
    app.add_option("--only", only, "of the folder, those with one of these words in their names");
  }

  /// Whoever names problems of the gallery does not mean the folder that is known anyway.
  bool is_asked_for(bool beside_gallery) const {
    return !path.empty() && (!beside_gallery || is_given || !only.empty());
  }

  bool has(const std::string& name) const {
    return only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& word) {
             return name.find(word) != std::string::npos;
           });
  }
};

}  // namespace tessera::perf
