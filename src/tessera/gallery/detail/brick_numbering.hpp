// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The numbers of an irregular mesh's vertices, of all or of some rows and what lies around them.
#pragma once

#include "tessera/gallery/detail/simplex_mesh.hpp"

namespace tessera::gallery_detail {

/// The free vertices brick after brick, a brick 8 x 8 or 4 x 4 x 4 of them (fewer at the ends), and
/// in hashed order within a brick: neighbours have numbers close to one another, as a mesh
/// generator's have, and nothing is left of the grid's order.
template <int dim>
struct BrickNumbering {
  static constexpr Ordinal kSide = dim == 2 ? 8 : 4;

  SimplexMesh<dim> mesh;

  KOKKOS_INLINE_FUNCTION Ordinal number(const GridPoint& p) const {
    const Grid grid = mesh.free_vertices();
    const GridPoint first{p.x / kSide * kSide, p.y / kSide * kSide, p.z / kSide * kSide};
    const GridPoint size{width(first.x, grid.nx), width(first.y, grid.ny), width(first.z, grid.nz)};
    Ordinal before = grid.nx * (grid.ny * first.z + first.y * size.z) + first.x * size.y * size.z;
    const std::uint64_t own = mesh.shuffle(p);
    for (Ordinal z = first.z; z < first.z + size.z; ++z) {
      for (Ordinal y = first.y; y < first.y + size.y; ++y) {
        for (Ordinal x = first.x; x < first.x + size.x; ++x)
          before += mesh.shuffle({x, y, z}) < own;
      }
    }
    return before;
  }

  /// Where the brick begins that holds vertex `number`: those before it are whole layers, then
  /// whole lines of one layer, then bricks of one line.
  GridPoint first_of_brick(Ordinal number) const {
    const Grid grid = mesh.free_vertices();
    const std::int64_t plane = std::int64_t{grid.nx} * grid.ny;
    const auto z = static_cast<Ordinal>(number / (plane * kSide)) * kSide;
    const std::int64_t thickness = width(z, grid.nz);
    const std::int64_t in_layer = number - plane * z;
    const auto y = static_cast<Ordinal>(in_layer / (grid.nx * thickness * kSide)) * kSide;
    const std::int64_t in_line = in_layer - grid.nx * thickness * y;
    const auto x = static_cast<Ordinal>(in_line / (thickness * width(y, grid.ny) * kSide)) * kSide;
    return {x, y, z};
  }

  /// Of the brick that begins at `first`, in a direction of `n` vertices.
  KOKKOS_INLINE_FUNCTION static Ordinal width(Ordinal first, Ordinal n) {
    return n - first < kSide ? n - first : kSide;
  }
};

/// A box of the grid, numbered by itself.
struct GridBox {
  GridPoint first;
  Grid size;

  KOKKOS_INLINE_FUNCTION Ordinal number(const GridPoint& p) const {
    return size.number({p.x - first.x, p.y - first.y, p.z - first.z});
  }
  KOKKOS_INLINE_FUNCTION GridPoint point(Ordinal number) const {
    const GridPoint p = size.point(number);
    return {first.x + p.x, first.y + p.y, first.z + p.z};
  }
};

/// The free vertices around those that a range numbers, with themselves: whole layers where they
/// are of several layers of bricks, whole lines where they are of several lines of one layer. Empty
/// where the range is.
template <int dim>
GridBox box_around(const BrickNumbering<dim>& numbering, const RowRange& range) {
  if (range.count == 0) return {{0, 0, 0}, {0, 0, 0}};
  const Grid grid = numbering.mesh.free_vertices();
  const GridPoint low = numbering.first_of_brick(range.first);
  const GridPoint high = numbering.first_of_brick(range.first + range.count - 1);
  const bool layers = low.z != high.z;
  const bool lines = layers || low.y != high.y;
  const auto begin = [](bool all, Ordinal brick) { return all || brick == 0 ? 0 : brick - 1; };
  const auto end = [](bool all, Ordinal brick, Ordinal n) {
    return all || n - brick <= BrickNumbering<dim>::kSide ? n
                                                          : brick + BrickNumbering<dim>::kSide + 1;
  };
  const GridPoint first{begin(lines, low.x), begin(layers, low.y), begin(false, low.z)};
  return {first,
          {end(lines, high.x, grid.nx) - first.x, end(layers, high.y, grid.ny) - first.y,
           end(false, high.z, grid.nz) - first.z}};
}

/// The numbering both ways: numbers of the vertices of a box, and the vertices that a range of
/// numbers, from `first` on, belongs to, as the grid numbers them.
template <class Space>
struct VertexNumbers {
  GridBox box;
  Ordinal first;
  Array<Ordinal, Space> numbers, vertices;

  KOKKOS_INLINE_FUNCTION Ordinal number(const GridPoint& p) const { return numbers(box.number(p)); }
  KOKKOS_INLINE_FUNCTION Ordinal vertex(Ordinal number) const { return vertices(number - first); }
};

/// Numbers a box's vertices, and finds those of a range of numbers.
template <class Space, int dim>
struct NumberVertices {
  BrickNumbering<dim> numbering;
  RowRange range;
  GridBox box;
  Grid grid;
  Array<Ordinal, Space> number, vertex;

  KOKKOS_FUNCTION void operator()(Ordinal v) const {
    const GridPoint p = box.point(v);
    const Ordinal own = numbering.number(p);
    number(v) = own;
    if (own >= range.first && own - range.first < range.count)
      vertex(own - range.first) = grid.number(p);
  }
};

/// Of a range of vertices and those around them.
template <class Space, int dim>
VertexNumbers<Space> number_vertices(const Space& exec, const SimplexMesh<dim>& mesh,
                                     const RowRange& range) {
  const Grid grid = mesh.free_vertices();
  const BrickNumbering<dim> numbering{mesh};
  const GridBox box = box_around(numbering, range);
  const Ordinal size = box.size.size();
  const auto number = allocate<Ordinal>(exec, "tessera::gallery::vertex_numbers", size);
  const auto vertex = allocate<Ordinal>(exec, "tessera::gallery::vertices", range.count);
  Kokkos::parallel_for("tessera::gallery::number_vertices",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, size),
                       NumberVertices<Space, dim>{numbering, range, box, grid, number, vertex});
  return {box, range.first, number, vertex};
}

}  // namespace tessera::gallery_detail
