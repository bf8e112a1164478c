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

/// In a setup: makes the factors that were asked for, or those that are estimated to be cheaper
/// than multigrid where that does not suit the matrix. Collective.
/// @throws Error of kind `configuration` where those asked for cannot be had.
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
