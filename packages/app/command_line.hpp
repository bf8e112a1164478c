// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// From argv to an exit code.
#pragma once

namespace tessera::app {

/// Parses the command line, runs the command, and turns every error into one line on standard
/// error and an exit code (see exit_code.hpp).
int run(int argc, const char* const* argv);

}  // namespace tessera::app
