// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The near null space of elasticity.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera {

/// The rigid body modes of nodes at `coordinates` (nodes by dimension, dimension 2 or 3), for
/// displacements stored node by node: dimension * nodes rows; 3 columns in 2D (two translations,
/// the rotation), 6 in 3D (three translations, the rotations about x, y and z). The rotations turn
/// about the middle of the nodes' bounding box, which keeps the columns well conditioned.
template <class Scalar, class Space>
MultiVector<Scalar, Space> rigid_body_modes(
    const Space& exec, const NonDeduced<ConstMultiVectorView<Scalar, Space>>& coordinates);

}  // namespace tessera
