// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What `Solver` goes on with where a solve with its own choices ends badly.
#pragma once

#include "tessera/direct/sparse_direct.hpp"
#include "tessera/operator/solve_result.hpp"
#include "tessera/solve/inspect.hpp"
#include "tessera/solve/parameters.hpp"

#include <optional>
#include <string>

namespace tessera {

/// A solve that ended without convergence.
struct BadSolve {
  const SolveParameters& asked;  ///< by the user: what is open there may change
  const MatrixFacts& facts;
  const SolveResult& result;
  bool slow;  ///< it was ended because more iterations are estimated than a stronger cycle needs
  const direct::Cost* direct = nullptr;  ///< of factors, null where they are no choice
  double seconds_left = 0;  ///< of a slow solve, as estimated
  bool hopeless = false;  ///< it met the iteration limit at a rate that is slow
  int further = 0;  ///< more iterations than that were estimated of a slow solve
  int block_size = 1;  ///< unknowns per node
};

/// What takes the place of a choice that failed.
struct Fallback {
  bool rebuilds;  ///< the preconditioner is another one
  std::string note;  ///< what is taken, and why
  bool selects_again = false;  ///< all that was open is chosen again, and one level not
};

/// Changes `effective` to the next choice that suits the way the solve ended, or gives nothing
/// where there is none. Each fallback is taken once, as the change that it makes rules it out.
std::optional<Fallback> next_fallback(const BadSolve& bad, SolveParameters& effective);

/// Whether a nullspace is to be looked for before anything else is tried: the matrix is symmetric,
/// and nobody said that it has none.
bool may_be_singular(const BadSolve& bad, const SolveParameters& effective);
/// Whether it may be a constant that a diagonal has scaled, which takes a solve to find. Float,
/// where it may be at fault, is left first.
bool may_have_scaled_constants(const BadSolve& bad, const SolveParameters& effective);
/// What to say of a nullspace that was found.
std::string nullspace_note(const BadSolve& bad, const std::string& found);

/// Whether a smoother that was left open became incomplete factors.
bool has_picked_ilu(const SolveParameters& asked, SolveParameters effective);

/// Whether a reduction, which wants no smoother that follows a flow, takes the place of incomplete
/// factors that fail: where `asked` leaves the coarsening open, at a flow of one unknown per node.
bool may_reduce(const amg::Parameters& asked, const MatrixFacts& facts, int block_size);
/// That coarsening, and the complexity that goes with it where none was set.
void take_reduction(amg::Parameters& p);

/// Whether one dense level is left to try: multigrid that was picked, of few enough rows, where
/// sparse factors are out of the question, as on a device.
bool may_be_one_dense_level(const SolveParameters& asked, const SolveParameters& effective,
                            const MatrixFacts& facts);

/// True while a slow solve has an answer: multigrid whose smoothers were all left open, under CG.
bool may_strengthen(const SolveParameters& asked, const SolveParameters& effective,
                    const MatrixFacts& facts);

}  // namespace tessera
