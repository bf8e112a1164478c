// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The options of `solve`, in parts for commands that have some of them, and its help.
#include <fmt/format.h>

#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "app/define_options.hpp"
#include "app/settings.hpp"
#include "tessera/parameters/parameter_tree.hpp"

namespace tessera::app {

namespace {

constexpr const char* solve_footer = R"(Examples:
  tessera solve matrix.mtx
      b is what the file holds, else all ones; the result line says how it ended.
  tessera solve matrix.mtx --rhs b.mtx -o x.mtx
  tessera solve matrix.mtx --tolerance 1e-10 --quiet --log solve.log
  tessera solve --problem elasticity3d --n 30 -p solver.name=cg -p amg.smoother.sweeps=2
  tessera solve --problem poisson3d --n 128 --repeat 5 --report report.json --html report.html
  tessera solve matrix.mtx --config settings.json -p solver.tolerance=1e-12
      settings.json: {"solver": {"name": "gmres"}, "amg.max_levels": 10}; -p wins over the file.

Ctrl-C stops after the current iteration and writes the best iterate; a second one ends at once.)";

constexpr const char* problem_group = "Problem of the gallery";

const char* type_name(const parameters::ParameterValue& value) {
  if (std::holds_alternative<int>(value)) return "INT";
  return std::holds_alternative<double>(value) ? "FLOAT" : "TEXT";
}

}  // namespace

void add_gallery_options(CLI::App& command, GalleryChoice& choice) {
  GalleryParameters defaults;
  const parameters::ParameterTree tree(defaults);
  for (const parameters::Parameter& parameter : tree.parameters()) {
    if (parameter.key == "problem") continue;
    const std::string name = option_name(parameter.key);
    // Not `get_option_no_throw`, which ends the program where memory runs out in it.
    const auto has_name = [&name](const CLI::Option* option) { return option->check_name(name); };
    if (!command.get_options(has_name).empty()) continue;
    command
        .add_option_function<std::string>(
            name,
            [&choice, key = parameter.key](const std::string& text) {
              choice.settings.emplace_back(key, text);
            },
            fmt::format("{} [{}]", parameter.text, parameters::to_text(parameter.default_value)))
        ->type_name(type_name(parameter.default_value))
        ->group(problem_group);
  }
}

void add_settings(CLI::App& command, std::vector<std::string>& settings, std::string& config) {
  command.add_option("-p,--param", settings, "set a parameter: key=value; see 'tessera params'")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--config", config, "parameters from a JSON file")->type_name("FILE");
}

void add_problem(CLI::App& command, GalleryChoice& problem, int& seed) {
  command.add_option("--problem", problem.name, "a problem of the gallery instead of a file")
      ->group(problem_group);
  command
      .add_option("--seed", seed,
                  fmt::format("seed of random right-hand sides and of the gallery [{}]", seed))
      ->check(CLI::Range(0, std::numeric_limits<int>::max()));
  add_gallery_options(command, problem);
}

void add_num_rhs(CLI::App& command, int& num_rhs) {
  command
      .add_option("--nrhs", num_rhs,
                  "number of right-hand sides; those that --rhs does not give are random [as many "
                  "as it gives]")
      ->check(CLI::Range(1, 1024));
}

void add_block_size(CLI::App& command, int& block_size) {
  command
      .add_option("--block-size", block_size,
                  "unknowns per node [the problem's own; found from the pattern for a file]")
      ->check(CLI::Range(1, 64));
}

void add_solve_input(CLI::App& command, SolveOptions& options) {
  add_matrix(command, options.matrix);
  add_settings(command, options.settings, options.config);
  command
      .add_option("--tolerance", options.tolerance,
                  "relative residual to reach: short for -p solver.tolerance=T, and wins over the "
                  "file of --config")
      ->type_name("T");
  add_problem(command, options.problem, options.seed);
  command.add_option(
      "--rhs", options.rhs,
      fmt::format("problem (the file's or the gallery's own), ones, random, or a file [{}]",
                  options.rhs));
  add_num_rhs(command, options.num_rhs);
  command
      .add_option("--near-nullspace", options.near_nullspace,
                  "near-nullspace vectors, one per column")
      ->type_name("FILE");
  command
      .add_option("--coordinates", options.coordinates,
                  "node coordinates, which give the rigid body modes of elasticity")
      ->type_name("FILE");
  add_block_size(command, options.block_size);
  command.add_flag("--sum-duplicates", options.sum_duplicates,
                   "add entries that the file gives twice");
}

void add_solve_device(CLI::App& command, SolveOptions& options, const char* default_threads) {
  command.add_option(
      "--device", options.device,
      fmt::format("auto, host, device, or a name such as openmp or cuda [{}]", options.device));
  command
      .add_option("--threads", options.threads,
                  fmt::format("threads of the host [{}]", default_threads))
      ->check(CLI::Range(1, 4096));
}

void add_repeat(CLI::App& command, int& repeat) {
  command
      .add_option(
          "--repeat", repeat,
          fmt::format("number of solves, of which medians are reported; above 1, after a warm-up "
                      "[{}]",
                      repeat))
      ->check(CLI::Range(1, 100000));
}

void add_solve_outputs(CLI::App& command, SolveOptions& options, const char* html_implies) {
  command
      .add_option("-o,--output", options.output,
                  "write x: .mtx or .mtx.gz; '-' is standard output, here and below")
      ->type_name("FILE");
  command.add_option("--report", options.report, "write a JSON report")->type_name("FILE");
  command.add_option("--html", options.html, fmt::format("write an HTML report{}", html_implies))
      ->type_name("FILE");
  command
      .add_option("--log", options.log,
                  "write what is printed, with the error where there is one; also with --quiet")
      ->type_name("FILE");
}

void add_quiet(CLI::App& command, bool& quiet) {
  command.add_flag("-q,--quiet", quiet, "print nothing; the exit code says how it ended");
}

CLI::App* add_solve(CLI::App& app, SolveOptions& options) {
  CLI::App& command = *app.add_subcommand("solve", "solve A x = b");
  command.footer(solve_footer);
  add_solve_input(command, options);
  add_solve_device(command, options, "OMP_NUM_THREADS, else all");
  command.add_option(
      "--precision", options.precision,
      fmt::format("double, float, mixed (multigrid in float under a double solver), auto [{}]",
                  options.precision));
  add_repeat(command, options.repeat);
  command.add_flag("--warm-up", options.warm_up,
                   "solve small systems first, so that times exclude what a device loads once; "
                   "reports how long that took");
  add_solve_outputs(command, options, "; implies --profile");
  command.add_flag("--profile", options.profile,
                   "time each kernel, in a run of its own, for the reports");
  add_quiet(command, options.quiet);
  return &command;
}

}  // namespace tessera::app
