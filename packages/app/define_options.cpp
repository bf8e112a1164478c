// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/define_options.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/comparison.hpp"
#include "app/settings.hpp"
#include "tessera/parameters/parameter_tree.hpp"

namespace tessera::app {

const char* const main_footer = R"(Examples:
  tessera solve --problem poisson3d --n 100     solve a model problem
  tessera solve matrix.mtx -o x.mtx             solve A x = b of a Matrix Market file
  tessera solve matrix.mtx -p solver.tolerance=1e-10 --html report.html
  tessera info matrix.mtx                       what kind of matrix is this?
  tessera gallery poisson2d --n 512 -o A.mtx    write a model problem to a file
  tessera compare a.json b.json                 two reports of solves side by side
  tessera params                                all parameters with their defaults

Exit codes: 0 converged, 2 not converged, 3 diverged or NaN, 4 breakdown, 5 out of memory,
6 no solution but the least-squares solution, 64 usage, 65 bad input data, 70 internal error,
74 output cannot be written, 78 bad configuration.)";

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

constexpr const char* info_footer = R"(Examples:
  tessera info matrix.mtx
  tessera info matrix.mtx.gz --json             for a program)";

constexpr const char* gallery_footer = R"(Without a name, lists all problems.

Examples:
  tessera gallery poisson2d --n 512 -o A.mtx
  tessera gallery elasticity3d --n 20 -o A.mtx --rhs b.mtx --near-nullspace modes.mtx)";

constexpr const char* compare_footer = R"(Ratios are to the times of the first report.

Examples:
  tessera compare a.json b.json
      after a solve with --repeat 5 --report a.json, and one that differs in what is asked, such as
      -p amg.smoother.type=chebyshev, with --report b.json: is more work per sweep worth it?
  tessera compare a.json b.json c.json --html comparison.html
  tessera compare a.json b.json --quiet --json - | jq '.runs[1].total.ratio_to_first')";

constexpr const char* params_footer = R"(Examples:
  tessera params
  tessera params --json-schema > tessera.schema.json
      {"$schema": "tessera.schema.json", ...} in the file of --config: an editor then checks it.)";

constexpr const char* matrix_text =
    "Matrix Market (.mtx, .mtx.gz) or binary (.tsr) file; '-' is standard input";
constexpr const char* problem_group = "Problem of the gallery";

/// Adds an argument without dashes, which has to be a command's first. CLI11 compares its name with
/// the options that there are, the flag for help among them, in a function that ends the program
/// where memory runs out in it.
template <class Add>
CLI::Option* add_first(CLI::App& command, const Add& add) {
  command.set_help_flag();
  CLI::Option* const option = add();
  command.set_help_flag("-h,--help", "Print this help message and exit");
  return option;
}

CLI::Option* add_matrix(CLI::App& command, std::string& matrix) {
  return add_first(command, [&] {
    return command.add_option_function<std::string>(
        "matrix",
        [&matrix](const std::string& path) { matrix = path == "-" ? "/dev/stdin" : path; },
        matrix_text);
  });
}

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

