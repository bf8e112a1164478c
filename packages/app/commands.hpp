// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One function a command; each returns the exit code and throws for errors.
#pragma once

#include "app/exit_code.hpp"
#include "app/options.hpp"

namespace tessera::app {

/// Solves, prints, and writes what was asked for.
ExitCode run_solve(const SolveOptions& options);

/// Describes a matrix.
ExitCode run_info(const InfoOptions& options);

/// Lists the gallery, or writes one of its problems to files.
ExitCode run_gallery(const GalleryOptions& options);

/// Lists all parameters of a solve.
ExitCode run_params(const ParamsOptions& options);

}  // namespace tessera::app
