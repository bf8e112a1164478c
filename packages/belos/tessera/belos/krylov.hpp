// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A solve by one of Belos's methods that ends as Tessera's own do.
#pragma once

#include "tessera/belos/krylov_method.hpp"
#include "tessera/operator/solve_result.hpp"

#include <Teuchos_RCP.hpp>

namespace tessera::belos {

/// What Belos prints on the way.
struct KrylovOutput {
  int verbosity = 0;  ///< a sum of `Belos::MsgType`
  int frequency = -1;  ///< a line every so many iterations; -1: none
};

/// Solves A x = b from the guess in `x`, by `method`, which is not `automatic`, with the
/// preconditioner M from the right.
///
/// Belos stops where the residual that its method carries along is small enough. Here each
/// right-hand side has converged where b - A x itself meets the tolerance. Where it does not, the
/// method is started again from x, unless that gained less than half of the residual or "verify" is
/// off: then it has stagnated. Several right-hand sides go through CG and BiCGSTAB together, and
/// are gone on with one by one where that fails; GMRES and the fixed point iteration take one after
/// the other. What Belos throws where a divisor vanishes becomes the status `breakdown`; x is the
/// best iterate that is known.
///
/// b has any magnitude, as in `KrylovSolver::solve`: columns outside 2^±32 are solved for after a
/// power of two was taken out of each, and `converged` speaks of the x that is returned.
///
/// A constant nullspace is projected out, where "nullspace" is "constant", or "auto" and A looks
/// symmetric and its rows sum to zero. At the time limit GMRES keeps what its restarts have
/// reached. The history is CG's, which shows its residuals from outside. Times are those of the
/// slowest process. Collective.
SolveResult solve_by_belos(const Teuchos::RCP<const Operator>& A,
                           const Teuchos::RCP<const Operator>& M,
                           const SolverParameters& parameters, SolverName method, const Vectors& b,
                           Vectors& x, const KrylovOutput& output = {});

}  // namespace tessera::belos
