// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whether multigrid is to be made of a scaled matrix for its rate's sake.
#pragma once

#include "tessera/solve/component_nullspace.hpp"

namespace tessera::detail {

/// Finds the factors of `equilibration=unit_diagonal` for a system of one unknown per node, whose
/// near-nullspace nobody gave: where that is asked for, and where it is left open and pays. Sets
/// `system.scaling` and what the facts have of it.
template <class Scalar, class Space, class Offset>
void look_for_scaling(const Space& exec, LinearSystem<Scalar, Space, Offset>& system);

}  // namespace tessera::detail
