// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The commands' options and their help, and how `--help` lays it out.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "app/options.hpp"

namespace tessera::app {

/// The help's last part of the command without a subcommand.
extern const char* const main_footer;

/// Adds the file of a matrix, which is a command's first argument.
CLI::Option* add_matrix(CLI::App& command, std::string& matrix);

/// Adds one option for each parameter of the gallery that the command has none for of its own, by
/// the parameter's description.
void add_gallery_options(CLI::App& command, GalleryChoice& choice);

/// Options of `solve` that other commands have, too: parameters; a problem of the gallery in place
/// of a file; right-hand sides; unknowns per node; repeats; --quiet.
void add_settings(CLI::App& command, std::vector<std::string>& settings, std::string& config);
void add_problem(CLI::App& command, GalleryChoice& problem, int& seed);
void add_num_rhs(CLI::App& command, int& num_rhs);
void add_block_size(CLI::App& command, int& block_size);
void add_repeat(CLI::App& command, int& repeat);
void add_quiet(CLI::App& command, bool& quiet);

/// Larger parts: the system and the parameters; the device, `default_threads` being said of
/// --threads; the files that are written, `html_implies` being said of --html.
void add_solve_input(CLI::App& command, SolveOptions& options);
void add_solve_device(CLI::App& command, SolveOptions& options, const char* default_threads);
void add_solve_outputs(CLI::App& command, SolveOptions& options, const char* html_implies);

/// Each adds its command to `app`; parsing then fills in the options, which must outlive `app`.
CLI::App* add_solve(CLI::App& app, SolveOptions& options);
CLI::App* add_info(CLI::App& app, InfoOptions& options);
CLI::App* add_gallery(CLI::App& app, GalleryOptions& options);
CLI::App* add_compare(CLI::App& app, CompareOptions& options);
CLI::App* add_params(CLI::App& app, ParamsOptions& options);

/// The error in a sentence, with the option that a mistyped one may have meant. `command` is what
/// argv[1] names.
std::string parse_error_text(const CLI::App& command, const CLI::ParseError& error, int argc,
                             const char* const* argv);

/// CLI11's own layout, but the footer (examples in columns) as it was written: newer releases of
/// CLI11 fill it into paragraphs.
class HelpFormat : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_footer(const CLI::App*) const override { return {}; }
};

}  // namespace tessera::app
