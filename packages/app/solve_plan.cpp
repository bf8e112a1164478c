// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/solve_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "app/settings.hpp"
#include "tessera/operator/error.hpp"
#include "tessera/parameters/nearest_name.hpp"

namespace tessera::app {

namespace {

/// Throws where -p sets what an option does that is given, too.
void check_given_once(const std::vector<std::string>& settings, const char* option,
                      const std::string& value, std::string_view key) {
  for (const std::string& setting : settings) {
    if (!setting.starts_with(std::string(key) + "=")) continue;
    throw UsageError(fmt::format("both {} {} and -p {}: give one of them", option, value, setting));
  }
}

}  // namespace

void check_given(const SolveOptions& options) {
  // Comes first: of "-p key value" the value goes where the matrix is looked for.
  check_settings(options.settings);
  if (!options.tolerance.empty())
    check_given_once(options.settings, "--tolerance", options.tolerance, "solver.tolerance");
  if (options.precision != "auto")
    check_given_once(options.settings, "--precision", options.precision, "precision");
  if (!options.near_nullspace.empty() && !options.coordinates.empty())
    throw UsageError("both --near-nullspace and --coordinates: give one of them");
}

std::optional<GalleryParameters> chosen_problem(const SolveOptions& options,
                                                const std::string& command) {
  if (options.matrix.empty() && options.problem.name.empty()) {
    throw UsageError(
        fmt::format("a matrix file or --problem NAME is needed; see '{} solve --help'", command));
  }
  if (options.problem.name.empty()) {
    if (options.problem.settings.empty()) return std::nullopt;
    throw UsageError(fmt::format("{}: an option of the gallery's problems, without --problem NAME",
                                 option_name(options.problem.settings.front().first)));
  }
  if (!options.matrix.empty()) {
    throw UsageError(fmt::format("both a matrix file ({}) and --problem {}: give one of them",
                                 options.matrix, options.problem.name));
  }
  GalleryParameters parameters = gallery_parameters(options.problem);
  parameters.seed = options.seed;
  return parameters;
}

std::string rhs_file(const std::string& rhs) {
  static const std::vector<std::string> words{"problem", "ones", "random"};
  if (std::find(words.begin(), words.end(), rhs) != words.end()) return {};
  std::error_code ignored;
  if (std::filesystem::exists(rhs, ignored)) return rhs;
  throw Error(
      ErrorKind::bad_input,
      fmt::format(
          "--rhs {}: there is no such file{} Expected a file or one of: {}", rhs,
          parameters::nearest_name(rhs, words).empty() ? "." : parameters::did_you_mean(rhs, words),
          parameters::join_names(words)));
}

void set_solve_parameters(parameters::ParameterTree& tree, const SolveOptions& options) {
  set_parameters(tree, options.config, options.settings);
  if (!options.tolerance.empty())
    tree.set_text("solver.tolerance", options.tolerance, "--tolerance " + options.tolerance);
}

SolveOutputs plan_outputs(const SolveOptions& options) {
  SolveOutputs planned;
  std::vector<OutputFile> outputs;
  if (!options.log.empty()) outputs.emplace_back("--log", options.log);
  const auto add = [&outputs](const char* option, const std::string& path,
                              std::optional<OutputFile>& output) {
    if (path.empty()) return;
    output.emplace(option, path);
    outputs.push_back(*output);
  };
  add("-o", options.output, planned.solution);
  add("--report", options.report, planned.report);
  add("--html", options.html, planned.html);
  if (planned.solution) check_ending(*planned.solution, vector_endings());
  check_distinct({{"the matrix", options.matrix},
                  {"--rhs", rhs_file(options.rhs)},
                  {"--config", options.config},
                  {"--near-nullspace", options.near_nullspace},
                  {"--coordinates", options.coordinates}},
                 outputs);
  return planned;
}

void open_log(const SolveOptions& options, Transcript& transcript) {
  transcript.open_log(options.log, {{"the matrix", options.matrix},
                                    {"--rhs", options.rhs},
                                    {"--config", options.config},
                                    {"--near-nullspace", options.near_nullspace},
                                    {"--coordinates", options.coordinates},
                                    {"-o", options.output},
                                    {"--report", options.report},
                                    {"--html", options.html}});
}

}  // namespace tessera::app
