// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/gallery/problem.hpp"

#include "tessera/gallery/detail/families.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera {

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_problem(const Space& exec,
                                            const GalleryParameters& parameters) {
  gallery_detail::check_parameters(parameters);
  switch (parameters.problem) {
    case ProblemKind::poisson2d:
    case ProblemKind::poisson2d9:
    case ProblemKind::poisson3d:
    case ProblemKind::poisson3d27:
      return gallery_detail::make_poisson<Scalar, Space, Offset>(exec, parameters);
    case ProblemKind::neumann2d:
    case ProblemKind::neumann3d:
      return gallery_detail::make_neumann<Scalar, Space, Offset>(exec, parameters);
    case ProblemKind::anisotropic2d:
    case ProblemKind::anisotropic3d:
      return gallery_detail::make_anisotropic<Scalar, Space, Offset>(exec, parameters);
    case ProblemKind::jump2d:
    case ProblemKind::jump3d:
      return gallery_detail::make_jump<Scalar, Space, Offset>(exec, parameters);
    case ProblemKind::convdiff2d:
    case ProblemKind::convdiff3d:
      return gallery_detail::make_convection_diffusion<Scalar, Space, Offset>(exec, parameters);
    case ProblemKind::elasticity2d:
    case ProblemKind::elasticity3d:
      return gallery_detail::make_elasticity<Scalar, Space, Offset>(exec, parameters);
    case ProblemKind::beam:
      return gallery_detail::make_beam<Scalar, Space, Offset>(exec, parameters);
    case ProblemKind::lshape:
      return gallery_detail::make_lshape<Scalar, Space, Offset>(exec, parameters);
    case ProblemKind::unstructured2d:
    case ProblemKind::unstructured3d:
      return gallery_detail::make_unstructured<Scalar, Space, Offset>(exec, parameters);
    case ProblemKind::unstructured_elasticity3d:
      return gallery_detail::make_unstructured_elasticity<Scalar, Space, Offset>(exec, parameters);
    case ProblemKind::graph:
      break;
  }
  return gallery_detail::make_graph<Scalar, Space, Offset>(exec, parameters);
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                             \
  template Problem<Scalar, Space, Offset> make_problem<Scalar, Space, Offset>( \
      const Space&, const GalleryParameters&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
