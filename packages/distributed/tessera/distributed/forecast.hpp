// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a setup and a solve over several processes will take of this one's memory.
#pragma once

#include "tessera/distributed/solver_state.hpp"
#include "tessera/solve/memory_forecast.hpp"

namespace tessera::distributed {

/// Beside the matrix and the near-nullspace vectors that `state` has, what a setup with
/// `parameters` and a solve take on this process. All processes set up a connected piece of their
/// own rows, of about `trial_entries` entries (which each may have its own number of), as one
/// matrix without couplings between them, whose levels are gathered and moved as early as those of
/// the whole; what that took is scaled by entries, and for others' unknowns by what the process has
/// of them. Where `is_whole`, the matrix itself is set up, and the forecast is exact; both agreed
/// on. A basis of FGMRES counts in full. Collective. Waits.
template <class Space>
MemoryForecast forecast_memory(const Space& exec, const SolverState<Space>& state,
                               const Parameters& parameters, double trial_entries, bool is_whole);

}  // namespace tessera::distributed
