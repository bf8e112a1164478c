// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The end of a hierarchy: its coarsest level is solved, or relaxed.
#pragma once

#include "tessera/amg/coarsening/near_nullspace.hpp"
#include "tessera/amg/cycle/hierarchy.hpp"
#include "tessera/amg/setup/hierarchy_setup.hpp"

namespace tessera::amg {

/// Ends the hierarchy with the last of `setup.levels`, which has near-nullspace vectors `B`: solved
/// or, where its diagonal decides it, it is too large or `coarse_sweeps` says so, relaxed.
/// `is_relaxed_level`: it has a smoother already. False where a number is not finite.
template <class Scalar, class Space, class Offset>
[[nodiscard]] bool end_hierarchy(const Space& exec, HierarchySetup<Scalar, Space, Offset>& setup,
                                 const NearNullspace<Scalar, Space>& B, bool is_relaxed_level,
                                 PhaseTimer<Space>& timer, Hierarchy<Scalar, Space>& hierarchy);

/// Makes the solver of the coarsest level for the values it has by now. False where there is none.
template <class Scalar, class Space, class Offset>
[[nodiscard]] bool solve_coarsest(const Space& exec,
                                  const HierarchySetup<Scalar, Space, Offset>& setup,
                                  PhaseTimer<Space>& timer, Hierarchy<Scalar, Space>& hierarchy);

}  // namespace tessera::amg
