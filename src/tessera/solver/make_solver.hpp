// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The solver that the parameters name.
#pragma once

#include "tessera/solver/krylov_solver.hpp"

#include <memory>

namespace tessera {

/// Makes the solver of `parameters.name`, which must not be `automatic`: that is for
/// `tessera::Solver`, which has seen the matrix.
template <class Scalar, class Space>
std::unique_ptr<KrylovSolver<Scalar, Space>> make_solver(const SolverParameters& parameters);

}  // namespace tessera
