// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The shifted Laplacian of a random geometric graph in the unit square.
/// Places are integers of 30 bits hashed from the vertex's number, and distances are compared in
/// integers: the graph is the same on every machine. Vertices are numbered cell by cell of a grid
/// of cells no smaller than the radius, so that a vertex's neighbours lie in nine cells and, taken
/// cell by cell, are in ascending order.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "tessera/gallery/detail/assemble.hpp"
#include "tessera/gallery/detail/families.hpp"
#include "tessera/kernels/execution/host_copy.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::gallery_detail {

inline constexpr std::int64_t kGraphSide = std::int64_t{1} << 30;

/// A place in the square of side kGraphSide.
struct GraphPlace {
  std::int32_t x, y;

  KOKKOS_INLINE_FUNCTION static GraphPlace of(std::uint64_t seed, Ordinal vertex) {
    const std::uint64_t bits = hash(seed, static_cast<std::uint64_t>(vertex));
    return {static_cast<std::int32_t>(bits >> 34), static_cast<std::int32_t>(bits & 0x3fffffff)};
  }
};

/// `cells` by `cells` square cells, each of side `width`, at least the radius.
struct CellGrid {
  Ordinal cells;
  std::int64_t width;
  std::int64_t radius_squared;

  CellGrid(Ordinal num_vertices, double degree) {
    const double radius = std::min(std::sqrt(degree / (std::numbers::pi * num_vertices)), 1.5) *
                          static_cast<double>(kGraphSide);
    const double per_side = std::floor(static_cast<double>(kGraphSide) / radius);
    const double at_most = std::ceil(std::sqrt(static_cast<double>(num_vertices)));
    cells = static_cast<Ordinal>(std::clamp(per_side, 1.0, at_most));
    width = (kGraphSide + cells - 1) / cells;
    const auto reach = static_cast<std::int64_t>(radius);
    radius_squared = reach * reach;
  }

  KOKKOS_INLINE_FUNCTION Ordinal column(const GraphPlace& p) const {
    return static_cast<Ordinal>(p.x / width);
  }
  KOKKOS_INLINE_FUNCTION Ordinal line(const GraphPlace& p) const {
    return static_cast<Ordinal>(p.y / width);
  }
};

/// The lines of cells around some rows: those rows' and one more on each side.
struct CellLines {
  Ordinal first, count;
  Ordinal vertices_before, num_vertices;

  KOKKOS_INLINE_FUNCTION bool has(Ordinal line) const {
    return line >= first && line - first < count;
  }
};

/// Of a range of `num_vertices` rows.
template <class Space>
CellLines lines_around(const Space& exec, const CellGrid& grid, std::uint64_t seed,
                       Ordinal num_vertices, const RowRange& range) {
  if (range.count == num_vertices) return {0, grid.cells, 0, num_vertices};
  if (range.count == 0) return {0, 0, 0, 0};
  auto counts = allocate<Ordinal>(exec, "tessera::gallery::vertices_of_lines", grid.cells);
  Kokkos::deep_copy(exec, counts, 0);
  Kokkos::parallel_for(
      "tessera::gallery::count_lines", Kokkos::RangePolicy<Space>(exec, 0, num_vertices),
      KOKKOS_LAMBDA(const Ordinal v) {
        Kokkos::atomic_inc(&counts(grid.line(GraphPlace::of(seed, v))));
      });
  const auto host = kernels::copy_to_host(exec, counts);
  std::vector<Ordinal> offsets{0};
  for (Ordinal line = 0; line < grid.cells; ++line)
    offsets.push_back(offsets.back() + host(line));
  const auto line_of = [&offsets](Ordinal row) {
    const auto after = std::upper_bound(offsets.begin(), offsets.end(), row);
    return static_cast<Ordinal>(after - offsets.begin()) - 1;
  };
  const Ordinal first = std::max(line_of(range.first) - 1, 0);
  const Ordinal end = std::min(line_of(range.first + range.count - 1) + 2, grid.cells);
  return {first, end - first, offsets[first], offsets[end] - offsets[first]};
}

/// Row generator: -1 to each vertex within the radius; degree + shift on the diagonal.
template <class Space>
struct GraphRows {
  Ordinal num_vertices;
  CellGrid grid;
  CellLines lines;
  double shift;
  ArrayView<const GraphPlace, Space> places;  ///< of the lines' vertices, cell by cell
  ArrayView<const Ordinal, Space> cell_offsets;  ///< first vertex of each cell, and their number

