// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// From what is known of a matrix to the parameters that the user left open: `Solver` follows it,
/// and `tessera info` recommends by it. The values that choices go by are in selection_rules.hpp.
#pragma once

#include "tessera/direct/sparse_direct.hpp"
#include "tessera/solve/inspect.hpp"
#include "tessera/solve/parameters.hpp"

#include <string>
#include <vector>

namespace tessera {

/// True where multigrid in float suits a matrix in double, if it has `rules::min_rows_for_float`:
/// its diagonal is of one sign, within `rules::max_span_for_float`, and far enough from the ends of
/// float's range for products of three.
bool suits_float(const MatrixFacts& facts);

/// Whether the whole matrix times one power of two is what equilibration comes to: its diagonal's
/// span fits the scalars that `p` asks for, and its magnitude alone does not. Then the solve is
/// that of the same matrix at magnitude one, to the bit.
bool one_power_of_two_does(const SolveParameters& p, const MatrixFacts& facts);

/// Whether a multigrid's cycle is linear to less than double's round-off alone: its vectors are in
/// float or half on some level. GMRES, preconditioned from the right, ends with M(V y), one
/// application to what it has combined, where it has seen those to each vector; the two differ by
/// that round-off, and a solve to less wants another cycle. convdiff2d with 120 x 120 points takes
/// 26 iterations to 1e-8, with the preconditioned vectors kept (fgmres) 19, as in double.
bool rounds_vectors(const SolveParameters& p);

/// True where the preconditioner of `p` is symmetric to less than the vectors' round-off, or
/// another one for each right-hand side: CG has to tolerate that then.
bool needs_flexible_cg(const SolveParameters& p);

/// True where dividing by the diagonal is tried before anything is built: most rows are decided by
/// it, or, on a host, degrees follow a power law. Some tens of iterations, each as cheap as can be,
/// then solve what no hierarchy would solve sooner, and where they do not, the rate of the first
/// ones tells.
bool diagonal_may_do(const SolveParameters& p, const MatrixFacts& facts);

/// True where incomplete factors are tried on a host before anything is built: those of cells that
/// a flow couples in one direction are nearly exact.
bool incomplete_factors_may_do(const SolveParameters& p, const MatrixFacts& facts);

/// Either.
bool one_level_may_do(const SolveParameters& p, const MatrixFacts& facts);

/// True where multigrid on a host smooths with incomplete factors: they follow a flow, which Jacobi
/// does not, and are as good on couplings of both signs, as discontinuous elements have. Not beside
/// a diagonal of zeros or both signs.
bool smooths_by_factors(const MatrixFacts& facts);

/// True where full blocks of rows are cells, as of discontinuous elements, whose unknowns are
/// values of one function: multigrid joins them like those of different cells.
bool has_cells(const MatrixFacts& facts);

/// The same, with nothing of nodes about them, whose unknowns may be coupled with each other more
/// than with their likes: their incomplete factors are no worse than multigrid's smoothers.
bool has_plain_cells(const MatrixFacts& facts);

/// True where multigrid on a device smooths with the inverses of full blocks: with couplings of
/// both signs, as discontinuous elements have, where a host would take incomplete factors.
bool smooths_by_blocks(const MatrixFacts& facts);

/// True where nothing that was asked for names a coarsening, or a parameter of smoothed
/// aggregation.
bool coarsening_is_open(const amg::Parameters& asked);

/// True where a factorisation may be cheaper than multigrid, or safer, so that its cost is worth
/// estimating: on a host, a matrix of not too many rows that is no M-matrix. `has_vectors`:
/// near-nullspace vectors were given, with which multigrid knows what to do; `block_size`: unknowns
/// per node.
bool may_pay_directly(const SolveParameters& p, const MatrixFacts& facts, bool has_vectors,
                      int block_size);

/// A parameter that was left open, and what it became.
struct Selection {
  std::string setting;  ///< as a user would have set it, e.g. "solver.name=cg"; empty: a warning
  std::string what;  ///< in words, e.g. "solver cg"
  std::string why;

  std::string note() const { return what + ": " + why; }
};

/// Fills in what `p` leaves open for a matrix with these facts, and returns notes on
/// it. `matrix_is_double`: float inside is a choice at all; `block_size`: unknowns per node;
/// `lacks_vectors`: these are coupled, and no near-nullspace vectors are known; `direct`: what
/// factors would take, null where that is not a choice.
std::vector<Selection> select_parameters(SolveParameters& p, const MatrixFacts& facts,
                                         bool matrix_is_double, int block_size,
                                         bool lacks_vectors = false,
                                         const direct::Cost* direct = nullptr);

}  // namespace tessera
