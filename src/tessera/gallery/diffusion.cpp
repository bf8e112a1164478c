// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Stencils with coefficients: rotated anisotropy, jumps, convection.
#include <cmath>

#include "tessera/gallery/detail/checkerboard.hpp"
#include "tessera/gallery/detail/diffusivity.hpp"
#include "tessera/gallery/detail/stencil.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::gallery_detail {

/// -div(Q grad u), bilinear elements on squares. With the 1-D matrices
/// K = [-1 2 -1], M = [1 4 1] / 6 and D = [-1 0 1] / 2 it is
/// qxx K (x) M + qyy M (x) K - 2 qxy D (x) D.
struct AnisotropicStencil {
  Diffusivity Q;

  KOKKOS_INLINE_FUNCTION double diagonal(const GridPoint&) const {
    return 4.0 / 3.0 * (Q.xx + Q.yy);
  }
  KOKKOS_INLINE_FUNCTION double off_diagonal(const GridPoint&, const GridPoint& step) const {
    if (step.y == 0) return (Q.yy - 2.0 * Q.xx) / 3.0;
    if (step.x == 0) return (Q.xx - 2.0 * Q.yy) / 3.0;
    return -(Q.xx + Q.yy) / 6.0 - 0.5 * Q.xy * step.x * step.y;
  }
};

/// The same by trilinear elements on cubes: qxx K (x) M (x) M + qyy M (x) K (x) M +
/// qzz M (x) M (x) K - 2 qxy D (x) D (x) M.
struct AnisotropicStencil3d {
  Diffusivity Q;

  KOKKOS_INLINE_FUNCTION static double K(Ordinal step) { return step == 0 ? 2.0 : -1.0; }
  KOKKOS_INLINE_FUNCTION static double M(Ordinal step) { return step == 0 ? 4.0 / 6 : 1.0 / 6; }

  KOKKOS_INLINE_FUNCTION double diagonal(const GridPoint& p) const {
    return off_diagonal(p, {0, 0, 0});
  }
  KOKKOS_INLINE_FUNCTION double off_diagonal(const GridPoint&, const GridPoint& step) const {
    const double flat =
        Q.xx * K(step.x) * M(step.y) + Q.yy * M(step.x) * K(step.y) - 0.5 * Q.xy * step.x * step.y;
    return flat * M(step.z) + Q.zz * M(step.x) * M(step.y) * K(step.z);
  }
};

/// -div(a grad u) in finite volumes: the harmonic mean of the two sides on a face between points,
/// the point's own coefficient on a face at the boundary. `a` is 1 and `contrast` in a
/// checkerboard of at most 8 blocks per direction.
struct JumpStencil {
  Grid grid;
  double contrast;

  KOKKOS_INLINE_FUNCTION double coefficient(const GridPoint& p) const {
    return checkerboard(grid, p, contrast);
  }
  KOKKOS_INLINE_FUNCTION double off_diagonal(const GridPoint& p, const GridPoint& step) const {
    const GridPoint q{p.x + step.x, p.y + step.y, p.z + step.z};
    const bool inside =
        q.x >= 0 && q.x < grid.nx && q.y >= 0 && q.y < grid.ny && q.z >= 0 && q.z < grid.nz;
    const double a = coefficient(p);
    const double c = inside ? coefficient(q) : a;
    return -2.0 * a * c / (a + c);
  }
};

/// JumpStencil with the diagonal for its dimension.
template <int dimension>
struct JumpStencilOf : JumpStencil {
  KOKKOS_INLINE_FUNCTION double diagonal(const GridPoint& p) const {
    double sum = 0;
    for (Ordinal sign = -1; sign <= 1; sign += 2) {
      sum -= off_diagonal(p, {sign, 0, 0}) + off_diagonal(p, {0, sign, 0});
      if (dimension == 3) sum -= off_diagonal(p, {0, 0, sign});
    }
    return sum;
  }
};

/// -Laplace(u) + v . grad(u), times h^2, central and first-order upwind differences: an M-matrix
/// for every v. `flow` is h v, and 0 in a direction that the grid does not have.
struct ConvectionStencil {
  Kokkos::Array<double, 3> flow;
  int dimension;

  KOKKOS_INLINE_FUNCTION double diagonal(const GridPoint&) const {
    return 2.0 * dimension + Kokkos::abs(flow[0]) + Kokkos::abs(flow[1]) + Kokkos::abs(flow[2]);
  }
  KOKKOS_INLINE_FUNCTION double off_diagonal(const GridPoint&, const GridPoint& step) const {
    const double along = flow[0] * step.x + flow[1] * step.y + flow[2] * step.z;
    return along < 0 ? along - 1.0 : -1.0;
  }
};

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_anisotropic(const Space& exec,
                                                const GalleryParameters& parameters,
                                                const RowRange& range) {
  const bool flat = parameters.problem == ProblemKind::anisotropic2d;
  const Grid grid = square_grid(parameters, flat ? 2 : 3);
  const Diffusivity Q = Diffusivity::rotated(parameters.epsilon, parameters.theta);
  auto problem = flat ? assemble_scalar_problem<Scalar, Space, Offset>(
                            exec, BoxRows<AnisotropicStencil>{grid, {Q}}, range)
                      : assemble_scalar_problem<Scalar, Space, Offset>(
                            exec, BoxRows<AnisotropicStencil3d>{grid, {Q}}, range);
  problem.description = "rotated anisotropic diffusion on " + to_string(grid) +
                        " points, epsilon " + number_text(parameters.epsilon) + ", theta " +
                        number_text(parameters.theta);
  return problem;
}

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_jump(const Space& exec, const GalleryParameters& parameters,
                                         const RowRange& range) {
  const bool flat = parameters.problem == ProblemKind::jump2d;
  const Grid grid = square_grid(parameters, flat ? 2 : 3);
  const JumpStencil stencil{grid, parameters.contrast};
  auto problem = flat ? assemble_scalar_problem<Scalar, Space, Offset>(
                            exec, CrossRows<JumpStencilOf<2>>{grid, {stencil}}, range)
                      : assemble_scalar_problem<Scalar, Space, Offset>(
                            exec, CrossRows<JumpStencilOf<3>>{grid, {stencil}}, range);
  problem.description = "diffusion with jumping coefficient on " + to_string(grid) +
                        " points, contrast " + number_text(parameters.contrast);
  return problem;
}

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_convection_diffusion(const Space& exec,
                                                         const GalleryParameters& parameters,
                                                         const RowRange& range) {
  const int dimension = parameters.problem == ProblemKind::convdiff2d ? 2 : 3;
  const Grid grid = square_grid(parameters, dimension);
  const double speed = parameters.peclet / (parameters.n + 1.0);
  // In 3D the flow climbs at 45 degrees out of the x-y plane.
  const double plane = dimension == 2 ? speed : speed / std::sqrt(2.0);
  const ConvectionStencil stencil{
      {plane * std::cos(parameters.theta), plane * std::sin(parameters.theta),
       dimension == 2 ? 0.0 : plane},
      dimension};
  auto problem = assemble_scalar_problem<Scalar, Space, Offset>(
      exec, CrossRows<ConvectionStencil>{grid, stencil}, range);
  problem.symmetric = parameters.peclet == 0.0;
  problem.positive_definite = problem.symmetric;
  problem.description = "upwind convection-diffusion on " + to_string(grid) +
                        " points, Peclet number " + number_text(parameters.peclet);
  return problem;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_anisotropic)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_jump)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_convection_diffusion)

}  // namespace tessera::gallery_detail
