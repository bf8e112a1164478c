// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows of a stencil on a regular grid, numbered x fastest.
#pragma once

#include "tessera/gallery/detail/assemble.hpp"
#include "tessera/gallery/detail/families.hpp"

namespace tessera::gallery_detail {

/// A place in a grid, or a step from one.
struct GridPoint {
  Ordinal x, y, z;
};

/// nx by ny by nz points; nz = 1 in 2D.
struct Grid {
  Ordinal nx, ny, nz;

  KOKKOS_INLINE_FUNCTION Ordinal size() const { return nx * ny * nz; }
  KOKKOS_INLINE_FUNCTION Ordinal number(const GridPoint& p) const {
    return p.x + nx * (p.y + ny * p.z);
  }
  KOKKOS_INLINE_FUNCTION GridPoint point(Ordinal number) const {
    const Ordinal line = number / nx;
    return {number - line * nx, line % ny, line / ny};
  }
};

/// The grid of n points per direction.
inline Grid square_grid(const GalleryParameters& parameters, int dimension) {
  return {parameters.n, parameters.n, dimension == 3 ? parameters.n : 1};
}

/// "128 x 128 x 128", the end of a description.
inline std::string to_string(const Grid& grid) {
  return std::to_string(grid.nx) + " x " + std::to_string(grid.ny) +
         (grid.nz > 1 ? " x " + std::to_string(grid.nz) : std::string());
}

/// Points before and after `i` within reach of 1 in a direction of `n` points, with itself.
KOKKOS_INLINE_FUNCTION std::int64_t span_of(Ordinal i, Ordinal n) {
  return 1 + (i > 0) + (i + 1 < n);
}

/// Row generator of a stencil that reaches the neighbours along the axes: 5 points in 2D, 7 in 3D.
/// A `Stencil` has `double diagonal(GridPoint) const` and
/// `double off_diagonal(GridPoint at, GridPoint step) const`; a step out of the grid stores no
/// entry.
template <class Stencil>
struct CrossRows {
  Grid grid;
  Stencil stencil;

  KOKKOS_INLINE_FUNCTION Ordinal num_rows() const { return grid.size(); }

  KOKKOS_INLINE_FUNCTION std::int64_t row_length(Ordinal row) const {
    const GridPoint p = grid.point(row);
    return span_of(p.x, grid.nx) + span_of(p.y, grid.ny) + span_of(p.z, grid.nz) - 2;
  }

  template <class Writer>
  KOKKOS_INLINE_FUNCTION void fill(Ordinal row, Writer& out) const {
    const GridPoint p = grid.point(row);
    const Ordinal plane = grid.nx * grid.ny;
    if (p.z > 0) out(row - plane, stencil.off_diagonal(p, {0, 0, -1}));
    if (p.y > 0) out(row - grid.nx, stencil.off_diagonal(p, {0, -1, 0}));
    if (p.x > 0) out(row - 1, stencil.off_diagonal(p, {-1, 0, 0}));
    out(row, stencil.diagonal(p));
    if (p.x + 1 < grid.nx) out(row + 1, stencil.off_diagonal(p, {1, 0, 0}));
    if (p.y + 1 < grid.ny) out(row + grid.nx, stencil.off_diagonal(p, {0, 1, 0}));
    if (p.z + 1 < grid.nz) out(row + plane, stencil.off_diagonal(p, {0, 0, 1}));
  }
};

/// Row generator of a stencil that reaches all neighbours of the surrounding box: 9 points in 2D,
/// 27 in 3D.
template <class Stencil>
struct BoxRows {
  Grid grid;
  Stencil stencil;

  KOKKOS_INLINE_FUNCTION Ordinal num_rows() const { return grid.size(); }

  KOKKOS_INLINE_FUNCTION std::int64_t row_length(Ordinal row) const {
    const GridPoint p = grid.point(row);
    return span_of(p.x, grid.nx) * span_of(p.y, grid.ny) * span_of(p.z, grid.nz);
  }

  template <class Writer>
  KOKKOS_INLINE_FUNCTION void fill(Ordinal row, Writer& out) const {
    const GridPoint p = grid.point(row);
    for (Ordinal dz = p.z > 0 ? -1 : 0; dz <= (p.z + 1 < grid.nz ? 1 : 0); ++dz) {
      for (Ordinal dy = p.y > 0 ? -1 : 0; dy <= (p.y + 1 < grid.ny ? 1 : 0); ++dy) {
        for (Ordinal dx = p.x > 0 ? -1 : 0; dx <= (p.x + 1 < grid.nx ? 1 : 0); ++dx) {
          const bool self = dx == 0 && dy == 0 && dz == 0;
          out(grid.number({p.x + dx, p.y + dy, p.z + dz}),
              self ? stencil.diagonal(p) : stencil.off_diagonal(p, {dx, dy, dz}));
        }
      }
    }
  }
};

}  // namespace tessera::gallery_detail
