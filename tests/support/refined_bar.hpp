// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Elasticity on a bar of hexahedra that is refined uniformly and numbered as MFEM numbers meshes,
/// which leaves no order of a grid.
#pragma once

#include "support/host_matrix.hpp"
#include "support/textbook_element.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

namespace tessera::test {

/// MFEM's `beam-hex.mesh`, a bar of 8 x 1 x 1 cubes, after `Mesh::UniformRefinement`s: the old
/// vertices keep their numbers, then come one per edge, one per face and one per element, edges and
/// faces in the order in which elements meet them first.
class RefinedBar {
 public:
  /// In edges of an element.
  using Point = std::array<std::int32_t, 3>;

  explicit RefinedBar(int refinements) {
    for (std::int32_t x = 0; x < 8; ++x)
      m_elements.push_back({x, 0, 0});
    number_along_axes();
    for (int i = 0; i < refinements; ++i)
      refine();
  }

  /// Along x first, then y, then z, as grids are numbered.
  void number_along_axes() {
    m_vertices.clear();
    for (std::int32_t z = 0; z <= m_cells; ++z) {
      for (std::int32_t y = 0; y <= m_cells; ++y) {
        for (std::int32_t x = 0; x <= 8 * m_cells; ++x)
          m_vertices.push_back({x, y, z});
      }
    }
    find_numbers();
  }

  /// By number.
  const std::vector<Point>& vertices() const { return m_vertices; }
  std::int32_t num_rows() const { return 3 * static_cast<std::int32_t>(m_vertices.size()); }

  /// Column after column.
  std::vector<double> coordinates() const {
    std::vector<double> result;
    for (int d = 0; d < 3; ++d) {
      for (const Point& p : m_vertices)
        result.push_back(static_cast<double>(p[d]) / m_cells);
    }
    return result;
  }

  /// Trilinear elements, lambda = mu = 1 and 50 times that in the half where x < 4; a vertex's
  /// displacements side by side. The end x = 0 is clamped: its rows and columns hold stored zeros
  /// and a 1 on the diagonal.
  HostMatrix<double> elasticity() const {
    const Dense K = textbook_element(3, 1, 1);
    HostMatrix<double> A;
    A.num_rows = A.num_cols = num_rows();
    A.columns.reserve(81 * static_cast<std::size_t>(num_rows()));
    A.values.reserve(81 * static_cast<std::size_t>(num_rows()));
    for (const Point& p : m_vertices) {
      const auto near = vertices_near(p);
      std::vector<std::array<double, 9>> blocks;
      for (const std::int32_t q : near)
        blocks.push_back(block(K, p, m_vertices[q]));
      for (int i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < near.size(); ++k) {
          for (int j = 0; j < 3; ++j)
            A.push(3 * near[k] + j, blocks[k][3 * i + j]);
        }
        A.end_row();
      }
    }
    return A;
  }

 private:
  /// Corners as MFEM has them, those of edge 1.
  static constexpr Point corners[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                      {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  /// Middles of its edges, of edge 2.
  static constexpr Point edges[] = {{1, 0, 0}, {2, 1, 0}, {1, 2, 0}, {0, 1, 0},
                                    {1, 0, 2}, {2, 1, 2}, {1, 2, 2}, {0, 1, 2},
                                    {0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}};
  static constexpr Point faces[] = {{1, 1, 0}, {1, 0, 1}, {2, 1, 1},
                                    {1, 2, 1}, {0, 1, 1}, {1, 1, 2}};
  static constexpr Point middle[] = {{1, 1, 1}};

  static Point twice(const Point& p) { return {2 * p[0], 2 * p[1], 2 * p[2]}; }
  static Point sum(const Point& p, const Point& q) {
    return {p[0] + q[0], p[1] + q[1], p[2] + q[2]};
  }

  std::size_t on_grid(const Point& p) const {
    return p[0] + (8 * m_cells + 1) * (p[1] + (m_cells + 1) * p[2]);
  }

  /// From the vertices, of which some may be missing yet.
  void find_numbers() {
    m_numbers.assign((8 * m_cells + 1) * (m_cells + 1) * (m_cells + 1), -1);
    for (std::size_t v = 0; v < m_vertices.size(); ++v)
      m_numbers[on_grid(m_vertices[v])] = static_cast<std::int32_t>(v);
  }

  void refine() {
    m_cells *= 2;
    for (auto* const points : {&m_vertices, &m_elements})
      std::transform(points->begin(), points->end(), points->begin(), twice);
    find_numbers();
    for (const std::span<const Point> kind :
         {std::span<const Point>(edges), std::span<const Point>(faces),
          std::span<const Point>(middle)}) {
      for (const Point& element : m_elements) {
        for (const Point& step : kind)
          add_vertex(sum(element, step));
      }
    }
    std::vector<Point> parts;
    for (const Point& element : m_elements) {
      for (const Point& corner : corners)
        parts.push_back(sum(element, corner));
    }
    m_elements = std::move(parts);
  }

  void add_vertex(const Point& p) {
    std::int32_t& number = m_numbers[on_grid(p)];
    if (number >= 0) return;
    number = static_cast<std::int32_t>(m_vertices.size());
    m_vertices.push_back(p);
  }

  /// Of the elements around `p`, itself included; ascending.
  std::vector<std::int32_t> vertices_near(const Point& p) const {
    std::vector<std::int32_t> near;
    const auto last = [this](int d) { return d == 0 ? 8 * m_cells : m_cells; };
    const auto low = [&](int d) { return std::max(p[d] - 1, 0); };
    const auto high = [&](int d) { return std::min(p[d] + 1, last(d)); };
    for (std::int32_t z = low(2); z <= high(2); ++z) {
      for (std::int32_t y = low(1); y <= high(1); ++y) {
        for (std::int32_t x = low(0); x <= high(0); ++x)
          near.push_back(m_numbers[on_grid({x, y, z})]);
      }
    }
    std::sort(near.begin(), near.end());
    return near;
  }

  /// What couples the displacements of `p` with those of `q`, row after row, over the elements that
  /// they share.
  std::array<double, 9> block(const Dense& K, const Point& p, const Point& q) const {
    std::array<double, 9> sums{};
    if (p[0] == 0 || q[0] == 0) {
      for (int i = 0; i < 3; ++i)
        sums[4 * i] = p == q ? 1 : 0;
      return sums;
    }
    for (int e = 0; e < 8; ++e) {
      int a = 0, b = 0;
      bool is_shared = true;
      double coefficient = 1.0 / m_cells;
      for (int d = 0; d < 3; ++d) {
        const std::int32_t at = p[d] - (e >> d & 1);  // the element's place along the axis
        is_shared &=
            at >= 0 && at < (d == 0 ? 8 * m_cells : m_cells) && q[d] >= at && q[d] <= at + 1;
        a |= (p[d] - at) << d;
        b |= (q[d] - at) << d;
        if (d == 0 && at < 4 * m_cells) coefficient *= 50;
      }
      if (!is_shared) continue;
      for (int k = 0; k < 9; ++k) {
        // From one triangle of K: A is symmetric to the last bit.
        const auto [row, column] = std::minmax({3 * a + k / 3, 3 * b + k % 3});
        sums[k] += coefficient * static_cast<double>(K(row, column));
      }
    }
    return sums;
  }

  std::int32_t m_cells = 1;  ///< per unit of length
  std::vector<Point> m_vertices;
  std::vector<Point> m_elements;  ///< their lowest corners
  std::vector<std::int32_t> m_numbers;  ///< of the grid's points; -1: none yet
};

}  // namespace tessera::test
