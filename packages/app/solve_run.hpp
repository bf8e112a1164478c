// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Setup and solve of a loaded system, as often as asked, with all that the report needs.
#pragma once

#include "app/options.hpp"
#include "app/report.hpp"
#include "app/system.hpp"
#include "app/terminal.hpp"
#include "app/transcript.hpp"
#include "tessera/solve.hpp"

namespace tessera::app {

/// Solves and fills in the report. Returns x, n by the number of right-hand sides.
template <class Scalar, class Space, class Offset>
MultiVector<Scalar, Space> solve_system(const Space& exec,
                                        const System<Scalar, Space, Offset>& system,
                                        const SolveParameters& parameters,
                                        const SolveOptions& options, Transcript& transcript,
                                        Progress& progress, SolveReport& report);

}  // namespace tessera::app