void add_solve_input(CLI::App& command, SolveOptions& options) {
  add_matrix(command, options.matrix);
  command
      .add_option("-p,--param", options.settings,
                  "set a parameter: key=value; see 'tessera params'")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--config", options.config, "parameters from a JSON file")->type_name("FILE");
  command
      .add_option("--tolerance", options.tolerance,
                  "relative residual to reach: short for -p solver.tolerance=T, and wins over the "
                  "file of --config")
      ->type_name("T");
  command
      .add_option("--problem", options.problem.name, "a problem of the gallery instead of a file")
      ->group(problem_group);
  command
      .add_option(
          "--seed", options.seed,
          fmt::format("seed of random right-hand sides and of the gallery [{}]", options.seed))
      ->check(CLI::Range(0, std::numeric_limits<int>::max()));
  add_gallery_options(command, options.problem);
  command.add_option(
      "--rhs", options.rhs,
      fmt::format("problem (the file's or the gallery's own), ones, random, or a file [{}]",
                  options.rhs));
  command
      .add_option("--nrhs", options.num_rhs,
                  "number of right-hand sides; those that --rhs does not give are random [as many "
                  "as it gives]")
      ->check(CLI::Range(1, 1024));
  command
      .add_option("--near-nullspace", options.near_nullspace,
                  "near-nullspace vectors, one per column")
      ->type_name("FILE");
  command
      .add_option("--coordinates", options.coordinates,
                  "node coordinates, which give the rigid body modes of elasticity")
      ->type_name("FILE");
  command
      .add_option("--block-size", options.block_size,
                  "unknowns per node [the problem's own; found from the pattern for a file]")
      ->check(CLI::Range(1, 64));
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

void add_repeat(CLI::App& command, SolveOptions& options) {
  command
      .add_option(
          "--repeat", options.repeat,
          fmt::format("number of solves, of which medians are reported; above 1, after a warm-up "
                      "[{}]",
                      options.repeat))
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

void add_quiet(CLI::App& command, SolveOptions& options) {
  command.add_flag("-q,--quiet", options.quiet, "print nothing; the exit code says how it ended");
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
  add_repeat(command, options);
  command.add_flag("--warm-up", options.warm_up,
                   "solve small systems first, so that times exclude what a device loads once; "
                   "reports how long that took");
  add_solve_outputs(command, options, "; implies --profile");
  command.add_flag("--profile", options.profile,
                   "time each kernel, in a run of its own, for the reports");
  add_quiet(command, options);
  return &command;
}

CLI::App* add_info(CLI::App& app, InfoOptions& options) {
  CLI::App& command = *app.add_subcommand("info", "describe a matrix and recommend settings");
  command.footer(info_footer);
  add_matrix(command, options.matrix)->required();
  command.add_flag("--json", options.json, "as JSON");
  command.add_flag("--sum-duplicates", options.sum_duplicates,
                   "add entries that the file gives twice");
  return &command;
}

CLI::App* add_gallery(CLI::App& app, GalleryOptions& options) {
  CLI::App& command = *app.add_subcommand("gallery", "list model problems, or write one to a file");
  command.footer(gallery_footer);
  add_first(command,
            [&] { return command.add_option("name", options.problem.name, "the problem"); });
  add_gallery_options(command, options.problem);
  command
      .add_option("-o,--output", options.output,
                  "write the matrix: .mtx, .mtx.gz, or .tsr (binary, with b); '-' is standard "
                  "output, here and below")
      ->type_name("FILE");
  command.add_option("--rhs", options.rhs_output, "write the right-hand side: .mtx or .mtx.gz")
      ->type_name("FILE");
  command
      .add_option("--near-nullspace", options.near_nullspace_output,
                  "write the near-nullspace vectors")
      ->type_name("FILE");
  command.add_option("--coordinates", options.coordinates_output, "write the node coordinates")
      ->type_name("FILE");
  return &command;
}

CLI::App* add_compare(CLI::App& app, CompareOptions& options) {
  CLI::App& command = *app.add_subcommand("compare", "show reports of solves side by side");
  command.footer(compare_footer);
  add_first(
      command,
      [&] {
        return command.add_option_function<std::vector<std::string>>(
            "reports",
            [&options](const std::vector<std::string>& paths) {
              for (const std::string& path : paths)
                options.reports.push_back(path == "-" ? "/dev/stdin" : path);
            },
            fmt::format("JSON files that 'tessera solve --report' wrote, 2 to {}; '-' is standard "
                        "input",
                        max_compared_runs));
      })
      ->type_name("FILE")
      ->required();
  command
      .add_option("--html", options.html,
                  "write a page with tables and charts; '-' is standard output, here and below")
      ->type_name("FILE");
  command.add_option("--json", options.json, "write the comparison for a program")
      ->type_name("FILE");
  command.add_flag("-q,--quiet", options.quiet, "print nothing");
  return &command;
}

CLI::App* add_params(CLI::App& app, ParamsOptions& options) {
  CLI::App& command = *app.add_subcommand("params", "list all parameters");
  command.footer(params_footer);
  command.add_flag("--json-schema", options.json_schema, "as a JSON schema of --config's file");
  return &command;
}

std::string HelpFormat::make_help(const CLI::App* app, std::string name,
                                  CLI::AppFormatMode mode) const {
  std::string help = CLI::Formatter::make_help(app, std::move(name), mode);
  help.erase(help.find_last_not_of('\n') + 1);
  const std::string footer = app->get_footer();
  return help + (footer.empty() ? "\n" : "\n\n" + footer + "\n");
}

}  // namespace tessera::app
