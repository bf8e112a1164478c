// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/define_options.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "app/comparison.hpp"

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

}  // namespace

CLI::Option* add_matrix(CLI::App& command, std::string& matrix) {
  return add_first(command, [&] {
    return command.add_option_function<std::string>(
        "matrix",
        [&matrix](const std::string& path) { matrix = path == "-" ? "/dev/stdin" : path; },
        "Matrix Market (.mtx, .mtx.gz) or binary (.tsr) file; '-' is standard input");
  });
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
