// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Linear elasticity on the unit square or cube, n elements per direction, clamped at x = 0.
/// The clamped nodes are removed; the others form a box again, numbered x fastest. Each row gathers
/// from the elements around its node, so that no two threads write to one entry.
#include "tessera/gallery/detail/rigid_body_motion.hpp"
#include "tessera/gallery/detail/stencil.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::gallery_detail {

/// Entry (a dim + i, b dim + j) of the stiffness matrix of the unit element, bilinear or trilinear:
/// the integral of lambda d_i N_a d_j N_b + mu d_j N_a d_i N_b + mu delta_ij grad N_a . grad N_b,
/// by 2 Gauss points per direction, exact here. Products are bracketed so that the matrix is
/// symmetric to the last bit. Bit d of a corner's number is its place along axis d.
template <int dim>
struct ElementStiffness {
  static constexpr int kCorners = dim == 2 ? 4 : 8;
  static constexpr int kSize = kCorners * dim;

  double lambda, mu;

  /// The gradient of corner `a`'s shape function at Gauss point `g`.
  KOKKOS_INLINE_FUNCTION static void gradient(int a, int g, double (&grad)[dim]) {
    const double gauss = 0.5 / Kokkos::sqrt(3.0);
    for (int d = 0; d < dim; ++d) {
      grad[d] = 1.0;
      for (int e = 0; e < dim; ++e) {
        const double place = 0.5 + (g >> e & 1 ? gauss : -gauss);
        if (e == d) {
          grad[d] *= a >> e & 1 ? 1.0 : -1.0;
        } else {
          grad[d] *= a >> e & 1 ? place : 1.0 - place;
        }
      }
    }
  }

  KOKKOS_INLINE_FUNCTION double entry(int row, int column) const {
    const int a = row / dim, i = row % dim, b = column / dim, j = column % dim;
    double sum = 0;
    for (int g = 0; g < kCorners; ++g) {
      double at_a[dim], at_b[dim];
      gradient(a, g, at_a);
      gradient(b, g, at_b);
      sum += lambda * (at_a[i] * at_b[j]) + mu * (at_a[j] * at_b[i]);
      if (i == j) {
        for (int d = 0; d < dim; ++d)
          sum += mu * (at_a[d] * at_b[d]);
      }
    }
    return sum / kCorners;
  }
};

/// The elements, of `cells` in a row, that nodes `p` and `q` share: first to last.
struct SharedCells {
  Ordinal first, last;

  // Written out: nvcc 13.0 compiles nested Kokkos::max and min of these to -1 where 0 is right.
  KOKKOS_INLINE_FUNCTION SharedCells(Ordinal p, Ordinal q, Ordinal cells) {
    const Ordinal upper = p > q ? p : q;
    const Ordinal lower = p > q ? q : p;
    first = upper > 0 ? upper - 1 : 0;
    last = lower < cells ? lower : cells - 1;
  }
};

/// The row of each displacement, in either numbering.
template <int dim>
struct Displacements {
  Ordinal num_nodes;
  Numbering numbering;

  KOKKOS_INLINE_FUNCTION Ordinal node(Ordinal row) const {
    return numbering == Numbering::nodes ? row / dim : row % num_nodes;
  }
  KOKKOS_INLINE_FUNCTION int component(Ordinal row) const {
    return numbering == Numbering::nodes ? row % dim : row / num_nodes;
  }
  KOKKOS_INLINE_FUNCTION Ordinal row(Ordinal node, int component) const {
    return numbering == Numbering::nodes ? node * dim + component : component * num_nodes + node;
  }
};

/// Rows of a range, and the places of their nodes: those of a part numbered by unknowns each have
/// one of their own.
template <int dim>
struct OwnDisplacements {
  Displacements<dim> unknowns;
  RowRange range;

  KOKKOS_INLINE_FUNCTION bool node_by_node() const {
    return unknowns.numbering == Numbering::nodes;
  }
  KOKKOS_INLINE_FUNCTION bool whole() const { return range.count == dim * unknowns.num_nodes; }
  KOKKOS_INLINE_FUNCTION NodeByNode<dim> nodes() const { return {range.first, range.count}; }

