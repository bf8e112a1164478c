// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Diffusion by elements of high order on Gauss-Lobatto nodes: the beam and the L-shaped domain of
/// the MFEM experiments in section 5.4 of Y.-H. Tsai, "Portable Mixed Precision Algebraic Multigrid
/// on High Performance GPUs", dissertation, Karlsruhe 2024. Every boundary node is fixed in place.
/// Elements are equal squares or cubes, so that an element's matrix is a sum of products of 1-D
/// matrices, and each entry gathers from the elements that its two nodes share.
#include "tessera/gallery/detail/lobatto.hpp"
#include "tessera/gallery/detail/stencil.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::gallery_detail {

/// 8 x 1 x 1 unit cubes along x, each divided into `cells`^3 elements.
struct BeamDomain {
  static constexpr int dimension = 3;
  Ordinal cells;  ///< elements to a unit length
  int order;

  KOKKOS_INLINE_FUNCTION Grid nodes() const {
    const Ordinal side = cells * order + 1;
    return {8 * cells * order + 1, side, side};
  }
  KOKKOS_INLINE_FUNCTION Ordinal num_rows() const { return nodes().size(); }
  KOKKOS_INLINE_FUNCTION GridPoint point(Ordinal row) const { return nodes().point(row); }
  KOKKOS_INLINE_FUNCTION Ordinal number(const GridPoint& p) const { return nodes().number(p); }
  /// Elements along x in layer `ey` of elements.
  KOKKOS_INLINE_FUNCTION Ordinal cells_x(Ordinal) const { return 8 * cells; }
  KOKKOS_INLINE_FUNCTION Ordinal cells_y() const { return cells; }
  KOKKOS_INLINE_FUNCTION Ordinal cells_z() const { return cells; }
  KOKKOS_INLINE_FUNCTION double coefficient(Ordinal ex) const { return ex < 4 * cells ? 0.1 : 1.0; }
  KOKKOS_INLINE_FUNCTION bool fixed(const GridPoint& p) const {
    const Grid grid = nodes();
    return p.x == 0 || p.x == grid.nx - 1 || p.y == 0 || p.y == grid.ny - 1 || p.z == 0 ||
           p.z == grid.nz - 1;
  }
};

/// Two unit squares side by side and a third on the left one, each divided into `cells`^2 elements.
struct LShapeDomain {
  static constexpr int dimension = 2;
  Ordinal cells;  ///< elements to a unit length
  int order;

  /// Nodes to a unit length, without one end.
  KOKKOS_INLINE_FUNCTION Ordinal half() const { return cells * order; }
  KOKKOS_INLINE_FUNCTION Ordinal num_rows() const {
    return (2 * half() + 1) * (half() + 1) + (half() + 1) * half();
  }
  KOKKOS_INLINE_FUNCTION GridPoint point(Ordinal row) const {
    const Ordinal wide = 2 * half() + 1;
    const Ordinal below = wide * (half() + 1);
    if (row < below) return {row % wide, row / wide, 0};
    return {(row - below) % (half() + 1), half() + 1 + (row - below) / (half() + 1), 0};
  }
  KOKKOS_INLINE_FUNCTION Ordinal number(const GridPoint& p) const {
    const Ordinal wide = 2 * half() + 1;
    if (p.y <= half()) return p.x + wide * p.y;
    return p.x + wide * (half() + 1) + (half() + 1) * (p.y - half() - 1);
  }
  KOKKOS_INLINE_FUNCTION Ordinal cells_x(Ordinal ey) const {
    return ey < cells ? 2 * cells : cells;
  }
  KOKKOS_INLINE_FUNCTION Ordinal cells_y() const { return 2 * cells; }
  KOKKOS_INLINE_FUNCTION Ordinal cells_z() const { return 1; }
  KOKKOS_INLINE_FUNCTION double coefficient(Ordinal) const { return 1.0; }
  KOKKOS_INLINE_FUNCTION bool fixed(const GridPoint& p) const {
    return p.x == 0 || p.y == 0 || p.x == 2 * half() || p.y == 2 * half() ||
           (p.x >= half() && p.y >= half());
  }
};

/// Elements first to last of one direction.
struct CellRange {
  Ordinal first, last;

