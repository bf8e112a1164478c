// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The change of precision inside a hierarchy: levels in float below those in double.
#pragma once

#include "tessera/amg/coarsening/near_nullspace.hpp"
#include "tessera/amg/cycle/hierarchy.hpp"
#include "tessera/amg/setup/setup_level.hpp"

#include <optional>

namespace tessera::amg {

/// Makes the levels from the last one of `setup.levels` down in float, where those above are in
/// double and the choice for that level has its vectors in float: `chosen` or, without that, what
/// the user's list chooses. False where it does not and, with a note, where float does not hold
/// them.
template <class Scalar, class Space, class Offset>
[[nodiscard]] bool descend_in_float(const Space& exec, HierarchySetup<Scalar, Space, Offset>& setup,
                                    const std::optional<LevelParameters>& chosen,
                                    const NearNullspace<Scalar, Space>& B, PhaseTimer<Space>& timer,
                                    Hierarchy<Scalar, Space>& hierarchy);

/// The levels in float again, of the last operator in double. False where float does not hold them.
template <class Scalar, class Space, class Offset>
[[nodiscard]] bool refresh_in_float(const Space& exec, HierarchySetup<Scalar, Space, Offset>& setup,
                                    bool keeps_interpolation, PhaseTimer<Space>& timer,
                                    Hierarchy<Scalar, Space>& hierarchy);

}  // namespace tessera::amg
