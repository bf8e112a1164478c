// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How `--help` lays out its text.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tessera::app {

/// CLI11's own layout, but the footer (examples in columns) as it was written: newer releases of
/// CLI11 fill it into paragraphs.
class HelpFormat : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_footer(const CLI::App*) const override { return {}; }
};

}  // namespace tessera::app