  /// Those around node `p`, of `cells` elements of order `k`.
  KOKKOS_INLINE_FUNCTION static CellRange around(Ordinal p, int k, Ordinal cells) {
    const Ordinal cell = p / k;
    return {p % k == 0 && cell > 0 ? cell - 1 : cell, cell < cells ? cell : cells - 1};
  }
  KOKKOS_INLINE_FUNCTION CellRange shared_with(const CellRange& other) const {
    return {Kokkos::max(first, other.first), Kokkos::min(last, other.last)};
  }
};

/// Row generator of a domain: each row couples all nodes of the elements around its own.
template <class Domain, class Space>
struct LagrangeRows {
  static constexpr int dimension = Domain::dimension;

  Domain domain;
  double scale;  ///< edge length to the power dimension - 2
  ArrayView<const double, Space> mass, stiffness;  ///< of the element on [0, 1]

  KOKKOS_INLINE_FUNCTION Ordinal num_rows() const { return domain.num_rows(); }

  KOKKOS_INLINE_FUNCTION CellRange around_y(Ordinal y) const {
    return CellRange::around(y, domain.order, domain.cells_y());
  }
  KOKKOS_INLINE_FUNCTION CellRange around_z(Ordinal z) const {
    return dimension == 3 ? CellRange::around(z, domain.order, domain.cells_z()) : CellRange{0, 0};
  }
  /// Elements around x in the layers `ys`; a domain is widest in its lowest layer. Empty where the
  /// domain does not reach that far.
  KOKKOS_INLINE_FUNCTION CellRange around_x(Ordinal x, const CellRange& ys) const {
    const CellRange all = CellRange::around(x, domain.order, domain.cells_x(0));
    return {all.first, Kokkos::min(all.last, domain.cells_x(ys.first) - 1)};
  }
  KOKKOS_INLINE_FUNCTION Ordinal first_node(const CellRange& cells) const {
    return cells.first * domain.order;
  }
  KOKKOS_INLINE_FUNCTION Ordinal last_node(const CellRange& cells) const {
    return (cells.last + 1) * domain.order;
  }

  KOKKOS_INLINE_FUNCTION std::int64_t row_length(Ordinal row) const {
    const GridPoint p = domain.point(row);
    const CellRange ys = around_y(p.y);
    const CellRange zs = around_z(p.z);
    std::int64_t plane = 0;
    for (Ordinal y = first_node(ys); y <= last_node(ys); ++y) {
      const CellRange xs = around_x(p.x, ys.shared_with(around_y(y)));
      if (xs.first <= xs.last) plane += last_node(xs) - first_node(xs) + 1;
    }
    return dimension == 3 ? plane * (last_node(zs) - first_node(zs) + 1) : plane;
  }

  template <class Writer>
  KOKKOS_INLINE_FUNCTION void fill(Ordinal row, Writer& out) const {
    const GridPoint p = domain.point(row);
    const bool fixed = domain.fixed(p);
    const CellRange ys = around_y(p.y);
    const CellRange zs = around_z(p.z);
    for (Ordinal z = first_node(zs); z <= (dimension == 3 ? last_node(zs) : 0); ++z) {
      for (Ordinal y = first_node(ys); y <= last_node(ys); ++y) {
        const CellRange xs = around_x(p.x, ys.shared_with(around_y(y)));
        if (xs.first > xs.last) continue;
        for (Ordinal x = first_node(xs); x <= last_node(xs); ++x) {
          const GridPoint q{x, y, z};
          const Ordinal column = domain.number(q);
          if (fixed || domain.fixed(q)) {
            out(column, column == row ? 1.0 : 0.0);
          } else {
            out(column, gather(p, q));
          }
        }
      }
    }
  }

  /// Adds up the entry that couples nodes p and q over the elements that they share.
  KOKKOS_INLINE_FUNCTION double gather(const GridPoint& p, const GridPoint& q) const {
    const CellRange ys = around_y(p.y).shared_with(around_y(q.y));
    const CellRange zs = around_z(p.z).shared_with(around_z(q.z));
    double sum = 0;
    for (Ordinal ez = zs.first; ez <= zs.last; ++ez) {
      for (Ordinal ey = ys.first; ey <= ys.last; ++ey) {
        const CellRange layer{ey, ey};
        const CellRange xs = around_x(p.x, layer).shared_with(around_x(q.x, layer));
        for (Ordinal ex = xs.first; ex <= xs.last; ++ex) {
          sum += domain.coefficient(ex) * element_entry(p, q, {ex, ey, ez});
        }
      }
    }
    return scale * sum;
  }

