// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Linear elasticity by linear elements on an irregular mesh of tetrahedra, clamped all around.
#include "tessera/gallery/detail/unstructured_rows.hpp"
#include "tessera/gallery/rigid_body_modes.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::gallery_detail {

/// Row generator: three unknowns a vertex, full 3 by 3 blocks.
template <class Space>
struct TetrahedralElasticityRows {
  static constexpr int dim = 3;
  using Vertices = UnstructuredRows<dim, Space>;

  Vertices vertices;
  double lambda, mu;

  KOKKOS_INLINE_FUNCTION Ordinal num_rows() const { return dim * vertices.num_rows(); }
  KOKKOS_INLINE_FUNCTION std::int64_t row_length(Ordinal row) const {
    return dim * vertices.row_length(row / dim);
  }

  template <class Writer>
  KOKKOS_INLINE_FUNCTION void fill(Ordinal row, Writer& out) const {
    const GridPoint p = vertices.point(row / dim);
    const int component = row % dim;
    double sum[Vertices::kBox][dim] = {};
    vertices.for_each_element(p, [&](const GridPoint& cell, const Simplex<dim>& simplex, int own) {
      const LinearElement<dim> e = vertices.element(cell, simplex);
      for (int j = 0; j <= dim; ++j) {
        const GridPoint q = vertices.mesh.corner(cell, simplex.corner[j]);
        double* const block = sum[Vertices::in_box(p, q)];
        for (int d = 0; d < dim; ++d)
          block[d] += e.elastic(lambda, mu, own, component, j, d);
      }
    });
    vertices.for_each_sorted(p, vertices.coupled(p), [&](Ordinal number, int i) {
      for (int d = 0; d < dim; ++d)
        out(number * dim + d, sum[i][d]);
    });
  }
};

/// A unit force downwards along z where the grid's edges have length 1; the vertices' places in the
/// unit cube.
template <class Scalar, class Space>
void fill_elastic_vectors(const Space& exec, const UnstructuredRows<3, Space>& vertices,
                          const MultiVectorView<Scalar, Space>& b,
                          const MultiVectorView<Scalar, Space>& coordinates) {
  const double h = 1.0 / (vertices.mesh.n + 1.0);
  Kokkos::parallel_for(
      "tessera::gallery::elastic_vectors",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, vertices.num_rows()),
      KOKKOS_LAMBDA(const Ordinal v) {
        const GridPoint p = vertices.point(v);
        double x[3];
        vertices.mesh.place(p, x);
        for (int d = 0; d < 3; ++d) {
          b(3 * v + d, 0) = static_cast<Scalar>(d == 2 ? -vertices.load(p) : 0.0);
          coordinates(v, d) = static_cast<Scalar>(h * x[d]);
        }
      });
}

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_unstructured_elasticity(const Space& exec,
                                                            const GalleryParameters& parameters) {
  const Ordinal n = parameters.n;
  const auto num_rows = static_cast<std::size_t>(checked_rows(parameters, {3, n, n, n}));
  const Grid grid = square_grid(parameters, 3);
  const SimplexMesh<3> mesh{n, static_cast<std::uint64_t>(parameters.seed)};
  const auto numbers = number_vertices(exec, mesh);
  const UnstructuredRows<3, Space> vertices{mesh, {}, numbers.number, numbers.vertex};
  const double nu = parameters.poisson_ratio;  // Young's modulus is 1
  const TetrahedralElasticityRows<Space> rows{vertices, nu / ((1.0 + nu) * (1.0 - 2.0 * nu)),
                                              0.5 / (1.0 + nu)};
  Problem<Scalar, Space, Offset> problem;
  problem.A = assemble<Scalar, Space, Offset>(exec, rows);
  problem.b = allocate_multivector<Scalar>(exec, "tessera::gallery::b", num_rows);
  problem.coordinates =
      allocate_multivector<Scalar>(exec, "tessera::gallery::coordinates", num_rows / 3, 3);
  fill_elastic_vectors<Scalar, Space>(exec, vertices, problem.b, problem.coordinates);
  problem.near_nullspace = rigid_body_modes<Scalar, Space>(exec, problem.coordinates);
  problem.block_size = 3;
  problem.description = "linear elasticity on an irregular mesh of tetrahedra, " + to_string(grid) +
                        " vertices, Poisson ratio " + number_text(nu);
  return problem;
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) \
  TESSERA_INSTANTIATE_FAMILY(make_unstructured_elasticity, Scalar, Space, Offset)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::gallery_detail
