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

  /// u . K v, the same bits wherever it is inlined: of a sum of products a compiler may round
  /// either one, and need not choose alike each time, so that the choice is made here.
  KOKKOS_INLINE_FUNCTION double product(const double (&u)[2], const double (&v)[2]) const {
    return in_plane(u[0], u[1], v[0], v[1], 0.0);
  }
  KOKKOS_INLINE_FUNCTION double product(const double (&u)[3], const double (&v)[3]) const {
    return in_plane(u[0], u[1], v[0], v[1], zz * (u[2] * v[2]));
  }

 private:
  /// The part of x and y, and `rest`.
  KOKKOS_INLINE_FUNCTION double in_plane(double u0, double u1, double v0, double v1,
                                         double rest) const {
    const double mixed = Kokkos::fma(u0, v1, u1 * v0);
    return Kokkos::fma(xx, u0 * v0, Kokkos::fma(yy, u1 * v1, Kokkos::fma(xy, mixed, rest)));
  }
};

}  // namespace tessera::gallery_detail
