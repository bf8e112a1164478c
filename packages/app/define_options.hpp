// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The commands' options and their help, and how `--help` lays it out.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "app/options.hpp"

namespace tessera::app {

/// The help's last part of the command without a subcommand.
extern const char* const main_footer;

/// Adds one option for each parameter of the gallery that the command has none for of its own, by
/// the parameter's description.
void add_gallery_options(CLI::App& command, GalleryChoice& choice);

/// Each adds its command to `app`; parsing then fills in the options, which must outlive `app`.
CLI::App* add_solve(CLI::App& app, SolveOptions& options);
CLI::App* add_info(CLI::App& app, InfoOptions& options);
CLI::App* add_gallery(CLI::App& app, GalleryOptions& options);
CLI::App* add_compare(CLI::App& app, CompareOptions& options);
CLI::App* add_params(CLI::App& app, ParamsOptions& options);

/// CLI11's own layout, but the footer (examples in columns) as it was written: newer releases of
/// CLI11 fill it into paragraphs.
class HelpFormat : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_footer(const CLI::App*) const override { return {}; }
};

}  // namespace tessera::app
