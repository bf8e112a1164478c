// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a setup and a solve over several processes will take of this one's memory.
#pragma once

#include "tessera/distributed/solver_state.hpp"
#include "tessera/solve/memory_forecast.hpp"

namespace tessera::distributed {

/// Whether a setup with `parameters` takes sparse factors that nobody asked for. Gathers and orders
/// the matrix where they may pay. Collective.
/// @throws MemoryLimitExceeded, or on several processes Error of kind `out_of_memory`, where a
/// limit
///         of memory leaves no room for that.
template <class Space>
bool picks_factors(const Space& exec, const SolverState<Space>& state,
                   const Parameters& parameters);

/// Beside the matrix and the near-nullspace vectors that `state` has, what a setup with
/// `parameters` and a solve take on this process. Where that is by sparse factors, which were asked
/// for or are picked, the matrix is gathered and ordered, and factors count by what that estimates.
/// Elsewhere all processes set up a connected piece of their
/// own rows, of about `trial_entries` entries (which each may have its own number of), as one
/// matrix without couplings between them, whose levels are gathered and moved as early as those of
/// the whole; what that took is scaled by entries, and for others' unknowns by what the process has
/// of them. Where `is_whole`, the matrix itself is set up, and the forecast is exact; both agreed
/// on. A basis of FGMRES counts in full, but for the few steps that factors leave of it.
/// Collective. Waits.
/// @throws as `picks_factors` does, or where the factors that were asked for cannot be had
template <class Space>
MemoryForecast forecast_memory(const Space& exec, const SolverState<Space>& state,
                               const Parameters& parameters, double trial_entries, bool is_whole);

}  // namespace tessera::distributed