  KOKKOS_INLINE_FUNCTION Ordinal num_rows() const { return num_vertices; }
  KOKKOS_INLINE_FUNCTION GraphPlace place(Ordinal v) const {
    return places(v - lines.vertices_before);
  }

  KOKKOS_INLINE_FUNCTION bool near(const GraphPlace& p, const GraphPlace& q) const {
    const std::int64_t dx = std::int64_t{p.x} - q.x;
    const std::int64_t dy = std::int64_t{p.y} - q.y;
    return dx * dx + dy * dy <= grid.radius_squared;
  }

  /// Calls `visit(u)` for each vertex u within the radius of v, v itself included, in ascending
  /// order. The lines around v's cell are among `lines`.
  template <class Visit>
  KOKKOS_INLINE_FUNCTION void for_each_near(Ordinal v, Visit&& visit) const {
    const GraphPlace p = place(v);
    const Ordinal cx = grid.column(p);
    const Ordinal cy = grid.line(p);
    const Ordinal x_first = cx > 0 ? cx - 1 : 0;
    const Ordinal x_last = cx + 1 < grid.cells ? cx + 1 : cx;
    for (Ordinal y = cy > 0 ? cy - 1 : 0; y <= (cy + 1 < grid.cells ? cy + 1 : cy); ++y) {
      const Ordinal line = grid.cells * (y - lines.first);
      const Ordinal last = cell_offsets(x_last + line + 1);
      for (Ordinal u = cell_offsets(x_first + line); u < last; ++u) {
        if (near(p, places(u))) visit(lines.vertices_before + u);
      }
    }
  }

  KOKKOS_INLINE_FUNCTION std::int64_t row_length(Ordinal row) const {
    std::int64_t length = 0;
    for_each_near(row, [&length](Ordinal) { ++length; });
    return length;
  }

  template <class Writer>
  KOKKOS_INLINE_FUNCTION void fill(Ordinal row, Writer& out) const {
    const double diagonal = static_cast<double>(row_length(row) - 1) + shift;
    for_each_near(row, [&out, row, diagonal](Ordinal u) { out(u, u == row ? diagonal : -1.0); });
  }
};

/// Offsets of the vertices of the lines' cells, and their number.
template <class Space>
Array<Ordinal, Space> count_cells(const Space& exec, const CellGrid& grid, const CellLines& lines,
                                  std::uint64_t seed, Ordinal num_vertices) {
  const Ordinal num_cells = grid.cells * lines.count;
  auto offsets = allocate<Ordinal>(exec, "tessera::gallery::cell_offsets", num_cells + 1);
  Kokkos::deep_copy(exec, offsets, 0);
  Kokkos::parallel_for(
      "tessera::gallery::count_cells", Kokkos::RangePolicy<Space>(exec, 0, num_vertices),
      KOKKOS_LAMBDA(const Ordinal v) {
        const GraphPlace p = GraphPlace::of(seed, v);
        if (!lines.has(grid.line(p))) return;
        Kokkos::atomic_inc(&offsets(grid.column(p) + grid.cells * (grid.line(p) - lines.first)));
      });
  Kokkos::parallel_scan(
      "tessera::gallery::scan_cells", Kokkos::RangePolicy<Space>(exec, 0, num_cells + 1),
      KOKKOS_LAMBDA(const Ordinal c, Ordinal& sum, const bool final) {
        const Ordinal count = offsets(c);
        if (final) offsets(c) = sum;
        sum += count;
      });
  return offsets;
}

