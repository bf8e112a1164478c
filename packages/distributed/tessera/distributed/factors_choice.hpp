// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse factors of the whole matrix as a choice over several processes.
#pragma once

#include "tessera/distributed/solver_state.hpp"
#include "tessera/solve/inspect.hpp"

#include <string>

namespace tessera::distributed {

/// Whether factors may be taken that nobody asked for: on a host, as on one process, of a matrix
/// that one may have. The same on all processes.
template <class Space>
bool may_factor(const SolverState<Space>& state);

/// The steps of GMRES by factors that a forecast of memory has the basis of, and a limit of it the
/// solve: an iteration or two are what they leave. Another restart than that by default stays.
inline int restart_by_factors(const SolverParameters& p) {
  constexpr int few_steps = 3;
  return p.gmres.restart == SolverParameters().gmres.restart ? few_steps : p.gmres.restart;
}

/// In a setup: makes the factors that were asked for, or those that are estimated to be cheaper
/// than multigrid where that does not suit the matrix. Where the state's `counts_factors`, they are
/// counted and not made. Collective.
/// @throws Error of kind `configuration` where those asked for cannot be had.
/// @throws MemoryLimitExceeded, or on several processes Error of kind `out_of_memory`, where a
/// limit
///         of memory leaves the first process no room for the rows of all, before they are sent, or
///         for factors.
template <class Space>
void choose_factors(const Space& exec, SolverState<Space>& state);

/// What factors would take; null where they are no choice. Gathers and orders A the first time.
/// Collective.
template <class Space>
const direct::Cost* factors_cost(const Space& exec, SolverState<Space>& state);

/// In place of the preconditioner of before; `why` is for the notes. False, with all as it was,
/// where there are no factors. Collective.
template <class Space>
bool take_factors(const Space& exec, SolverState<Space>& state, const std::string& why);

}  // namespace tessera::distributed
