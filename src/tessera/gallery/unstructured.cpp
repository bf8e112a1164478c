// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Anisotropic diffusion by linear elements on irregular meshes of triangles and tetrahedra.
#include "tessera/gallery/detail/unstructured_rows.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::gallery_detail {

/// b = the load of the constant source 1 where the grid's edges have length 1; the vertices' places
/// in the unit square or cube; from row `first` on.
template <int dim, class Scalar, class Space>
void fill_unstructured_vectors(const Space& exec, const UnstructuredRows<dim, Space>& rows,
                               Ordinal first, const MultiVectorView<Scalar, Space>& b,
                               const MultiVectorView<Scalar, Space>& coordinates) {
  const double h = 1.0 / (rows.mesh.n + 1.0);
  Kokkos::parallel_for(
      "tessera::gallery::unstructured_vectors",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, b.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i) {
        const GridPoint p = rows.point(first + i);
        double x[dim];
        rows.mesh.place(p, x);
        b(i, 0) = static_cast<Scalar>(rows.load(p));
        for (int d = 0; d < dim; ++d)
          coordinates(i, d) = static_cast<Scalar>(h * x[d]);
      });
}

template <int dim, class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_unstructured_of(const Space& exec,
                                                    const GalleryParameters& parameters,
                                                    const RowRange& range) {
  const Grid grid = square_grid(parameters, dim);
  const SimplexMesh<dim> mesh{parameters.n, static_cast<std::uint64_t>(parameters.seed)};
  const auto numbers = number_vertices(exec, mesh, range);
  const UnstructuredRows<dim, Space> rows{
      mesh, Diffusivity::rotated(parameters.epsilon, parameters.theta), numbers};
  auto problem = assemble_scalar_problem<Scalar, Space, Offset>(exec, rows, range);
  problem.coordinates =
      allocate_multivector<Scalar>(exec, "tessera::gallery::coordinates", range.count, dim);
  fill_unstructured_vectors<dim, Scalar, Space>(exec, rows, range.first, problem.b,
                                                problem.coordinates);
  problem.description = std::string("anisotropic diffusion on an irregular mesh of ") +
                        (dim == 2 ? "triangles, " : "tetrahedra, ") + to_string(grid) +
                        " vertices, epsilon " + number_text(parameters.epsilon) + ", theta " +
                        number_text(parameters.theta);
  return problem;
}

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_unstructured(const Space& exec,
                                                 const GalleryParameters& parameters,
                                                 const RowRange& range) {
  return parameters.problem == ProblemKind::unstructured2d
             ? make_unstructured_of<2, Scalar, Space, Offset>(exec, parameters, range)
             : make_unstructured_of<3, Scalar, Space, Offset>(exec, parameters, range);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_unstructured)

}  // namespace tessera::gallery_detail
