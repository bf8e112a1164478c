// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Setups and updates by rows in two parts, whose arrays a solver shares.
#pragma once

#include "tessera/distributed/rows_in_parts.hpp"
#include "tessera/distributed/solver_state.hpp"

namespace tessera::distributed {

/// As `Solver::setup_parts`. Collective.
template <class Space>
void set_up_parts(const Space& exec, SolverState<Space>& state, const RowsInParts<Space>& rows,
                  const NonDeduced<ConstMultiVectorView<double, Space>>& near_nullspace);

/// As `Solver::update_parts`. Collective.
template <class Space>
void take_parts(const Space& exec, SolverState<Space>& state, const RowsInParts<Space>& rows);

/// As `Solver::shares_exports`.
template <class Space>
bool shares_exports(const SolverState<Space>& state);

/// As `Solver::move_exports`.
template <class Space>
void move_exports(SolverState<Space>& state, const HostArray<Ordinal>& exports);

/// As `Solver::has_pattern`.
template <class Space>
bool has_pattern(const Space& exec, const SolverState<Space>& state,
                 const RowsInParts<Space>& rows);

/// Before levels are made again of a matrix that was given in parts: whole rows. Collective.
template <class Space>
void join_again(const Space& exec, SolverState<Space>& state);

}  // namespace tessera::distributed
