// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A solve by Belos with the command's parameters.
#pragma once

#include "app_tpetra/system.hpp"
#include "tessera/core/solve_result.hpp"
#include "tessera/solver/solver_parameters.hpp"

#include <string>

namespace tessera::app_tpetra {

/// "cg", "gmres", ...: what is open becomes cg for a `symmetric` system, else gmres.
SolverName chosen_method(const SolverParameters& parameters, bool symmetric);

/// Solves from the guess zero. The history is that of cg and gmres, which show their residuals from
/// outside. Times are those of the slowest process. Collective.
SolveResult solve_by_belos(const System& system, const Teuchos::RCP<Operator>& M,
                           const SolverParameters& parameters, SolverName method, Vectors& x);

}  // namespace tessera::app_tpetra
