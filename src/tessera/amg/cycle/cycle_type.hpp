// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The shapes of a cycle.
#pragma once

#include "tessera/operator/parameter_description.hpp"

namespace tessera::amg {

/// How the coarse problem is visited.
enum class CycleType { v, w, f, k };

inline constexpr EnumName<CycleType> cycle_names[] = {
    {CycleType::v, "v", "each level once down and once up"},
    {CycleType::w, "w", "from each level twice to the next"},
    {CycleType::f, "f", "from each level once to the next by an F-cycle and once by a V-cycle"},
    {CycleType::k, "k",
     "two steps of a Krylov method on each coarse level; use with a flexible method"}};

}  // namespace tessera::amg