  KOKKOS_INLINE_FUNCTION Ordinal num_places() const {
    if (node_by_node()) return nodes().num_nodes();
    return whole() ? unknowns.num_nodes : range.count;
  }
  /// The node at place `k`.
  KOKKOS_INLINE_FUNCTION Ordinal node_at(Ordinal k) const {
    if (node_by_node()) return nodes().first_node() + k;
    return unknowns.node(range.first + k);
  }
  /// The place of the node of row `i` of the range.
  KOKKOS_INLINE_FUNCTION Ordinal node(Ordinal i) const {
    if (node_by_node()) return nodes().node(i);
    return whole() ? unknowns.node(i) : i;
  }
  KOKKOS_INLINE_FUNCTION int component(Ordinal i) const {
    return unknowns.component(range.first + i);
  }
};

/// Row generator: dim unknowns per node, full dim by dim blocks.
template <int dim, class Space>
struct ElasticityRows {
  using Stiffness = ElementStiffness<dim>;

  Grid nodes;  ///< without the clamped ones, which lie before x = 0 of this grid
  Ordinal cells;  ///< elements per direction
  Displacements<dim> unknowns;
  ArrayView<const double, Space> stiffness;  ///< kSize by kSize, row after row

  KOKKOS_INLINE_FUNCTION Ordinal num_rows() const { return nodes.size() * dim; }

  KOKKOS_INLINE_FUNCTION std::int64_t row_length(Ordinal row) const {
    const GridPoint p = nodes.point(unknowns.node(row));
    return dim * span_of(p.x, nodes.nx) * span_of(p.y, nodes.ny) * span_of(p.z, nodes.nz);
  }

  template <class Writer>
  KOKKOS_INLINE_FUNCTION void fill(Ordinal row, Writer& out) const {
    if (unknowns.numbering == Numbering::nodes) {
      fill(row, 0, dim, out);
      return;
    }
    for (int j = 0; j < dim; ++j)
      fill(row, j, j + 1, out);
  }

  /// Entries in the columns of components `first` up to `last`, node by node.
  template <class Writer>
  KOKKOS_INLINE_FUNCTION void fill(Ordinal row, int first, int last, Writer& out) const {
    const GridPoint p = nodes.point(unknowns.node(row));
    const int component = unknowns.component(row);
    for (Ordinal z = p.z > 0 ? p.z - 1 : 0; z <= (p.z + 1 < nodes.nz ? p.z + 1 : p.z); ++z) {
      for (Ordinal y = p.y > 0 ? p.y - 1 : 0; y <= (p.y + 1 < nodes.ny ? p.y + 1 : p.y); ++y) {
        for (Ordinal x = p.x > 0 ? p.x - 1 : 0; x <= (p.x + 1 < nodes.nx ? p.x + 1 : p.x); ++x) {
          double block[dim] = {};
          gather(p, {x, y, z}, component, block);
          const Ordinal node = nodes.number({x, y, z});
          for (int j = first; j < last; ++j)
            out(unknowns.row(node, j), block[j]);
        }
      }
    }
  }

  /// Adds up row `component` of the block that couples nodes p and q. A grid point's node has x + 1
  /// elements before it; in 2D the one layer of elements lies at z = 0.
  KOKKOS_INLINE_FUNCTION void gather(const GridPoint& p, const GridPoint& q, int component,
                                     double (&block)[dim]) const {
    const SharedCells in_x(p.x + 1, q.x + 1, cells);
    const SharedCells in_y(p.y, q.y, cells);
    const SharedCells in_z(p.z, q.z, dim == 3 ? cells : 1);
    for (Ordinal ez = in_z.first; ez <= in_z.last; ++ez) {
      for (Ordinal ey = in_y.first; ey <= in_y.last; ++ey) {
        for (Ordinal ex = in_x.first; ex <= in_x.last; ++ex) {
          const int a = (p.x + 1 - ex) + 2 * (p.y - ey) + 4 * (p.z - ez);
          const int b = (q.x + 1 - ex) + 2 * (q.y - ey) + 4 * (q.z - ez);
          const int first = (a * dim + component) * Stiffness::kSize + b * dim;
          for (int j = 0; j < dim; ++j)
            block[j] += stiffness(first + j);
        }
      }
    }
  }

  /// How many elements touch a node.
  KOKKOS_INLINE_FUNCTION int num_elements(const GridPoint& p) const {
    const SharedCells in_x(p.x + 1, p.x + 1, cells);
    const SharedCells in_y(p.y, p.y, cells);
    const SharedCells in_z(p.z, p.z, dim == 3 ? cells : 1);
    return (in_x.last - in_x.first + 1) * (in_y.last - in_y.first + 1) *
           (in_z.last - in_z.first + 1);
  }
};

