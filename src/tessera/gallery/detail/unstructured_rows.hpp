// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Linear elements on irregular meshes of triangles and tetrahedra, and the rows of their matrices.
/// Each row gathers from the elements around its vertex, so that no two threads write to one entry.
#pragma once

#include "tessera/gallery/detail/brick_numbering.hpp"
#include "tessera/gallery/detail/checkerboard.hpp"
#include "tessera/gallery/detail/diffusivity.hpp"

namespace tessera::gallery_detail {

/// A linear element: the gradients of its shape functions times `jacobian`, which is dim! times the
/// volume.
///
/// Two vertices compute their common elements each for itself, and both are to find the same bits.
/// Differences and products of two of them are exact, by the few digits that places have; what is
/// rounded is written so that no compiler has a choice of where to fuse a product with a sum.
template <int dim>
struct LinearElement {
  double gradient[dim + 1][dim];
  double jacobian;

  KOKKOS_INLINE_FUNCTION explicit LinearElement(const double (&x)[dim + 1][dim]) {
    double edge[dim][dim];
    for (int i = 0; i < dim; ++i) {
      for (int d = 0; d < dim; ++d)
        edge[i][d] = x[i + 1][d] - x[0][d];
    }
    // Row i of the inverse of the edges' matrix, transposed and times its determinant.
    if constexpr (dim == 2) {
      set(1, edge[1][1], -edge[1][0]);
      set(2, -edge[0][1], edge[0][0]);
    } else {
      set_cross(1, edge[1], edge[2]);
      set_cross(2, edge[2], edge[0]);
      set_cross(3, edge[0], edge[1]);
    }
    jacobian = 0;
    for (int d = 0; d < dim; ++d)
      jacobian = Kokkos::fma(edge[0][d], gradient[1][d], jacobian);
    for (int d = 0; d < dim; ++d) {
      gradient[0][d] = 0;
      for (int i = 1; i <= dim; ++i)
        gradient[0][d] -= gradient[i][d];
    }
    // Both signs of the determinant occur; products of two gradients have none.
    jacobian = Kokkos::abs(jacobian);
  }

  KOKKOS_INLINE_FUNCTION double volume() const { return jacobian / (dim == 2 ? 2 : 6); }

  /// The integral of grad N_i . a K grad N_j over the element; i and j may change places.
  KOKKOS_INLINE_FUNCTION double stiffness(const Diffusivity& K, double a, int i, int j) const {
    const int low = i < j ? i : j;
    const int high = i < j ? j : i;
    return a * K.product(gradient[low], gradient[high]) / (jacobian * (dim == 2 ? 2 : 6));
  }

  /// The integral of lambda d_c N_i d_d N_j + mu d_d N_i d_c N_j + mu delta_cd grad N_i . grad N_j:
  /// how displacement d of vertex j pulls on displacement c of vertex i; both pairs may change
  /// places.
  KOKKOS_INLINE_FUNCTION double elastic(double lambda, double mu, int i, int c, int j,
                                        int d) const {
    double sum = lambda * (gradient[i][c] * gradient[j][d]);
    sum = Kokkos::fma(mu, gradient[i][d] * gradient[j][c], sum);
    for (int e = 0; c == d && e < dim; ++e)
      sum = Kokkos::fma(mu, gradient[i][e] * gradient[j][e], sum);
    return sum / (jacobian * (dim == 2 ? 2 : 6));
  }

 private:
  KOKKOS_INLINE_FUNCTION void set(int i, double x, double y) {
    gradient[i][0] = x;
    gradient[i][1] = y;
  }
  KOKKOS_INLINE_FUNCTION void set_cross(int i, const double (&u)[dim], const double (&v)[dim]) {
    for (int d = 0; d < dim; ++d) {
      const int e = (d + 1) % dim, f = (d + 2) % dim;
      gradient[i][d] = u[e] * v[f] - u[f] * v[e];
    }
  }
};

/// Row generator, of rows that `numbers` has, in its order; vertices of the boundary are
/// eliminated.
template <int dim, class Space>
struct UnstructuredRows {
  static constexpr int kBox = dim == 2 ? 9 : 27;  ///< vertices around one, with itself

  SimplexMesh<dim> mesh;
  Diffusivity K;
  VertexNumbers<Space> numbers;
  double contrast = 1.0;  ///< of K in every second block of cells

  KOKKOS_INLINE_FUNCTION Ordinal num_rows() const { return mesh.free_vertices().size(); }
  KOKKOS_INLINE_FUNCTION GridPoint point(Ordinal row) const {
    return mesh.free_vertices().point(numbers.vertex(row));
  }

