// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Setups and solves below a limit of memory that each process has.
#pragma once

#include "tessera/distributed/forecast.hpp"
#include "tessera/distributed/solver.hpp"

#include <cstddef>
#include <functional>

namespace tessera::distributed {

/// Makes a matrix of the rows that were given, in one form or another. Collective.
template <class Space>
using TakeRows = std::function<Numbered<Space>()>;

/// Takes the rows and sets up what was asked or, where a limit of memory is too low for it on any
/// process, the first choice of less that fits on all. Collective.
/// @throws Error of kind out_of_memory on all processes where nothing fits, which names the process
///         that needs most.
template <class Space>
void set_up(const Space& exec, SolverState<Space>& state, const NonDeduced<TakeRows<Space>>& take,
            const NonDeduced<ConstMultiVectorView<double, Space>>& near_nullspace);

/// What a setup of these rows and a solve will take of this process's memory. Collective.
template <class Space>
MemoryForecast forecast_of_setup(
    const Space& exec, const SolverState<Space>& state, const NonDeduced<TakeRows<Space>>& take,
    const NonDeduced<ConstMultiVectorView<double, Space>>& near_nullspace);

/// Before a solve for so many right-hand sides. Collective.
/// @throws Error of kind out_of_memory on all processes where one has no room for it.
template <class Space>
void require_room_for_solve(const SolverState<Space>& state, std::size_t columns);

}  // namespace tessera::distributed
