// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The flows of data that are compared, and the command line of that.
#pragma once

#include "support/precision_configurations.hpp"
#include "support/run_options.hpp"

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::perf {

/// What products are made of, what the levels are stored in, and whether A, P and R are stored in
/// double on the finest level, in float on the second and in half on all others, instead of in
/// double (AmgT paper, section V.C). Vectors are in double in either case.
struct Flow {
  std::string name;
  amg::Products products;
  StorageFormat format;
  bool is_mixed = false;

  /// As a level's `products` of HierarchyInfo has it.
  std::string products_name() const { return products == amg::Products::mbsr ? "mbsr" : "csr"; }
};

inline const std::vector<Flow> flows{
    {"rows", amg::Products::csr, StorageFormat::csr},
    {"rows, stored as tiles", amg::Products::csr, StorageFormat::mbsr},
    {"tiles", amg::Products::mbsr, StorageFormat::mbsr},
    {"rows, mixed", amg::Products::csr, StorageFormat::csr, true},
    {"tiles, mixed", amg::Products::mbsr, StorageFormat::mbsr, true}};

/// The components of AmgT's measurements (PMIS, extended+i, l1-Jacobi), as -p has them.
inline const std::vector<std::string> paper_settings{"amg.coarsening=classical",
                                                     "amg.classical.splitting=pmis",
                                                     "amg.classical.interpolation=extended_i",
                                                     "amg.classical.max_row_entries=4",
                                                     "amg.classical.truncation_factor=0.1",
                                                     "amg.classical.strength_threshold=0.25",
                                                     "amg.classical.max_row_sum=0.8",
                                                     "amg.coarse_size=3",
                                                     "amg.smoother.type=l1_jacobi",
                                                     "amg.smoother.sweeps=1"};

/// At the end of --help.
inline std::string paper_choices() {
  std::string text = "The components of AmgT's measurements:\n  --max-levels 7";
  for (const std::string& setting : paper_settings)
    text += "\n  -p " + setting;
  return text;
}

/// The command line of `data_flow`, and of the program that has hypre beside its flows.
struct DataFlowOptions {
  std::vector<std::string> gallery{"elasticity3d:n=20", "elasticity2d:n=150",
                                   "beam:order=3,refine=2", "poisson3d27:n=40"};
  std::string folder;
  std::vector<std::string> matrices{"swh_elasticity_p1", "bcsstk32_lap", "brack2_lap", "bcsstk38",
                                    "bcsstk16",          "s3rmt3m3",     "nasa4704",   "Dubcova1",
                                    "G2_circuit",        "GT01R"};
  std::vector<std::string> settings;
  std::vector<std::string> krylov_settings;
  int max_levels = 7;
  int cycles = 50;
  int repeats = 5;
  std::string out;

  void add_to(CLI::App& app) {
    add_shared_to(app);
    app.add_option("--krylov", krylov_settings,
                   "a parameter of the solve to a tolerance alone, KEY=VALUE, after those of -p: a "
                   "smoother whose products are not counted, or more iterations");
    app.footer(paper_choices());
  }

  /// All but what is of the solve to a tolerance.
  void add_shared_to(CLI::App& app) {
    app.add_option("--gallery", gallery, "problems as NAME:KEY=VALUE,KEY=VALUE")
        ->capture_default_str();
    app.add_option("--folder", folder, "folder of Matrix Market files with an INDEX.tsv")
        ->envname("TESSERA_MATRICES")
        ->check(CLI::ExistingDirectory);
    app.add_option("--matrices", matrices, "of the folder, by name")->capture_default_str();
    app.add_option("-p", settings,
                   "a parameter of all flows, KEY=VALUE, as `tessera solve` has it; the cycles by "
                   "themselves go by those of amg. Flows choose amg.products, amg.storage and "
                   "amg.levels");
    app.add_option("--max-levels", max_levels, "of the hierarchy")->check(CLI::Range(2, 50));
    app.add_option("--cycles", cycles, "of a solve")->check(CLI::PositiveNumber);
    app.add_option("--repeats", repeats, "runs of each after one warm-up")
        ->check(CLI::PositiveNumber);
    app.add_option("--out", out, "JSON file");
  }

  /// `amg` of these is that of the cycles by themselves.
  SolveParameters parameters(const Flow& flow) const { return parameters(flow, {}); }

  /// Of a Krylov method around multigrid.
  SolveParameters krylov_parameters(const Flow& flow) const {
    return parameters(flow, krylov_settings);
  }

 private:
  /// What a level is stored in copies the choices of all levels, so that it is set last.
  SolveParameters parameters(const Flow& flow, const std::vector<std::string>& further) const {
    SolveParameters p;
    p.preconditioner = PreconditionerKind::amg;
    p.precision = Precision::same;
    p.solver.tolerance = 1e-8;
    p.solver.max_iterations = 500;
    p.amg.max_levels = max_levels;
    p.amg.smoother.type = SmootherType::jacobi;
    apply_settings(settings, p);
    apply_settings(further, p);
    if (!p.amg.levels.empty())
      throw std::invalid_argument("amg.levels: the flows make the choices by level");
    p.amg.products = flow.products;
    p.amg.storage = {flow.format, StorageScalar::same};
    if (flow.is_mixed) apply_settings(by_level({"double", "float", "half"}), p);
    return p;
  }
};

}  // namespace tessera::perf
