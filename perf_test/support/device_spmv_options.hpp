// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The command line of the comparison of products with cuSPARSE.
#pragma once

#include "support/spmv_variants.hpp"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tessera::perf {

/// What `compare_cusparse_spmv` is told.
struct DeviceSpmvOptions {
  MatrixOptions matrices;
  int batches = 11;
  double batch_ms = 20;
  int conversions = 3;
  std::vector<int> columns{8, 16};
  bool only_csr = false;
  std::string out;

  void add_to(CLI::App& app) {
    matrices.add_to(app);
    app.add_option("--batches", batches, "timed batches; the median counts")
        ->check(CLI::PositiveNumber);
    app.add_option("--batch-ms", batch_ms, "milliseconds that a batch lasts")
        ->check(CLI::PositiveNumber);
    app.add_option("--conversions", conversions, "timed conversions; the median counts")
        ->check(CLI::PositiveNumber);
    app.add_option("--columns", columns,
                   "numbers of vectors in float that the kernels on tiles are timed with too, by "
                   "comma")
        ->delimiter(',')
        ->check(CLI::PositiveNumber);
    app.add_flag("--only-csr", only_csr, "compressed rows alone, and one vector");
    app.add_option("--out", out, "JSON file");
  }

  /// Those multiplied by several vectors too: what was asked for, or few entries per tile, many,
  /// and blocks.
  std::vector<MatrixSource> several_vectors_sources() const {
    return matrices.sources({{.problem = "poisson3d", .n = 128},
                             {.problem = "poisson3d27", .n = 128},
                             {.problem = blocks_problem, .n = 64}});
  }

  /// What was asked for, or scalar stencils in two and three dimensions and blocks.
  std::vector<MatrixSource> sources() const {
    return matrices.sources({{.problem = "poisson2d", .n = 2048},
                             {.problem = "poisson2d9", .n = 1024},
                             {.problem = "poisson3d", .n = 128},
                             {.problem = "poisson3d", .n = 192},
                             {.problem = "poisson3d", .n = 256},
                             {.problem = "poisson3d27", .n = 128},
                             {.problem = blocks_problem, .n = 64}});
  }
};

}  // namespace tessera::perf
