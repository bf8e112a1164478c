// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The flows of data that are compared, and the command line of that.
#pragma once

#include "tessera/amg/parameters.hpp"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tessera::perf {

/// What products are made of, and what the levels are stored in.
struct Flow {
  std::string name;
  amg::Products products;
  StorageFormat format;
};

inline const std::vector<Flow> flows{
    {"rows", amg::Products::csr, StorageFormat::csr},
    {"rows, stored as tiles", amg::Products::csr, StorageFormat::mbsr},
    {"tiles", amg::Products::mbsr, StorageFormat::mbsr}};

/// What `data_flow` is told.
struct DataFlowOptions {
  std::vector<std::string> gallery{"elasticity3d:n=20", "elasticity2d:n=150",
                                   "beam:order=3,refine=2", "poisson3d27:n=40"};
  std::string folder;
  std::vector<std::string> matrices{"swh_elasticity_p1", "bcsstk32_lap", "brack2_lap", "bcsstk38",
                                    "bcsstk16",          "s3rmt3m3",     "nasa4704",   "Dubcova1",
                                    "G2_circuit",        "GT01R"};
  int max_levels = 7;
  int cycles = 50;
  int repeats = 5;
  std::string out;

  void add_to(CLI::App& app) {
    app.add_option("--gallery", gallery, "problems as NAME:KEY=VALUE,KEY=VALUE")
        ->capture_default_str();
    app.add_option("--folder", folder, "folder of Matrix Market files with an INDEX.tsv")
        ->envname("TESSERA_MATRICES")
        ->check(CLI::ExistingDirectory);
    app.add_option("--matrices", matrices, "of the folder, by name")->capture_default_str();
    app.add_option("--max-levels", max_levels, "of the hierarchy")->check(CLI::Range(2, 50));
    app.add_option("--cycles", cycles, "of a solve")->check(CLI::PositiveNumber);
    app.add_option("--repeats", repeats, "runs of each after one warm-up")
        ->check(CLI::PositiveNumber);
    app.add_option("--out", out, "JSON file");
  }

  amg::Parameters parameters(const Flow& flow) const {
    amg::Parameters p;
    p.products = flow.products;
    p.storage.format = flow.format;
    p.max_levels = max_levels;
    p.smoother.type = SmootherType::jacobi;
    return p;
  }
};

}  // namespace tessera::perf