template <int dim, class Space>
Array<double, Space> element_stiffness(const Space& exec, const ElementStiffness<dim>& element) {
  constexpr int size = ElementStiffness<dim>::kSize;
  auto matrix = allocate<double>(exec, "tessera::gallery::element_stiffness", size * size);
  Kokkos::parallel_for(
      "tessera::gallery::element_stiffness", Kokkos::RangePolicy<Space>(exec, 0, size * size),
      KOKKOS_LAMBDA(const int i) { matrix(i) = element.entry(i / size, i % size); });
  return matrix;
}

/// A unit force downwards along the last axis, in each element of unit size.
template <int dim, class Scalar, class Space>
void fill_load(const Space& exec, const ElasticityRows<dim, Space>& rows, const RowRange& range,
               const MultiVectorView<Scalar, Space>& b) {
  Kokkos::parallel_for(
      "tessera::gallery::load", Kokkos::RangePolicy<Space>(exec, 0, range.count),
      KOKKOS_LAMBDA(const Ordinal i) {
        const Ordinal row = range.first + i;
        const GridPoint p = rows.nodes.point(rows.unknowns.node(row));
        const double load = -static_cast<double>(rows.num_elements(p)) / (dim == 2 ? 4 : 8);
        b(i, 0) = static_cast<Scalar>(rows.unknowns.component(row) == dim - 1 ? load : 0.0);
      });
}

/// The nodes' places in the unit square or cube.
template <int dim, class Scalar, class Space>
void fill_coordinates(const Space& exec, const ElasticityRows<dim, Space>& rows,
                      const OwnDisplacements<dim>& own,
                      const MultiVectorView<Scalar, Space>& coordinates) {
  const double h = 1.0 / rows.cells;
  Kokkos::parallel_for(
      "tessera::gallery::coordinates", Kokkos::RangePolicy<Space>(exec, 0, coordinates.extent(0)),
      KOKKOS_LAMBDA(const Ordinal k) {
        const GridPoint p = rows.nodes.point(own.node_at(k));
        const double place[3] = {h * (p.x + 1), h * p.y, h * p.z};
        for (int d = 0; d < dim; ++d)
          coordinates(k, d) = static_cast<Scalar>(place[d]);
      });
}

template <int dim, class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_elasticity_of(const Space& exec,
                                                  const GalleryParameters& parameters,
                                                  const RowRange& range) {
  const Ordinal n = parameters.n;
  const Grid nodes{n, n + 1, dim == 3 ? n + 1 : 1};
  const double nu = parameters.poisson_ratio;  // Young's modulus is 1
  const ElementStiffness<dim> element{nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), 0.5 / (1.0 + nu)};
  const auto stiffness = element_stiffness<dim>(exec, element);
  const OwnDisplacements<dim> own{{nodes.size(), parameters.numbering}, range};
  const ElasticityRows<dim, Space> rows{nodes, n, own.unknowns, stiffness};

  Problem<Scalar, Space, Offset> problem;
  problem.A = assemble<Scalar, Space, Offset>(exec, rows, range);
  problem.b = allocate_multivector<Scalar>(exec, "tessera::gallery::b", range.count);
  fill_load<dim, Scalar, Space>(exec, rows, range, problem.b);
  problem.coordinates =
      allocate_multivector<Scalar>(exec, "tessera::gallery::coordinates", own.num_places(), dim);
  fill_coordinates<dim, Scalar, Space>(exec, rows, own, problem.coordinates);
  problem.near_nullspace = allocate_multivector<Scalar>(exec, "tessera::gallery::near_nullspace",
                                                        range.count, dim == 2 ? 3 : 6);
  // Of the nodes' bounding box, from 1 to n elements along x and from 0 to n along the others.
  const auto middle = static_cast<Scalar>(0.5);
  const auto middle_x = static_cast<Scalar>(0.5 * (n + 1.0) / n);
  fill_rigid_body_modes<dim, Scalar, Space>(exec, own, problem.coordinates,
                                            {middle_x, middle, middle}, problem.near_nullspace);
  problem.block_size = dim;
  const std::string elements = std::to_string(n);
  problem.description = "linear elasticity on " + elements + " x " + elements +
                        (dim == 3 ? " x " + elements : std::string()) +
                        " elements, Poisson ratio " + number_text(nu);
  return problem;
}

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_elasticity(const Space& exec,
                                               const GalleryParameters& parameters,
                                               const RowRange& range) {
  return parameters.problem == ProblemKind::elasticity2d
             ? make_elasticity_of<2, Scalar, Space, Offset>(exec, parameters, range)
             : make_elasticity_of<3, Scalar, Space, Offset>(exec, parameters, range);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_elasticity)

}  // namespace tessera::gallery_detail
