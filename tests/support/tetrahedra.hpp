// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A mesh of tetrahedra, and points to integrate over its cells and faces.
#pragma once

#include "support/flows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

namespace tessera::test {

using Point3 = std::array<double, 3>;

inline double dot(const Point3& a, const Point3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline Point3 cross(const Point3& a, const Point3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline Point3 minus(const Point3& a, const Point3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// A point of a cell in barycentric coordinates, and its weight, whose sum is 1.
struct QuadraturePoint {
  std::array<double, 4> at;
  double weight;
};

/// The cell's inside, exact to order 5, or the face across from corner `face`, to order 6: Gauss's
/// points of a line in collapsed coordinates.
inline std::vector<QuadraturePoint> quadrature(int face = -1) {
  std::vector<QuadraturePoint> points;
  const auto& [at, weight] = gauss_points;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const double s = at[i], t = (1 - s) * at[j], rest = 1 - s - t;
      const double flat = 2 * weight[i] * weight[j] * (1 - s);
      if (face >= 0) {
        std::array<double, 4> corners{};
        corners[(face + 1) % 4] = s;
        corners[(face + 2) % 4] = t;
        corners[(face + 3) % 4] = rest;
        points.push_back({corners, flat});
        continue;
      }
      for (int k = 0; k < 4; ++k)
        points.push_back({{s, t, rest * at[k], rest - rest * at[k]}, 3 * flat * weight[k] * rest});
    }
  }
  return points;
}

/// The cube of `n` cubes' edge of length 1 each, every cube cut into six tetrahedra along its
/// diagonal (Kuhn). Vertices inside are moved by up to 0.15, so that no two cells are alike.
struct Tetrahedra {
  struct Cell {
    std::array<int, 4> vertices;
    std::array<int, 4> beyond{-1, -1, -1, -1};  ///< the cell across from each, -1: none
    std::array<Point3, 4> gradients;  ///< of the barycentric coordinates
    double volume;

    double area(int face) const {
      return 3 * volume * std::sqrt(dot(gradients[face], gradients[face]));
    }
    /// Outwards, of length 1.
    Point3 normal(int face) const {
      const Point3& g = gradients[face];
      const double length = -std::sqrt(dot(g, g));
      return {g[0] / length, g[1] / length, g[2] / length};
    }
    double surface() const { return area(0) + area(1) + area(2) + area(3); }
  };
  std::vector<Point3> vertices;
  std::vector<Cell> cells;

  explicit Tetrahedra(int n) {
    const int m = n + 1;
    for (int v = 0; v < m * m * m; ++v) {
      const std::array<int, 3> at{v % m, v / m % m, v / (m * m)};
      const bool inside =
          std::ranges::all_of(at, [&](int coordinate) { return coordinate % n != 0; });
      Point3 place{};
      for (int d = 0; d < 3; ++d)
        place[d] = at[d] + (inside ? 0.15 * std::sin(12.9898 * (3 * v + d)) : 0);
      vertices.push_back(place);
    }
    const std::array<int, 3> step{1, m, m * m};
    for (int v = 0; v < m * m * m; ++v) {
      if (v % m == n || v / m % m == n || v / (m * m) == n) continue;
      std::array<int, 3> axes{0, 1, 2};
      do {
        const int second = v + step[axes[0]], third = second + step[axes[1]];
        add({v, second, third, third + step[axes[2]]});
      } while (std::next_permutation(axes.begin(), axes.end()));
    }
  }

  Point3 place(const Cell& cell, const std::array<double, 4>& at) const {
    Point3 sum{};
    for (int corner = 0; corner < 4; ++corner)
      for (int d = 0; d < 3; ++d)
        sum[d] += at[corner] * vertices[cell.vertices[corner]][d];
    return sum;
  }

 private:
  void add(const std::array<int, 4>& corners) {
    const int number = static_cast<int>(cells.size());
    Cell cell{};
    cell.vertices = corners;
    const auto edge = [&](int from, int to) {
      return minus(vertices[corners[to]], vertices[corners[from]]);
    };
    for (int c = 0; c < 4; ++c) {
      const int a = (c + 1) % 4, b = (c + 2) % 4, d = (c + 3) % 4;
      const Point3 across = cross(edge(a, b), edge(a, d));
      const double height = dot(across, edge(a, c));
      cell.volume = std::abs(height) / 6;
      for (int x = 0; x < 3; ++x)
        cell.gradients[c][x] = across[x] / height;
      std::array<int, 3> face{corners[a], corners[b], corners[d]};
      std::ranges::sort(face);
      const auto [other, is_new] = m_open.try_emplace(face, std::array<int, 2>{number, c});
      if (is_new) continue;
      cell.beyond[c] = other->second[0];
      cells[other->second[0]].beyond[other->second[1]] = number;
    }
    cells.push_back(cell);
  }

  std::map<std::array<int, 3>, std::array<int, 2>> m_open;  ///< cell and face of a first side
};

}  // namespace tessera::test
