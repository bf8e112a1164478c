// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>

#include "app/commands.hpp"
#include "app/define_options.hpp"
#include "app/help_format.hpp"
#include "app/machine.hpp"
#include "app/parse_error.hpp"
#include "app/terminal.hpp"
#include "tessera/parameters/nearest_name.hpp"

namespace tessera::app {

namespace {

void check_command_name(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2)
    throw UsageError("a command is needed: solve, info, gallery or params; see 'tessera --help'");
  const std::string name = argv[1];
  if (name.starts_with("-")) return;
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands(nullptr))
    known.push_back(command->get_name());
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw UsageError(fmt::format(
      "unknown command '{}'{} The commands are: {}.", name,
      parameters::nearest_name(name, known).empty() ? "." : parameters::did_you_mean(name, known),
      parameters::join_names(known)));
}

int report_error(const std::string& message, ExitCode code) {
  fmt::print(stderr, "tessera: {}\n", message);
  return static_cast<int>(code);
}

/// Runs the command; every exception becomes a line and a code.
int guarded(const std::function<ExitCode()>& command) {
  try {
    const ExitCode code = command();
    flush_standard_output();
    return static_cast<int>(code);
  } catch (const std::exception& error) {
    const Failure failure = failure_of(error);
    // fmt throws where a print fails.
    if (failure.code == ExitCode::internal_error && std::ferror(stdout) != 0) {
      const auto* system = dynamic_cast<const std::system_error*>(&error);
      return report_error(
          standard_output_error(system != nullptr ? system->code().message() : error.what()).what(),
          ExitCode::cannot_write);
    }
    return report_error(failure.message, failure.code);
  }
}

}  // namespace

int run(int argc, const char* const* argv) {
  CLI::App app(
      "Tessera solves large sparse linear systems with algebraic multigrid, on CPUs and GPUs.",
      "tessera");
  // The commands take the format over from here; the footer would reach them as well.
  app.formatter(std::make_shared<HelpFormat>());
  app.set_version_flag("--version", version_text);
  app.require_subcommand(1);

  SolveOptions solve;
  InfoOptions info;
  GalleryOptions gallery;
  ParamsOptions params;
  const CLI::App* solve_command = add_solve(app, solve);
  const CLI::App* info_command = add_info(app, info);
  const CLI::App* gallery_command = add_gallery(app, gallery);
  add_params(app, params);
  app.footer(main_footer);

  return guarded([&]() -> ExitCode {
    check_command_name(app, argc, argv);
    try {
      app.parse(argc, argv);
    } catch (const CLI::Success& request) {
      // --help or --version. Not straight to standard output: a flush there would lose the reason
      // for which it failed.
      std::ostringstream text;
      app.exit(request, text, text);
      std::cout << text.str();
      return ExitCode::success;
    } catch (const CLI::ParseError& error) {
      const auto parsed = app.get_subcommands();
      const CLI::App& command = parsed.empty() ? app : *parsed.front();
      throw UsageError(
          fmt::format("{} (see 'tessera {}{}--help')", parse_error_text(command, error, argc, argv),
                      parsed.empty() ? "" : command.get_name(), parsed.empty() ? "" : " "));
    }
    if (solve_command->parsed()) return run_solve(solve);
    if (info_command->parsed()) return run_info(info);
    if (gallery_command->parsed()) return run_gallery(gallery);
    return run_params(params);
  });
}

}  // namespace tessera::app
