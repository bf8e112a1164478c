// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// From argv to an exit code.
#include "tessera/command.hpp"
#include "app/define_options.hpp"
#include "app/machine.hpp"
#include "app/options.hpp"
#include "app/settings.hpp"
#include "app/terminal.hpp"
#include "tessera/operator/out_of_memory.hpp"
#include "tessera/parameters/nearest_name.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/solve/parameters.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::app {

namespace {

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The hint for one word of the command line; empty where it is no option, or a known one.
std::string hint_for(const std::string& typed, const std::vector<std::string>& long_names,
                     const std::vector<std::string>& short_names) {
  const bool option = typed.size() > 1 && typed[0] == '-' &&
                      std::isdigit(static_cast<unsigned char>(typed[1])) == 0;
  if (!option || holds(long_names, typed)) return {};
  if (typed.starts_with("--")) return parameters::did_you_mean(typed, long_names);
  // One dash: a long option short of the other, or a short one with its value behind it.
  if (!holds(long_names, "-" + typed) && holds(short_names, typed.substr(0, 2))) return {};
  return parameters::did_you_mean("-" + typed, long_names);
}

/// The hint for an option that no other is near to: parameters are none, and are set by -p.
std::string parameter_hint(const std::string& typed) {
  std::string key = typed.substr(std::min(typed.size(), typed.find_first_not_of('-')));
  std::replace(key.begin(), key.end(), '-', '_');
  SolveParameters defaults;
  const parameters::ParameterTree tree(defaults);
  std::vector<std::string> keys;
  for (const parameters::Parameter& parameter : tree.parameters())
    keys.push_back(parameter.key);
  // A section stands for its first parameter: "solver" for solver.name.
  const auto inside = std::find_if(keys.begin(), keys.end(), [&](const std::string& other) {
    return !key.empty() && ("." + other).find("." + key + ".") != std::string::npos;
  });
  const std::string nearest = inside == keys.end() ? parameters::nearest_name(key, keys) : *inside;
  return nearest.empty() ? "; parameters are set by -p key=value, 'tessera params' lists them"
                         : fmt::format("; did you mean '-p {}=VALUE'?", nearest);
}

/// What is wrong with a -p whose value stands in a word of its own; empty where none does.
std::string split_setting(int argc, const char* const* argv) {
  for (int i = 2; i + 1 < argc; ++i) {
    const std::string_view option = argv[i], setting = argv[i + 1];
    if ((option == "-p" || option == "--param") && setting.find('=') == std::string_view::npos)
      return fmt::format("-p {}: expected key=value, in one word", setting);
  }
  return {};
}

std::string option_hint(const CLI::App& command, int argc, const char* const* argv) {
  std::vector<std::string> long_names, short_names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      long_names.push_back("--" + name);
    for (const std::string& name : option->get_snames())
      short_names.push_back("-" + name);
  }
  for (int i = 2; i < argc; ++i) {
    const std::string typed(
        std::string_view(argv[i]).substr(0, std::string_view(argv[i]).find('=')));
    std::string hint = hint_for(typed, long_names, short_names);
    if (!hint.empty()) return hint;
    const bool is_unknown =
        typed.size() > 2 && typed.starts_with("--") && !holds(long_names, typed);
    if (is_unknown && holds(short_names, "-p")) return parameter_hint(typed);
  }
  return {};
}

}  // namespace

std::string parse_error_text(const CLI::App& command, const CLI::ParseError& error, int argc,
                             const char* const* argv) {
  const std::string text = error.what();
  // CLI11 counts: "--n: 1 required INT missing".
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && text.ends_with(" missing")) {
    return text.substr(0, text.find(": ")) + ": its value is missing";
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::string split = split_setting(argc, argv);
    if (!split.empty()) return split;
  }
  return text + option_hint(command, argc, argv);
}

}  // namespace tessera::app

namespace tessera {
namespace app {
namespace {

void check_command_name(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2)
    throw UsageError(
        "a command is needed: solve, info, gallery, compare or params; see 'tessera --help'");
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

int report_failure(const std::exception& error) {
  const Failure failure = failure_of(error);
  return report_error(failure.message, failure.code);
}

/// A line and a code for what a command threw in that step.
int report_failure(const char* step, const std::exception& error) {
  try {
    return is_out_of_memory(error) ? report_failure(detail::out_of_memory(step, error, ""))
                                   : report_failure(error);
  } catch (const std::bad_alloc&) {
    // Nor is there any for words.
    for (const char* part : {"tessera: ", detail::out_of_memory_without_words().what(), "\n"})
      static_cast<void>(std::fputs(part, stderr));
    return static_cast<int>(ExitCode::out_of_memory);
  }
}

/// False where help or the version was asked for, which is printed then.
bool parse(CLI::App& app, int argc, const char* const* argv) {
  check_command_name(app, argc, argv);
  try {
    app.parse(argc, argv);
    return true;
  } catch (const CLI::Success& request) {
    // Not straight to standard output: a flush there would lose the reason for which it failed.
    std::ostringstream text;
    app.exit(request, text, text);
    std::cout << text.str();
    return false;
  } catch (const CLI::ParseError& error) {
    const auto parsed = app.get_subcommands();
    const CLI::App& command = parsed.empty() ? app : *parsed.front();
    throw UsageError(
        fmt::format("{} (see 'tessera {}{}--help')", parse_error_text(command, error, argc, argv),
                    parsed.empty() ? "" : command.get_name(), parsed.empty() ? "" : " "));
  }
}

}  // namespace
}  // namespace app

int run_command(int argc, char** argv) {
  const char* step = "the command line";
  try {
    app::guard_standard_streams();
    CLI::App line(
        "Tessera solves large sparse linear systems with algebraic multigrid, on CPUs and GPUs.",
        "tessera");
    // The commands take the format over from here; the footer would reach them as well.
    line.formatter(std::make_shared<app::HelpFormat>());
    line.set_version_flag("--version", app::version_text);
    line.require_subcommand(1);

    app::SolveOptions solve;
    solve.command_line = app::shell_line({argv, argv + argc});
    app::InfoOptions info;
    app::GalleryOptions gallery;
    app::CompareOptions compare;
    app::ParamsOptions params;
    const CLI::App* solve_command = app::add_solve(line, solve);
    const CLI::App* info_command = app::add_info(line, info);
    const CLI::App* gallery_command = app::add_gallery(line, gallery);
    const CLI::App* compare_command = app::add_compare(line, compare);
    app::add_params(line, params);
    line.footer(app::main_footer);

    auto code = app::ExitCode::success;
    if (app::parse(line, argc, argv)) {
      step = "the command";
      code = solve_command->parsed()     ? app::run_solve(solve)
             : info_command->parsed()    ? app::run_info(info)
             : gallery_command->parsed() ? app::run_gallery(gallery)
             : compare_command->parsed() ? app::run_compare(compare)
                                         : app::run_params(params);
    }
    app::flush_standard_output();
    return static_cast<int>(code);
  } catch (const std::exception& error) {
    return app::report_failure(step, error);
  }
}

}  // namespace tessera
