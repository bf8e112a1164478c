// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is said of a command line that CLI11 does not take.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tessera::app {

/// The error in a sentence, with the option that a mistyped one may have meant. `command` is what
/// argv[1] names.
std::string parse_error_text(const CLI::App& command, const CLI::ParseError& error, int argc,
                             const char* const* argv);

}  // namespace tessera::app
