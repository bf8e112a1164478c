// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/gallery/problem_rows.hpp"

#include "tessera/gallery/detail/families.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <string>

namespace tessera {

Ordinal num_problem_rows(const GalleryParameters& parameters) {
  gallery_detail::check_parameters(parameters);
  const std::int64_t n = parameters.n;
  const std::int64_t side = (std::int64_t{1} << parameters.refine) * parameters.order;
  switch (parameters.problem) {
    case ProblemKind::poisson2d:
    case ProblemKind::poisson2d9:
    case ProblemKind::neumann2d:
    case ProblemKind::anisotropic2d:
    case ProblemKind::jump2d:
    case ProblemKind::convdiff2d:
    case ProblemKind::unstructured2d:
    case ProblemKind::graph:
      return gallery_detail::checked_rows(parameters, {n, n});
    case ProblemKind::poisson3d:
    case ProblemKind::poisson3d27:
    case ProblemKind::neumann3d:
    case ProblemKind::anisotropic3d:
    case ProblemKind::jump3d:
    case ProblemKind::convdiff3d:
    case ProblemKind::unstructured3d:
      return gallery_detail::checked_rows(parameters, {n, n, n});
    case ProblemKind::unstructured_elasticity3d:
      return gallery_detail::checked_rows(parameters, {3, n, n, n});
    case ProblemKind::elasticity2d:
      return gallery_detail::checked_rows(parameters, {2, n, n + 1});
    case ProblemKind::elasticity3d:
      return gallery_detail::checked_rows(parameters, {3, n, n + 1, n + 1});
    case ProblemKind::beam:
      return gallery_detail::checked_rows(parameters, {8 * side + 1, side + 1, side + 1});
    case ProblemKind::lshape:
      break;
  }
  // (2 side + 1) (side + 1) + (side + 1) side
  return gallery_detail::checked_rows(parameters, {3 * side + 1, side + 1});
}

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_problem_rows(const Space& exec,
                                                 const GalleryParameters& parameters,
                                                 const RowRange& asked) {
  const Ordinal rows = num_problem_rows(parameters);
  require(asked.first >= 0 && asked.first <= rows && asked.count <= rows - asked.first, [&] {
    return (asked.count < 0 ? "the rows" : std::to_string(asked.count) + " rows") + " from " +
           std::to_string(asked.first) + " on; there are " + std::to_string(rows);
  });
  const RowRange range{asked.first, asked.count < 0 ? rows - asked.first : asked.count};
  switch (parameters.problem) {
    case ProblemKind::poisson2d:
    case ProblemKind::poisson2d9:
    case ProblemKind::poisson3d:
    case ProblemKind::poisson3d27:
      return gallery_detail::make_poisson<Scalar, Space, Offset>(exec, parameters, range);
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
    case ProblemKind::elasticity2d:
    case ProblemKind::elasticity3d:
      return gallery_detail::make_elasticity<Scalar, Space, Offset>(exec, parameters, range);
    case ProblemKind::beam:
      return gallery_detail::make_beam<Scalar, Space, Offset>(exec, parameters, range);
    case ProblemKind::lshape:
      return gallery_detail::make_lshape<Scalar, Space, Offset>(exec, parameters, range);
    case ProblemKind::unstructured2d:
    case ProblemKind::unstructured3d:
      return gallery_detail::make_unstructured<Scalar, Space, Offset>(exec, parameters, range);
    case ProblemKind::unstructured_elasticity3d:
      return gallery_detail::make_unstructured_elasticity<Scalar, Space, Offset>(exec, parameters,
                                                                                 range);
    case ProblemKind::graph:
      break;
  }
  return gallery_detail::make_graph<Scalar, Space, Offset>(exec, parameters, range);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_problem_rows)

}  // namespace tessera
