// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The change of precision inside a hierarchy: levels in float below those in double.
#pragma once

#include "tessera/amg/cycle/hierarchy.hpp"
#include "tessera/amg/setup/hierarchy_setup.hpp"

#include <optional>
#include <type_traits>

namespace tessera::amg {

/// Whether `chosen` has the level's vectors in float where those above are in double.
template <class Scalar>
bool goes_to_float(const LevelParameters& chosen) {
  return std::is_same_v<Scalar, double> && chosen.vectors == VectorScalar::float32;
}

/// Makes the levels from the last one of `setup.levels` down in float, the first of them as
/// `chosen` where that was asked for already. False, and a note, where float does not hold them.
template <class Scalar, class Space, class Offset>
[[nodiscard]] bool descend_in_float(const Space& exec, HierarchySetup<Scalar, Space, Offset>& setup,
                                    const std::optional<LevelParameters>& chosen,
                                    const NearNullspace<Scalar, Space>& B,
                                    const CoarseningState& state, PhaseTimer<Space>& timer,
                                    Hierarchy<Scalar, Space>& hierarchy);

/// The levels in float again, of the last operator in double. False where float does not hold them.
template <class Scalar, class Space, class Offset>
[[nodiscard]] bool refresh_in_float(const Space& exec, HierarchySetup<Scalar, Space, Offset>& setup,
                                    bool keeps_interpolation, PhaseTimer<Space>& timer,
                                    Hierarchy<Scalar, Space>& hierarchy);

}  // namespace tessera::amg