  /// Calls `visit(cell, simplex, own)` for each element around `p`, which is its vertex `own`;
  /// in an order by which two vertices meet their common elements alike.
  template <class Visit>
  KOKKOS_INLINE_FUNCTION void for_each_element(const GridPoint& p, Visit&& visit) const {
    for (int back = CellDivision<dim>::kCorners - 1; back >= 0; --back) {
      const GridPoint cell{p.x - (back & 1), p.y - (back >> 1 & 1), p.z - (back >> 2 & 1)};
      const CellDivision<dim> division = mesh.divide(cell);
      for (int k = 0; k < CellDivision<dim>::kSimplices; ++k) {
        const Simplex<dim> simplex = division.simplex(k);
        for (int own = 0; own <= dim; ++own) {
          if (simplex.corner[own] == back) visit(cell, simplex, own);
        }
      }
    }
  }

  /// The place of vertex `q` in the box around `p`.
  KOKKOS_INLINE_FUNCTION static int in_box(const GridPoint& p, const GridPoint& q) {
    const int plane = (q.x - p.x + 1) + 3 * (q.y - p.y + 1);
    return dim == 2 ? plane : plane + 9 * (q.z - p.z + 1);
  }
  KOKKOS_INLINE_FUNCTION static GridPoint of_box(const GridPoint& p, int i) {
    return {p.x + i % 3 - 1, p.y + i / 3 % 3 - 1, dim == 2 ? 0 : p.z + i / 9 - 1};
  }

  /// Bit i: free vertex i of the box around `p` shares an element with it.
  KOKKOS_INLINE_FUNCTION std::uint32_t coupled(const GridPoint& p) const {
    std::uint32_t bits = 0;
    for_each_element(p, [&](const GridPoint& cell, const Simplex<dim>& simplex, int) {
      for (int i = 0; i <= dim; ++i) {
        const GridPoint q = mesh.corner(cell, simplex.corner[i]);
        if (mesh.is_free(q)) bits |= std::uint32_t{1} << in_box(p, q);
      }
    });
    return bits;
  }

  KOKKOS_INLINE_FUNCTION std::int64_t row_length(Ordinal row) const {
    const std::uint32_t bits = coupled(point(row));
    int length = 0;
    for (int i = 0; i < kBox; ++i)
      length += bits >> i & 1;
    return length;
  }

  KOKKOS_INLINE_FUNCTION LinearElement<dim> element(const GridPoint& cell,
                                                    const Simplex<dim>& simplex) const {
    double x[dim + 1][dim];
    for (int i = 0; i <= dim; ++i)
      mesh.place(mesh.corner(cell, simplex.corner[i]), x[i]);
    return LinearElement<dim>(x);
  }

  /// By which K is multiplied in a cell, all elements of which are in one block.
  KOKKOS_INLINE_FUNCTION double coefficient(const GridPoint& cell) const {
    const Ordinal n = mesh.n + 1;
    const Grid cells{n, n, dim == 3 ? n : 1};
    return checkerboard(cells, {cell.x + 1, cell.y + 1, dim == 3 ? cell.z + 1 : 0}, contrast);
  }

  template <class Writer>
  KOKKOS_INLINE_FUNCTION void fill(Ordinal row, Writer& out) const {
    const GridPoint p = point(row);
    double sum[kBox] = {};
    for_each_element(p, [&](const GridPoint& cell, const Simplex<dim>& simplex, int own) {
      const LinearElement<dim> e = element(cell, simplex);
      const double a = coefficient(cell);
      for (int j = 0; j <= dim; ++j)
        sum[in_box(p, mesh.corner(cell, simplex.corner[j]))] += e.stiffness(K, a, own, j);
    });
    write_sorted(p, coupled(p), sum, out);
  }

  /// Writes the coupled vertices' entries in ascending order of their numbers.
  template <class Writer>
  KOKKOS_INLINE_FUNCTION void write_sorted(const GridPoint& p, std::uint32_t bits,
                                           const double (&sum)[kBox], Writer& out) const {
    for_each_sorted(p, bits, [&](Ordinal column, int i) { out(column, sum[i]); });
  }

  /// visit(number, place in the box) for the coupled vertices in ascending order of their numbers.
  template <class Visit>
  KOKKOS_INLINE_FUNCTION void for_each_sorted(const GridPoint& p, std::uint32_t bits,
                                              const Visit& visit) const {
    Ordinal columns[kBox];
    int from[kBox];
    int length = 0;
    for (int i = 0; i < kBox; ++i) {
      if ((bits >> i & 1) == 0) continue;
      const Ordinal column = numbers.number(of_box(p, i));
      int at = length++;
      for (; at > 0 && columns[at - 1] > column; --at) {
        columns[at] = columns[at - 1];
        from[at] = from[at - 1];
      }
      columns[at] = column;
      from[at] = i;
    }
    for (int i = 0; i < length; ++i)
      visit(columns[i], from[i]);
  }

  /// The integral of p's shape function.
  KOKKOS_INLINE_FUNCTION double load(const GridPoint& p) const {
    double volume = 0;
    for_each_element(p, [&](const GridPoint& cell, const Simplex<dim>& simplex, int) {
      volume += element(cell, simplex).volume();
    });
    return volume / (dim + 1);
  }
};

}  // namespace tessera::gallery_detail
