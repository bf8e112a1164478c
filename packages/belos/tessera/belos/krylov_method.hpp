// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which of Belos's methods a solve over several processes takes, and which parameters they know.
#pragma once

#include "tessera/solve/parameters.hpp"

#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>

#include <string>

namespace tessera::belos {

using Vectors = Tpetra::MultiVector<double>;
using Operator = Tpetra::Operator<double>;

/// Throws for a parameter that has an effect on Tessera's own methods, is set to another value than
/// its default, and would have none on Belos's. What is of speed alone ("ahead") passes. Where
/// "name" is left open, the parameter must suit CG and GMRES.
/// @throws Error of kind configuration that names the parameter, its value and what to do instead.
void require_taken(const SolverParameters& parameters);

/// Whether a preconditioner by these parameters, in which `automatic` is multigrid, is more than
/// rounding away from one linear operator: a K-cycle, another one for each vector, or a cycle in
/// less than double. GMRES has to keep what it makes of each vector then (fgmres).
bool varies(const SolveParameters& parameters);

/// What is left open becomes cg where the matrix `A` and the preconditioner `M` look symmetric and
/// A's diagonal is positive, else gmres, or fgmres where M `varies` on any process. Collective.
SolverName chosen_method(const SolverParameters& parameters, const Operator& A, const Operator& M,
                         bool varies);

/// What is to be said of a K-cycle under the method: why that was picked, where it was left open
/// (`asked`), or that one that was asked for takes the cycle for linear; else nothing. Belos's CG
/// is none that tolerates it.
std::string note_on_K_cycle(SolverName asked, SolverName method);

/// Whether A 1 = 0 to round-off relative to the diagonal, that is to so many machine epsilons of
/// it; false where A shows none. Collective.
bool has_zero_row_sums(const Operator& A, double epsilons = 64);

/// Throws `Error` of kind `configuration` where A shows a diagonal, and A 1 is not 0 to 1000
/// machine epsilons of it. Collective.
void require_constant_nullspace(const Operator& A);

}  // namespace tessera::belos
