// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/gallery/problem_rows.hpp"

#include "tessera/gallery/detail/families.hpp"
#include "tessera/kernels/error.hpp"
#include "tessera/kernels/instantiate.hpp"

#include <string>

namespace tessera {

Ordinal num_grid_rows(const GalleryParameters& parameters) {
  gallery_detail::check_parameters(parameters);
  const std::int64_t n = parameters.n;
  switch (parameters.problem) {
    case ProblemKind::poisson2d:
    case ProblemKind::poisson2d9:
    case ProblemKind::neumann2d:
    case ProblemKind::anisotropic2d:
    case ProblemKind::jump2d:
    case ProblemKind::convdiff2d:
      return gallery_detail::checked_rows(parameters, {n, n});
    case ProblemKind::poisson3d:
    case ProblemKind::poisson3d27:
    case ProblemKind::neumann3d:
    case ProblemKind::anisotropic3d:
    case ProblemKind::jump3d:
    case ProblemKind::convdiff3d:
      return gallery_detail::checked_rows(parameters, {n, n, n});
    default:
      return 0;
  }
}

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_problem_rows(const Space& exec,
                                                 const GalleryParameters& parameters,
                                                 const RowRange& range) {
  const Ordinal rows = num_grid_rows(parameters);
  require(rows > 0, [&] {
    return std::string(to_string(parameters.problem)) +
           " is on no grid of points: its rows are made together";
  });
  require(range.first >= 0 && range.count > 0 && range.count <= rows - range.first, [&] {
    return std::to_string(range.count) + " rows from " + std::to_string(range.first) +
           " on; there are " + std::to_string(rows) + ", and at least one is needed";
  });
  switch (parameters.problem) {
    case ProblemKind::neumann2d:
    case ProblemKind::neumann3d:
      return gallery_detail::make_neumann<Scalar, Space, Offset>(exec, parameters, range);
    case ProblemKind::anisotropic2d:
    case ProblemKind::anisotropic3d:
      return gallery_detail::make_anisotropic<Scalar, Space, Offset>(exec, parameters, range);
    case ProblemKind::jump2d:
    case ProblemKind::jump3d:
      return gallery_detail::make_jump<Scalar, Space, Offset>(exec, parameters, range);
    case ProblemKind::convdiff2d:
    case ProblemKind::convdiff3d:
      return gallery_detail::make_convection_diffusion<Scalar, Space, Offset>(exec, parameters,
                                                                              range);
    default:
      return gallery_detail::make_poisson<Scalar, Space, Offset>(exec, parameters, range);
  }
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                  \
  template Problem<Scalar, Space, Offset> make_problem_rows<Scalar, Space, Offset>( \
      const Space&, const GalleryParameters&, const RowRange&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
