// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The command `tessera`, for programs that add to the library and want its command with that.
#pragma once

namespace tessera {

/// Runs the command `tessera` by the arguments of `main` and returns its exit code
/// (docs/command_line.md). Errors become a line on standard error and a code; nothing is thrown.
/// What was registered before, such as a smoother (tessera/smoother/register_smoother.hpp), is
/// known to its parameters, help and reports.
///
/// The commands that compute initialise Kokkos and finalise it, which a process does once: Kokkos
/// is not to be initialised before, and the command is not to be run a second time.
int run_command(int argc, char** argv);

}  // namespace tessera
