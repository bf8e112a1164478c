// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The near-nullspace of elasticity in MFEM's spaces.
#pragma once

#include <mfem.hpp>

#include <vector>

namespace tessera::mfem {

/// The rigid body modes of displacements in `space`: on each process its true degrees of freedom;
/// three vectors in two dimensions (translations, then the rotation about the origin), six in
/// three. Those of any order and basis, for the motions are projected into the space.
/// @throws Error where the space has not as many components as its mesh has dimensions, 2 or 3.
std::vector<::mfem::Vector> rigid_body_modes(::mfem::FiniteElementSpace& space);

}  // namespace tessera::mfem