  /// K (x) M + M (x) K, in 3D K (x) M (x) M + M (x) K (x) M + M (x) M (x) K.
  KOKKOS_INLINE_FUNCTION double element_entry(const GridPoint& p, const GridPoint& q,
                                              const GridPoint& cell) const {
    const int k = domain.order;
    const int x = (p.x - cell.x * k) * (k + 1) + q.x - cell.x * k;
    const int y = (p.y - cell.y * k) * (k + 1) + q.y - cell.y * k;
    const double flat = stiffness(x) * mass(y) + mass(x) * stiffness(y);
    if (dimension == 2) return flat;
    const int z = (p.z - cell.z * k) * (k + 1) + q.z - cell.z * k;
    return flat * mass(z) + mass(x) * mass(y) * stiffness(z);
  }

  /// The integral of node p's shape function over elements of edge 1.
  KOKKOS_INLINE_FUNCTION double load(const GridPoint& p) const {
    const CellRange ys = around_y(p.y);
    const CellRange zs = around_z(p.z);
    double sum = 0;
    for (Ordinal ey = ys.first; ey <= ys.last; ++ey) {
      const CellRange xs = around_x(p.x, {ey, ey});
      for (Ordinal ex = xs.first; ex <= xs.last; ++ex) {
        sum += weight(p.x - ex * domain.order) * weight(p.y - ey * domain.order);
      }
    }
    if (dimension == 2) return sum;
    double along_z = 0;
    for (Ordinal ez = zs.first; ez <= zs.last; ++ez)
      along_z += weight(p.z - ez * domain.order);
    return sum * along_z;
  }
  KOKKOS_INLINE_FUNCTION double weight(int a) const {
    double sum = 0;
    for (int b = 0; b <= domain.order; ++b)
      sum += mass(a * (domain.order + 1) + b);
    return sum;
  }
};

/// b = the load of the constant source 1 at the free nodes, 0 at the fixed ones; from row `first`
/// on.
template <class Scalar, class Space, class Rows>
void fill_load(const Space& exec, const Rows& rows, Ordinal first, double volume,
               const MultiVectorView<Scalar, Space>& b) {
  Kokkos::parallel_for(
      "tessera::gallery::load", Kokkos::RangePolicy<Space>(exec, 0, b.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i) {
        const GridPoint p = rows.domain.point(first + i);
        b(i, 0) = static_cast<Scalar>(rows.domain.fixed(p) ? 0.0 : volume * rows.load(p));
      });
}

/// A copy in the memory of `Space`, complete when this returns.
template <class Space>
Array<double, Space> copy_to(const Space& exec, const std::vector<double>& values) {
  auto copy = allocate<double>(exec, "tessera::gallery::element_matrix", values.size());
  Kokkos::deep_copy(exec, copy,
                    ArrayView<const double, Kokkos::HostSpace>(values.data(), values.size()));
  exec.fence("tessera::gallery: element matrix copied");
  return copy;
}

template <class Scalar, class Space, class Offset, class Domain>
Problem<Scalar, Space, Offset> make_lagrange(const Space& exec, const Domain& domain,
                                             const std::string& name, const RowRange& range) {
  const LobattoElement element = lobatto_element(domain.order);
  const auto mass = copy_to(exec, element.mass);
  const auto stiffness = copy_to(exec, element.stiffness);
  const double h = 1.0 / domain.cells;
  const LagrangeRows<Domain, Space> rows{domain, Domain::dimension == 3 ? h : 1.0, mass, stiffness};
  auto problem = assemble_scalar_problem<Scalar, Space, Offset>(exec, rows, range);
  fill_load<Scalar, Space>(exec, rows, range.first, Domain::dimension == 3 ? h * h * h : h * h,
                           problem.b);
  problem.description = "diffusion, " + name + ", elements of order " +
                        std::to_string(domain.order) + " and edge 1/" +
                        std::to_string(domain.cells);
  return problem;
}

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_beam(const Space& exec, const GalleryParameters& parameters,
                                         const RowRange& range) {
  const BeamDomain domain{1 << parameters.refine, parameters.order};
  return make_lagrange<Scalar, Space, Offset>(exec, domain, "beam of two materials", range);
}

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_lshape(const Space& exec, const GalleryParameters& parameters,
                                           const RowRange& range) {
  const LShapeDomain domain{1 << parameters.refine, parameters.order};
  return make_lagrange<Scalar, Space, Offset>(exec, domain, "L-shaped domain", range);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_beam)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_lshape)

}  // namespace tessera::gallery_detail
