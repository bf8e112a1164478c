// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>

#include "app/commands.hpp"
#include "app/machine.hpp"
#include "app/nearest_name.hpp"
#include "app/parameter_tree.hpp"

namespace tessera::app {

namespace {

constexpr const char* main_examples = R"(Examples:
  tessera solve --problem poisson3d --n 100     solve a model problem
  tessera solve matrix.mtx -o x.mtx             solve A x = b of a Matrix Market file
  tessera solve matrix.mtx -p solver.tolerance=1e-10 --html report.html
  tessera info matrix.mtx                       what kind of matrix is this?
  tessera gallery poisson2d --n 512 -o A.mtx    write a model problem to a file
  tessera params                                all parameters with their defaults

Exit codes: 0 converged, 2 not converged, 3 diverged or NaN, 4 breakdown, 5 out of memory,
64 usage, 65 bad input data, 70 internal error, 74 output cannot be written, 78 bad configuration.)";

constexpr const char* solve_examples = R"(Examples:
  tessera solve matrix.mtx
      b is what the file holds, else all ones; the result line says how it ended.
  tessera solve matrix.mtx --rhs b.mtx -o x.mtx
  tessera solve --problem elasticity3d --n 30 -p solver.name=cg -p amg.smoother.sweeps=2
  tessera solve --problem poisson3d --n 128 --repeat 5 --report report.json --html report.html
  tessera solve matrix.mtx --config settings.json -p solver.tolerance=1e-12
      settings.json: {"solver": {"name": "gmres"}, "amg.max_levels": 10}; -p wins over the file.

Ctrl-C stops after the iteration that runs and writes the best iterate; again ends at once.)";

constexpr const char* problem_group = "Problem of the gallery";

/// Adds one option for each parameter of the gallery, by its own description.
void add_gallery_options(CLI::App& command, GalleryChoice& choice) {
  GalleryParameters defaults;
  const ParameterTree tree(defaults);
  for (const Parameter& parameter : tree.parameters()) {
    // The problem's name and the seed have options of their own.
    if (parameter.key == "problem" || parameter.key == "seed") continue;
    std::string option = "--" + parameter.key;
    std::replace(option.begin(), option.end(), '_', '-');
    command
        .add_option_function<std::string>(
            option,
            [&choice, key = parameter.key](const std::string& text) {
              choice.settings.emplace_back(key, text);
            },
            fmt::format("{} [{}]", parameter.text, to_text(parameter.default_value)))
        ->type_name("")
        ->group(problem_group);
  }
}

void add_solve(CLI::App& command, SolveOptions& options) {
  command.footer(solve_examples);
  command.add_option("matrix", options.matrix,
                     "Matrix Market (.mtx, .mtx.gz) or binary (.tsr) file");
  command
      .add_option("--problem", options.problem.name, "a problem of the gallery instead of a file")
      ->group(problem_group);
  add_gallery_options(command, options.problem);
  command
      .add_option("-p,--param", options.settings,
                  "set a parameter: key=value; see 'tessera params'")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--config", options.config, "parameters from a JSON file")->type_name("FILE");
  command.add_option("--rhs", options.rhs,
                     "problem (the file's or the gallery's own), ones, random, or a file");
  command
      .add_option("--nrhs", options.num_rhs,
                  "number of right-hand sides; those that --rhs does not give are random")
      ->check(CLI::Range(1, 1024));
  command.add_option("--seed", options.seed, "seed of random right-hand sides and of the gallery")
      ->check(CLI::Range(0, 2147483647));
  command
      .add_option("--near-nullspace", options.near_nullspace,
                  "near-nullspace vectors, one a column")
      ->type_name("FILE");
  command
      .add_option("--coordinates", options.coordinates,
                  "places of the nodes: rigid body modes for elasticity")
      ->type_name("FILE");
  command.add_option("--block-size", options.block_size, "unknowns a node, stored side by side")
      ->check(CLI::Range(1, 64));
  command.add_flag("--sum-duplicates", options.sum_duplicates,
                   "add entries that the file gives twice");
  command.add_option("-o,--output", options.output, "write x")->type_name("FILE");
  command.add_option("--report", options.report, "write a JSON report")->type_name("FILE");
  command.add_option("--html", options.html, "write a report to look at; implies --profile")
      ->type_name("FILE");
  command.add_flag("--profile", options.profile,
                   "time each kernel, in a run of its own, for the reports");
  command.add_option("--device", options.device,
                     "auto, host, device, or a name such as openmp or cuda");
  command.add_option("--threads", options.threads, "threads of the host")
      ->check(CLI::Range(1, 4096));
  command.add_option("--precision", options.precision,
                     "double, float, mixed (multigrid in float under a double solver), auto");
  command
      .add_option("--repeat", options.repeat,
                  "solve so many times after a warm-up and report medians")
      ->check(CLI::Range(1, 100000));
  command.add_flag("-q,--quiet", options.quiet, "print nothing; the exit code says how it ended");
}

