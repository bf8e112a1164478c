// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The steps of `select_parameters`, each for a group of parameters, in the order in which they are
/// taken: later ones go by what earlier ones have filled in.
#pragma once

#include "tessera/solve/select.hpp"

#include <string>
#include <vector>

namespace tessera::detail {

bool diagonal_of_one_sign(const MatrixFacts& facts);
/// On a host, near an M-matrix, with so many long rows as graphs have whose degrees follow a power
/// law.
bool is_uneven_graph(const MatrixFacts& facts);
/// What is said of one.
std::string why_uneven_graph(const MatrixFacts& facts);

/// `direct`: what factors would take, null where that is not a choice.
void select_preconditioner(SolveParameters& p, const MatrixFacts& facts, const direct::Cost* direct,
                           std::vector<Selection>& selections);
/// Returns the facts of what multigrid is made from: `facts`, or those of the matrix once scaled.
MatrixFacts select_scaling(SolveParameters& p, const MatrixFacts& facts,
                           std::vector<Selection>& selections);
void select_precision(SolveParameters& p, const MatrixFacts& facts, bool matrix_is_double,
                      std::vector<Selection>& selections);
void select_equilibration(SolveParameters& p, const MatrixFacts& facts, bool matrix_is_double,
                          std::vector<Selection>& selections);
/// Which coarsening, and what the next one would have been.
void select_coarsening(SolveParameters& p, const MatrixFacts& facts, int block_size,
                       std::vector<Selection>& selections);
/// What goes with a reduction multigrid: a solver for a cycle that is not symmetric, where the
/// solver was left open (`asked`), and room for its operators.
void select_for_reduction(SolveParameters& p, SolverName asked, std::vector<Selection>& selections);
/// Fills `p.amg` in whatever the preconditioner, and speaks of it where that is multigrid.
void select_multigrid(SolveParameters& p, const MatrixFacts& facts, int block_size,
                      bool lacks_vectors, std::vector<Selection>& selections);

}  // namespace tessera::detail
