// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One step of coarsening, as the hierarchy takes it.
#pragma once

#include "tessera/amg/coarsening/near_nullspace.hpp"
#include "tessera/amg/cycle/hierarchy_info.hpp"
#include "tessera/amg/cycle/level.hpp"
#include "tessera/amg/setup/hierarchy_setup.hpp"

#include <string>
#include <vector>

namespace tessera::amg {

/// Gives the level the coarsening that was chosen for it.
template <class Scalar, class Space, class Offset>
void choose_coarsening(const HierarchySetup<Scalar, Space, Offset>& setup,
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

}  // namespace tessera::amg
