// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// New values of the same pattern for the levels of a hierarchy.
#pragma once

#include "tessera/amg/cycle/hierarchy.hpp"
#include "tessera/amg/setup/setup_level.hpp"

namespace tessera::amg {

/// Makes the levels of `hierarchy`, which `setup` has kept the patterns of, again for the values
/// that its finest matrix's arrays hold by now; where `keeps_interpolation`, P and R stay. False
/// where a number is not finite; the hierarchy is of no use then.
template <class Scalar, class Space, class Offset>
[[nodiscard]] bool refresh(const Space& exec, HierarchySetup<Scalar, Space, Offset>& setup,
                           bool keeps_interpolation, PhaseTimer<Space>& timer,
                           Hierarchy<Scalar, Space>& hierarchy);

}  // namespace tessera::amg
