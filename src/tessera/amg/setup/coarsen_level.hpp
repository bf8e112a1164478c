// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One step from a level to the next, and the coarsest level, where the steps end.
#pragma once

#include "tessera/amg/coarsening/near_nullspace.hpp"
#include "tessera/amg/cycle/hierarchy.hpp"
#include "tessera/amg/cycle/hierarchy_info.hpp"
#include "tessera/amg/setup/setup_level.hpp"

#include <string>
#include <vector>

namespace tessera::amg {

/// Gives the level the coarsening that was chosen for it. `above`: the levels that were coarsened.
template <class Scalar, class Space, class Offset>
void choose_coarsening(const HierarchySetup<Scalar, Space, Offset>& setup,
                       const std::vector<LevelInfo>& above,
                       SetupLevel<Scalar, Space, Offset>& here);

/// Makes `here.coarse`, the way from the last of `setup.levels` to the next, by `here.coarsening`,
/// and replaces `B` by the next level's near-nullspace. False, with a note and
/// nothing made, where max_levels, a stall or max_operator_complexity end the hierarchy here.
/// @throws Error where what a coarsening made does not fit together.
template <class Scalar, class Space, class Offset>
[[nodiscard]] bool coarsen_level(const Space& exec, HierarchySetup<Scalar, Space, Offset>& setup,
                                 SetupLevel<Scalar, Space, Offset>& here,
                                 NearNullspace<Scalar, Space>& B, PhaseTimer<Space>& timer,
                                 std::vector<std::string>& notes);

/// What is told of a level from which the next one was made.
template <class Scalar, class Space, class Offset>
LevelInfo coarsened_level_info(const Level<Scalar, Space>& level,
                               const SetupLevel<Scalar, Space, Offset>& here);

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
