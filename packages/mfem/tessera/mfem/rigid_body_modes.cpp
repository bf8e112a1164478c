// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/mfem/rigid_body_modes.hpp"

#include "tessera/operator/error.hpp"

#include <string>

namespace tessera::mfem {
namespace {

/// Motion m of the point x: a translation, or a rotation in the plane of two axes.
void rigid_motion(int m, const ::mfem::Vector& x, ::mfem::Vector& u) {
  u = 0.0;
  const int dimension = u.Size();
  if (m < dimension) {
    u(m) = 1;
    return;
  }
  const int turned = m - dimension;  // in the planes (0, 1), (1, 2) and (2, 0)
  const int first = turned % dimension;
  const int second = (turned + 1) % dimension;
  u(first) = -x(second);
  u(second) = x(first);
}

}  // namespace

std::vector<::mfem::Vector> rigid_body_modes(::mfem::FiniteElementSpace& space) {
  const int dimension = space.GetMesh()->SpaceDimension();
  require((dimension == 2 || dimension == 3) && space.GetVDim() == dimension, [&] {
    return "rigid body modes are of displacements in 2 or 3 dimensions, and the space has " +
           std::to_string(space.GetVDim()) + " components in " + std::to_string(dimension) +
           " dimensions";
  });
  std::vector<::mfem::Vector> modes;
  const int count = dimension == 2 ? 3 : 6;
  for (int m = 0; m < count; ++m) {
    ::mfem::VectorFunctionCoefficient motion(
        dimension,
        [m](const ::mfem::Vector& x, ::mfem::Vector& u) { return rigid_motion(m, x, u); });
    ::mfem::GridFunction projected(&space);
    projected.ProjectCoefficient(motion);
    projected.GetTrueDofs(modes.emplace_back());
  }
  return modes;
}

}  // namespace tessera::mfem
