// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Irregular meshes of triangles and tetrahedra, generated without a list of elements.
///
/// The vertices are those of a grid, each moved by a hashed jitter. Each cell is divided by pulling
/// its vertices in a hashed order (J. De Loera, J. Rambau, F. Santos, "Triangulations", Springer
/// 2010, section 4.3.2): the first is joined to the sides that it is not on, each divided by
/// pulling in turn. What a side becomes depends on its own vertices alone, so that cells fit
/// together, and every element of an undistorted cell has the same volume.
#pragma once

#include "tessera/gallery/detail/assemble.hpp"
#include "tessera/gallery/detail/stencil.hpp"

namespace tessera::gallery_detail {

/// A simplex of a cell: corners of the cell, where bit d of a corner's number is its place along
/// axis d.
template <int dim>
struct Simplex {
  int corner[dim + 1];
};

/// A cell's corners in the order of pulling.
template <int dim>
struct CellDivision {
  static constexpr int kCorners = 1 << dim;
  static constexpr int kSimplices = dim == 2 ? 2 : 6;

  std::uint64_t rank[kCorners];  ///< the lowest is pulled first; no two are equal

  /// Simplex `k`, 0 <= k < kSimplices: in 2D the first corner with each edge that it is not on, in
  /// 3D with both triangles of each face that it is not on.
  KOKKOS_INLINE_FUNCTION Simplex<dim> simplex(int k) const {
    Simplex<dim> result;
    const int apex = first_of(0, (1 << dim) - 1);
    result.corner[0] = apex;
    if constexpr (dim == 2) {
      result.corner[1] = apex ^ (1 << k);
      result.corner[2] = apex ^ 3;
    } else {
      const int axis = k / 2;
      const int in_face = 7 ^ (1 << axis);
      const int pulled = first_of(apex ^ (1 << axis), in_face);
      const int one = 1 << (axis == 0 ? 1 : 0);
      result.corner[1] = pulled;
      result.corner[2] = pulled ^ (k % 2 == 0 ? one : in_face ^ one);
      result.corner[3] = pulled ^ in_face;
    }
    return result;
  }

 private:
  /// The corner of lowest rank among those that differ from `corner` along no other axes than
  /// those in `axes`.
  KOKKOS_INLINE_FUNCTION int first_of(int corner, int axes) const {
    int first = corner;
    for (int other = 0; other < kCorners; ++other) {
      const bool reached = ((other ^ corner) & ~axes) == 0;
      if (reached && rank[other] < rank[first]) first = other;
    }
    return first;
  }
};

/// The mesh of the unit square or cube with n free vertices per direction: n + 2 with those of the
/// boundary, which have jitter in no direction. Lengths are in edges of the undistorted grid.
template <int dim>
struct SimplexMesh {
  Ordinal n;
  std::uint64_t seed;

  /// How far a vertex moves at the most along each axis. An element's volume is linear in each
  /// coordinate of each of its vertices, and so smallest at the ends of their ranges: there it is
  /// 1 - 4 kJitter (2D) or 1 - 8 kJitter (3D) times what it was, a quarter.
  static constexpr double kJitter = dim == 2 ? 0.1875 : 0.09375;

  KOKKOS_INLINE_FUNCTION Grid free_vertices() const { return {n, n, dim == 3 ? n : 1}; }

  /// Free vertices have x, y (and z) from 0 to n - 1, those of the boundary -1 or n in one of them.
  KOKKOS_INLINE_FUNCTION bool is_free(const GridPoint& p) const {
    return p.x >= 0 && p.x < n && p.y >= 0 && p.y < n && (dim == 2 || (p.z >= 0 && p.z < n));
  }

  /// Corner `a` of a cell; the cell's own numbers are those of its corner 0.
  KOKKOS_INLINE_FUNCTION static GridPoint corner(const GridPoint& cell, int a) {
    return {cell.x + (a & 1), cell.y + (a >> 1 & 1), cell.z + (a >> 2 & 1)};
  }

  KOKKOS_INLINE_FUNCTION CellDivision<dim> divide(const GridPoint& cell) const {
    CellDivision<dim> division;
    for (int a = 0; a < CellDivision<dim>::kCorners; ++a)
      division.rank[a] = hash(3 * seed, index(corner(cell, a)));
    return division;
  }

  /// Where vertex `p` lies; the boundary's corner 0 at the origin. Exact in double.
  KOKKOS_INLINE_FUNCTION void place(const GridPoint& p, double (&x)[dim]) const {
    const Ordinal at[3] = {p.x, p.y, p.z};
    const std::uint64_t bits = hash(3 * seed + 1, index(p));
    for (int d = 0; d < dim; ++d) {
      const auto steps = static_cast<std::int32_t>(bits >> (21 * d) & 0x1fffff) - (1 << 20);
      x[d] = at[d] + 1.0 + (is_free(p) ? kJitter / (1 << 20) * steps : 0.0);
    }
  }

  /// What decides on a vertex's place among those of its brick; see BrickNumbering.
  KOKKOS_INLINE_FUNCTION std::uint64_t shuffle(const GridPoint& p) const {
    return hash(3 * seed + 2, index(p));
  }

 private:
  KOKKOS_INLINE_FUNCTION std::uint64_t index(const GridPoint& p) const {
    const auto side = static_cast<std::uint64_t>(n) + 2;
    const std::uint64_t line = static_cast<std::uint64_t>(p.y + 1) +
                               (dim == 3 ? side * static_cast<std::uint64_t>(p.z + 1) : 0);
    return static_cast<std::uint64_t>(p.x + 1) + side * line;
  }
};

}  // namespace tessera::gallery_detail