/// The lines' vertices cell by cell. They enter a cell in any order and are sorted there, so that
/// the result has one value.
template <class Space>
Array<Ordinal, Space> sort_into_cells(const Space& exec, const CellGrid& grid,
                                      const CellLines& lines, std::uint64_t seed,
                                      Ordinal num_vertices,
                                      const ArrayView<const Ordinal, Space>& offsets) {
  const Ordinal num_cells = grid.cells * lines.count;
  auto vertices = allocate<Ordinal>(exec, "tessera::gallery::vertices", lines.num_vertices);
  auto next = allocate<Ordinal>(exec, "tessera::gallery::next_in_cell", num_cells + 1);
  Kokkos::deep_copy(exec, next, offsets);
  Kokkos::parallel_for(
      "tessera::gallery::fill_cells", Kokkos::RangePolicy<Space>(exec, 0, num_vertices),
      KOKKOS_LAMBDA(const Ordinal v) {
        const GraphPlace p = GraphPlace::of(seed, v);
        if (!lines.has(grid.line(p))) return;
        const Ordinal c = grid.column(p) + grid.cells * (grid.line(p) - lines.first);
        vertices(Kokkos::atomic_fetch_inc(&next(c))) = v;
      });
  Kokkos::parallel_for(
      "tessera::gallery::sort_cells", Kokkos::RangePolicy<Space>(exec, 0, num_cells),
      KOKKOS_LAMBDA(const Ordinal c) {
        for (Ordinal i = offsets(c) + 1; i < offsets(c + 1); ++i) {
          const Ordinal v = vertices(i);
          Ordinal j = i;
          for (; j > offsets(c) && vertices(j - 1) > v; --j)
            vertices(j) = vertices(j - 1);
          vertices(j) = v;
        }
      });
  return vertices;
}

template <class Space>
Array<GraphPlace, Space> places_of(const Space& exec, std::uint64_t seed,
                                   const ArrayView<const Ordinal, Space>& vertices) {
  auto places = allocate<GraphPlace>(exec, "tessera::gallery::places", vertices.extent(0));
  Kokkos::parallel_for(
      "tessera::gallery::places", Kokkos::RangePolicy<Space>(exec, 0, vertices.extent(0)),
      KOKKOS_LAMBDA(const Ordinal v) { places(v) = GraphPlace::of(seed, vertices(v)); });
  return places;
}

/// b hashed uniformly from [-1, 1), and places in the unit square; from row `first` on.
template <class Scalar, class Space>
void fill_graph_vectors(const Space& exec, std::uint64_t seed, const GraphRows<Space>& rows,
                        Ordinal first, const MultiVectorView<Scalar, Space>& b,
                        const MultiVectorView<Scalar, Space>& coordinates) {
  const std::uint64_t stream = ~seed;
  Kokkos::parallel_for(
      "tessera::gallery::graph_vectors", Kokkos::RangePolicy<Space>(exec, 0, b.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i) {
        const Ordinal v = first + i;
        const GraphPlace p = rows.place(v);
        const auto bits = static_cast<std::int64_t>(hash(stream, v) >> 40);
        constexpr double unit = 1.0 / (1 << 23);
        b(i, 0) = static_cast<Scalar>(static_cast<double>(bits) * unit - 1.0);
        constexpr double side = 1.0 / (1 << 30);
        coordinates(i, 0) = static_cast<Scalar>(p.x * side);
        coordinates(i, 1) = static_cast<Scalar>(p.y * side);
      });
}

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_graph(const Space& exec, const GalleryParameters& parameters,
                                          const RowRange& range) {
  const Ordinal num_vertices = parameters.n * parameters.n;
  const auto seed = static_cast<std::uint64_t>(parameters.seed);
  const CellGrid grid(num_vertices, parameters.degree);
  const CellLines lines = lines_around(exec, grid, seed, num_vertices, range);
  const Ordinal passed = lines.count > 0 ? num_vertices : 0;
  const auto cell_offsets = count_cells(exec, grid, lines, seed, passed);
  const auto vertices = sort_into_cells<Space>(exec, grid, lines, seed, passed, cell_offsets);
  const auto places = places_of<Space>(exec, seed, vertices);
  const GraphRows<Space> rows{num_vertices, grid, lines, parameters.shift, places, cell_offsets};
  auto problem = assemble_scalar_problem<Scalar, Space, Offset>(exec, rows, range);
  problem.coordinates =
      allocate_multivector<Scalar>(exec, "tessera::gallery::coordinates", range.count, 2);
  fill_graph_vectors<Scalar, Space>(exec, seed, rows, range.first, problem.b, problem.coordinates);
  problem.description = "shifted Laplacian of a random geometric graph, " +
                        std::to_string(num_vertices) + " vertices, shift " +
                        number_text(parameters.shift);
  return problem;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_graph)

}  // namespace tessera::gallery_detail
