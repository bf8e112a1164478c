// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The way down a hierarchy: Algorithm 1 of the Cusp paper (Bell, Dalton & Olson, 2012).
#pragma once

#include "tessera/amg/coarsening/near_nullspace.hpp"
#include "tessera/amg/cycle/hierarchy.hpp"
#include "tessera/amg/setup/setup_level.hpp"

namespace tessera::amg {

/// Makes all levels of `hierarchy` from `finest` down, of the number `setup.first_level` on, and
/// the coarsest one's solver. `setup` knows the symmetry and the entries of the levels so far. `B`
/// becomes the coarsest level's near-nullspace. False where a number is not finite; the hierarchy
/// is as far as it got.
template <class Scalar, class Space, class Offset>
[[nodiscard]] bool descend(const Space& exec, HierarchySetup<Scalar, Space, Offset>& setup,
                           FineLevel<Scalar, Space, Offset> finest, NearNullspace<Scalar, Space>& B,
                           PhaseTimer<Space>& timer, Hierarchy<Scalar, Space>& hierarchy);

}  // namespace tessera::amg
