// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The turn of a solve from multigrid to sparse factors, as far as a limit of memory has room.
#pragma once

#include "tessera/distributed/factors_choice.hpp"
#include "tessera/distributed/solver_state.hpp"

#include <cstddef>
#include <string>

namespace tessera::distributed {

/// What factors would take, where a solve for so many right-hand sides may turn to them; else null.
/// A limit of memory has to leave room for them, and for a solve by them, beside all that the
/// solver has. Where it does not, they are no choice any more, and a note says so. Collective.
template <class Space>
const direct::Cost* cost_of_turn(const Space& exec, SolverState<Space>& state, std::size_t columns);

/// Makes factors and frees multigrid; `why` is for the notes. False, with multigrid as it was,
/// where there are no factors, or a limit of memory has no room for them after all. Collective.
template <class Space>
bool turn_to_factors(const Space& exec, SolverState<Space>& state, const std::string& why);

}  // namespace tessera::distributed
