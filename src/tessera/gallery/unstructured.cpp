// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Anisotropic diffusion by linear elements on irregular meshes of triangles and tetrahedra.
#include "tessera/gallery/detail/rigid_body_motion.hpp"
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
      mesh, Diffusivity::rotated(parameters.epsilon, parameters.theta), numbers,
      parameters.mesh_contrast};
  auto problem = assemble_scalar_problem<Scalar, Space, Offset>(exec, rows, range);
  problem.coordinates =
      allocate_multivector<Scalar>(exec, "tessera::gallery::coordinates", range.count, dim);
  fill_unstructured_vectors<dim, Scalar, Space>(exec, rows, range.first, problem.b,
                                                problem.coordinates);
  problem.description = std::string("anisotropic diffusion on an irregular mesh of ") +
                        (dim == 2 ? "triangles, " : "tetrahedra, ") + to_string(grid) +
                        " vertices, epsilon " + number_text(parameters.epsilon) + ", theta " +
                        number_text(parameters.theta);
  if (parameters.mesh_contrast != 1.0)
    problem.description += ", contrast " + number_text(parameters.mesh_contrast);
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

/// Row generator: three unknowns per node, full 3 by 3 blocks.
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

/// A unit force downwards along z where the grid's edges have length 1; from row `first` on.
template <class Scalar, class Space>
void fill_elastic_load(const Space& exec, const UnstructuredRows<3, Space>& vertices, Ordinal first,
                       const MultiVectorView<Scalar, Space>& b) {
  Kokkos::parallel_for(
      "tessera::gallery::elastic_load",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, b.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i) {
        const Ordinal row = first + i;
        b(i, 0) = static_cast<Scalar>(row % 3 == 2 ? -vertices.load(vertices.point(row / 3)) : 0.0);
      });
}

/// Where vertex `p` lies along axis `d` of the unit cube.
template <class Scalar>
KOKKOS_INLINE_FUNCTION Scalar place_along(const SimplexMesh<3>& mesh, const GridPoint& p, int d) {
  double x[3];
  mesh.place(p, x);
  return static_cast<Scalar>(1.0 / (mesh.n + 1.0) * x[d]);
}

/// The vertices' places in the unit cube, from vertex `first` on.
template <class Scalar, class Space>
void fill_places(const Space& exec, const UnstructuredRows<3, Space>& vertices, Ordinal first,
                 const MultiVectorView<Scalar, Space>& coordinates) {
  Kokkos::parallel_for(
      "tessera::gallery::places",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, coordinates.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i) {
        const GridPoint p = vertices.point(first + i);
        for (int d = 0; d < 3; ++d)
          coordinates(i, d) = place_along<Scalar>(vertices.mesh, p, d);
      });
}

/// The middle of the box around all free vertices, along axis `d`. Jitter moves none of them past
/// another layer, so that the outermost are of the first layer and of the last.
template <class Scalar, class Space>
Scalar middle_along(const Space& exec, const SimplexMesh<3>& mesh, int d) {
  using MinMax = Kokkos::MinMax<Scalar>;
  typename MinMax::value_type range;
  const Ordinal n = mesh.n;
  Kokkos::parallel_reduce(
      "tessera::gallery::middle",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, 2 * n * n),
      KOKKOS_LAMBDA(const Ordinal i, typename MinMax::value_type& update) {
        const Ordinal layer = i % 2 == 0 ? 0 : n - 1;
        const Ordinal u = i / 2 % n;
        const Ordinal v = i / 2 / n;
        const GridPoint p = d == 0   ? GridPoint{layer, u, v}
                            : d == 1 ? GridPoint{u, layer, v}
                                     : GridPoint{u, v, layer};
        const Scalar x = place_along<Scalar>(mesh, p, d);
        if (x < update.min_val) update.min_val = x;
        if (x > update.max_val) update.max_val = x;
      },
      MinMax(range));
  return (range.min_val + range.max_val) / 2;
}

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_unstructured_elasticity(const Space& exec,
                                                            const GalleryParameters& parameters,
                                                            const RowRange& range) {
  const Grid grid = square_grid(parameters, 3);
  const SimplexMesh<3> mesh{parameters.n, static_cast<std::uint64_t>(parameters.seed)};
  const NodeByNode<3> own{range.first, range.count};
  const auto numbers = number_vertices(exec, mesh, {own.first_node(), own.num_nodes()});
  const UnstructuredRows<3, Space> vertices{mesh, {}, numbers};
  const double nu = parameters.poisson_ratio;  // Young's modulus is 1
  const TetrahedralElasticityRows<Space> rows{vertices, nu / ((1.0 + nu) * (1.0 - 2.0 * nu)),
                                              0.5 / (1.0 + nu)};
  Problem<Scalar, Space, Offset> problem;
  problem.A = assemble<Scalar, Space, Offset>(exec, rows, range);
  problem.b = allocate_multivector<Scalar>(exec, "tessera::gallery::b", range.count);
  fill_elastic_load<Scalar, Space>(exec, vertices, range.first, problem.b);
  problem.coordinates =
      allocate_multivector<Scalar>(exec, "tessera::gallery::coordinates", own.num_nodes(), 3);
  fill_places<Scalar, Space>(exec, vertices, own.first_node(), problem.coordinates);
  problem.near_nullspace =
      allocate_multivector<Scalar>(exec, "tessera::gallery::near_nullspace", range.count, 6);
  const Kokkos::Array<Scalar, 3> middle{middle_along<Scalar>(exec, mesh, 0),
                                        middle_along<Scalar>(exec, mesh, 1),
                                        middle_along<Scalar>(exec, mesh, 2)};
  fill_rigid_body_modes<3, Scalar, Space>(exec, own, problem.coordinates, middle,
                                          problem.near_nullspace);
  // Around itself alone a vertex does not turn.
  if (parameters.n == 1)
    problem.near_nullspace =
        Kokkos::subview(problem.near_nullspace, Kokkos::ALL, Kokkos::make_pair(0, 3));
  problem.block_size = 3;
  problem.description = "linear elasticity on an irregular mesh of tetrahedra, " + to_string(grid) +
                        " vertices, Poisson ratio " + number_text(nu);
  return problem;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_unstructured_elasticity)

}  // namespace tessera::gallery_detail
