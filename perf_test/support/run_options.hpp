// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The options that the programs timing whole solves share.
#pragma once

#include "support/record.hpp"
#include "support/solve_timing.hpp"
#include "tessera/parameters/parameter_tree.hpp"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <string>
#include <vector>

namespace tessera::perf {

/// Sets parameters as KEY=VALUE, in this order.
/// @throws Error of kind `configuration` for an unknown key or a value that does not suit.
inline void apply_settings(const std::vector<std::string>& settings, SolveParameters& p) {
  parameters::ParameterTree tree(p);
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    const std::string value = equals == std::string::npos ? "" : setting.substr(equals + 1);
    tree.set_text(setting.substr(0, equals), value, "-p " + setting);
  }
}

/// What is solved, how well, how often, and where the figures go.
struct RunOptions {
  double tolerance = 1e-8;
  int repeats = 5;
  std::string rhs = "row-sums";
  std::string precision = "auto";
  std::vector<std::string> settings;
  std::string out;

  void add_to(CLI::App& app) {
    app.add_option("--tolerance", tolerance, "relative residual");
    app.add_option("--repeats", repeats, "runs of each after one warm-up")
        ->check(CLI::PositiveNumber);
    app.add_option("--rhs", rhs,
                   "row-sums (b = A 1, as hypre's figures were made; smoothed aggregation "
                   "interpolates the constant exactly and has it easy) or random")
        ->check(CLI::IsMember({"row-sums", "random"}));
    app.add_option("--precision", precision,
                   "Tessera's preconditioner: auto (float where the "
                   "matrix allows it) or double")
        ->check(CLI::IsMember({"auto", "double"}));
    app.add_option("-p", settings, "a parameter of Tessera, KEY=VALUE, as `tessera solve` has it");
    app.add_option("--out", out, "JSON file");
  }

  SolveParameters parameters() const {
    SolveParameters p;
    p.solver.tolerance = tolerance;
    p.precision = precision == "double" ? Precision::same : Precision::automatic;
    apply_settings(settings, p);
    return p;
  }

  template <class Space>
  MultiVector<double, Space> make_rhs(const Space& exec,
                                      const kernels::Csr<double, Space>& A) const {
    return rhs == "random" ? random_vector(exec, A.num_rows) : row_sums(exec, A);
  }

  nlohmann::json to_json() const {
    return {{"tolerance", tolerance},
            {"repeats", repeats},
            {"rhs", rhs},
            {"precision", precision},
            {"settings", settings}};
  }
};

/// The gallery's problem of that name; says so and ends the program for another.
inline ProblemKind problem_of_name(const std::string& name) {
  for (const auto& known : problem_names()) {
    if (known.name == name) return known.value;
  }
  std::fprintf(stderr, "%s is not a problem of the gallery; `tessera gallery --help` lists them\n",
               name.c_str());
  std::exit(64);
}

/// Prints both medians and their ratio, and writes them to `options.out`; the peer ran in
/// `peer_processes`.
inline void report_comparison(const RunOptions& options, const std::string& problem, int n,
                              const std::string& peer_name, int peer_processes, const Timing& mine,
                              const Timing& peer) {
  print_header();
  print_row("tessera, precision " + options.precision, mine);
  print_row(peer_name, peer);
  std::printf("ratio tessera / peer: setup %.3f, solve %.3f, total %.3f\n",
              mine.setup_ms / peer.setup_ms, mine.solve_ms / peer.solve_ms,
              mine.total_ms() / peer.total_ms());
  nlohmann::json json = options.to_json();
  json["problem"] = problem;
  json["n"] = n;
  json["peer_processes"] = peer_processes;
  json["results"] = {to_json("tessera", mine), to_json(peer_name, peer)};
  json["total_ratio"] = mine.total_ms() / peer.total_ms();
  write_record(options.out, json);
}

}  // namespace tessera::perf
