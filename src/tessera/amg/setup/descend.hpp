// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The way down a hierarchy: Algorithm 1 of the Cusp paper.
#pragma once

#include "tessera/amg/cycle/hierarchy.hpp"
#include "tessera/amg/setup/hierarchy_setup.hpp"

namespace tessera::amg {

/// Makes all levels of `hierarchy` from `fine` down, of the number `setup.first_level` on, and the
/// coarsest one's solver. `B` becomes the coarsest level's near-nullspace. False where a number is
/// not finite; the hierarchy is as far as it got.
template <class Scalar, class Space, class Offset>
[[nodiscard]] bool descend(const Space& exec, HierarchySetup<Scalar, Space, Offset>& setup,
                           FineLevel<Scalar, Space, Offset> fine, NearNullspace<Scalar, Space>& B,
                           CoarseningState& state, PhaseTimer<Space>& timer,
                           Hierarchy<Scalar, Space>& hierarchy);

}  // namespace tessera::amg