void add_gallery(CLI::App& command, GalleryOptions& options) {
  command.footer(
      "Without a name, lists all problems.\n\nExample:\n  tessera gallery elasticity3d --n 20 "
      "-o A.mtx --rhs b.mtx --near-nullspace modes.mtx");
  command.add_option("name", options.problem.name, "the problem");
  add_gallery_options(command, options.problem);
  command.add_option("--seed", options.seed, "seed of random problems")
      ->check(CLI::Range(0, 2147483647));
  command
      .add_option("-o,--output", options.output, "write the matrix: .mtx, or .tsr (binary, with b)")
      ->type_name("FILE");
  command.add_option("--rhs", options.rhs_output, "write the right-hand side")->type_name("FILE");
  command
      .add_option("--near-nullspace", options.near_nullspace_output,
                  "write the near-nullspace vectors")
      ->type_name("FILE");
  command.add_option("--coordinates", options.coordinates_output, "write the places of the nodes")
      ->type_name("FILE");
}

/// The option that an unknown one may have meant.
std::string option_hint(const CLI::App& command, int argc, const char* const* argv) {
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      known.push_back("--" + name);
  }
  for (int i = 2; i < argc; ++i) {
    const std::string typed = std::string(argv[i]).substr(0, std::string_view(argv[i]).find('='));
    if (typed.starts_with("--") && std::find(known.begin(), known.end(), typed) == known.end()) {
      return did_you_mean(typed, known);
    }
  }
  return {};
}

void check_command_name(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2)
    throw UsageError("a command is needed: solve, info, gallery or params; see 'tessera --help'");
  const std::string name = argv[1];
  if (name.starts_with("-")) return;
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands(nullptr))
    known.push_back(command->get_name());
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw UsageError(fmt::format("unknown command '{}'{} The commands are: {}.", name,
                               nearest_name(name, known).empty() ? "." : did_you_mean(name, known),
                               join_names(known)));
}

int report_error(const std::string& message, ExitCode code) {
  fmt::print(stderr, "tessera: {}\n", message);
  return static_cast<int>(code);
}

/// Runs the command; every exception becomes a line and a code.
int guarded(const std::function<ExitCode()>& command) {
  try {
    return static_cast<int>(command());
  } catch (const UsageError& error) {
    return report_error(error.what(), ExitCode::usage);
  } catch (const OutputError& error) {
    return report_error(error.what(), ExitCode::cannot_write);
  } catch (const Error& error) {
    return report_error(error.what(), exit_code(error.kind()));
  } catch (const std::exception& error) {
    if (says_out_of_memory(error)) {
      return report_error(fmt::format("out of memory: {}", error.what()), ExitCode::out_of_memory);
    }
    return report_error(fmt::format("internal error: {}", error.what()), ExitCode::internal_error);
  }
}

}  // namespace

int run(int argc, const char* const* argv) {
  CLI::App app(
      "Tessera solves large sparse linear systems with algebraic multigrid, on CPUs and GPUs.",
      "tessera");
  app.footer(main_examples);
  app.set_version_flag("--version", version_text);
  app.require_subcommand(1);

  SolveOptions solve;
  InfoOptions info;
  GalleryOptions gallery;
  ParamsOptions params;
  CLI::App* solve_command = app.add_subcommand("solve", "solve A x = b");
  CLI::App* info_command = app.add_subcommand("info", "describe a matrix and recommend settings");
  CLI::App* gallery_command =
      app.add_subcommand("gallery", "list model problems, or write one to a file");
  CLI::App* params_command = app.add_subcommand("params", "list all parameters");
  add_solve(*solve_command, solve);
  info_command
      ->add_option("matrix", info.matrix, "Matrix Market (.mtx, .mtx.gz) or binary (.tsr) file")
      ->required();
  info_command->add_flag("--json", info.json, "as JSON");
  info_command->add_flag("--sum-duplicates", info.sum_duplicates,
                         "add entries that the file gives twice");
  add_gallery(*gallery_command, gallery);
  params_command->add_flag("--json-schema", params.json_schema,
                           "as a JSON schema of --config's file");

  return guarded([&]() -> ExitCode {
    check_command_name(app, argc, argv);
    try {
      app.parse(argc, argv);
    } catch (const CLI::Success& request) {
      app.exit(request);  // --help or --version: prints it
      return ExitCode::success;
    } catch (const CLI::ParseError& error) {
      const auto parsed = app.get_subcommands();
      const CLI::App& command = parsed.empty() ? app : *parsed.front();
      throw UsageError(fmt::format(
          "{}{} (see 'tessera {}{}--help')", error.what(), option_hint(command, argc, argv),
          parsed.empty() ? "" : command.get_name(), parsed.empty() ? "" : " "));
    }
    if (solve_command->parsed()) return run_solve(solve);
    if (info_command->parsed()) return run_info(info);
    if (gallery_command->parsed()) return run_gallery(gallery);
    return run_params(params);
  });
}

}  // namespace tessera::app
