// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What Tessera's solvers of Belos can be told.
#pragma once

#include "tessera/belos/solver_kind.hpp"
#include "tessera/tpetra/parameters.hpp"

#include <Teuchos_ParameterList.hpp>

namespace tessera::belos {

/// Tessera's own parameters, and those by which programs speak to any solver of Belos.
struct Parameters {
  tpetra::Parameters tessera;
  int verbosity = 0;  ///< "Verbosity": a sum of `Belos::MsgType`
  int output_frequency = -1;  ///< "Output Frequency": lines every so many iterations; -1: none
};

/// Those of a list, which has Tessera's names (tpetra/parameter_list.hpp) and of Belos's
/// "Convergence Tolerance" (solver.tolerance), "Maximum Iterations" (solver.max_iterations), "Num
/// Blocks" (solver.gmres.restart), "Verbosity" and "Output Frequency"; "Output Style" and "Timer
/// Label" change nothing. By default "apply" is "solve" and "precision" is "auto".
///
/// Of a solver in one kernel "solver.name" and "solver.single_kernel" are what its name says, and
/// "preconditioner" is "none" by default: what has to be picked from the matrix may be what no
/// kernel holds.
/// @throws Error of kind configuration as `tpetra::set_from_parameter_list`, and where a solver in
///         one kernel is told what cannot be one: it names the parameter, its value and those that
///         can.
Parameters parameters_from(const Teuchos::ParameterList& list,
                           SolverKind kind = SolverKind::tessera);

/// All of them with defaults, meanings and validators.
Teuchos::ParameterList valid_parameters(SolverKind kind = SolverKind::tessera);

}  // namespace tessera::belos
