// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The rotated anisotropic tensor that problems on grids and on irregular meshes share.
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>

namespace tessera::gallery_detail {

/// A constant symmetric diffusion tensor in which z is coupled with neither x nor y.
struct Diffusivity {
  double xx, yy, zz, xy;

  /// Eigenvalue 1 along the direction `theta` in the x-y plane, `epsilon` across it.
  static Diffusivity rotated(double epsilon, double theta) {
    const double c = std::cos(theta);
    const double s = std::sin(theta);
    return {c * c + epsilon * s * s, s * s + epsilon * c * c, epsilon, (1.0 - epsilon) * c * s};
  }

  /// u . K v
  KOKKOS_INLINE_FUNCTION double product(const double (&u)[2], const double (&v)[2]) const {
    return xx * (u[0] * v[0]) + yy * (u[1] * v[1]) + xy * (u[0] * v[1] + u[1] * v[0]);
  }
  KOKKOS_INLINE_FUNCTION double product(const double (&u)[3], const double (&v)[3]) const {
    return xx * (u[0] * v[0]) + yy * (u[1] * v[1]) + zz * (u[2] * v[2]) +
           xy * (u[0] * v[1] + u[1] * v[0]);
  }
};

}  // namespace tessera::gallery_detail
