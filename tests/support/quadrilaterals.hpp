// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rotated anisotropic diffusion on an unstructured mesh of quadrilaterals, with bilinear elements.
#pragma once

#include "support/random_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

namespace tessera::test {

/// The squares of an n by n grid of the unit square, whose inner vertices are moved by chance, are
/// cut into triangles along one of their diagonals, by chance, too. Each triangle is cut into three
/// quadrilaterals by its centre and the middles of its edges. Vertices are numbered first, then
/// middles, then centres. `perf_test/quadrilaterals.py` writes such meshes, by other numbers.
class QuadrilateralMesh {
 public:
  struct Node {
    std::array<double, 2> at;
    int sides = 0;  ///< of the square that it lies on, a bit each
  };

  explicit QuadrilateralMesh(int n) {
    Random random(1);
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i <= n; ++i) {
        const int sides = (i == 0 ? 1 : 0) | (i == n ? 2 : 0) | (j == 0 ? 4 : 0) | (j == n ? 8 : 0);
        Node node{{1.0 * i, 1.0 * j}, sides};
        for (double& x : node.at)
          x = (x + (sides == 0 ? random.uniform(-0.25, 0.25) : 0)) / n;
        nodes.push_back(node);
      }
    }
    std::vector<std::array<int, 3>> triangles;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const int a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
        const bool along_ad = random.uniform() < 0.5;
        triangles.push_back(along_ad ? std::array{a, b, d} : std::array{a, b, c});
        triangles.push_back(along_ad ? std::array{a, d, c} : std::array{b, d, c});
      }
    }
    for (const auto& corners : triangles)
      for (int k = 0; k < 3; ++k)
        middle_of(corners[k], corners[(k + 1) % 3]);
    for (const auto& corners : triangles) {
      Node centre{};
      for (const int corner : corners)
        for (int d = 0; d < 2; ++d)
          centre.at[d] += nodes[corner].at[d] / 3;
      const int number = static_cast<int>(nodes.size());
      nodes.push_back(centre);
      for (int k = 0; k < 3; ++k)
        cells.push_back({corners[k], middle_of(corners[k], corners[(k + 1) % 3]), number,
                         middle_of(corners[k], corners[(k + 2) % 3])});
    }
  }

  std::vector<Node> nodes;
  std::vector<std::array<int, 4>> cells;  ///< four nodes, in order around it

 private:
  /// The node in the middle of an edge, made where it is new.
  int middle_of(int a, int b) {
    const auto [found, is_new] =
        m_middles.try_emplace(std::minmax({a, b}), static_cast<int>(nodes.size()));
    if (is_new) {
      const auto &from = nodes[a], &to = nodes[b];
      nodes.push_back(
          {{(from.at[0] + to.at[0]) / 2, (from.at[1] + to.at[1]) / 2}, from.sides & to.sides});
    }
    return found->second;
  }

  std::map<std::pair<int, int>, int> m_middles;
};

/// The integral of grad u K grad v over a quadrilateral, by 2 by 2 Gauss points; K by its entries
/// xx, xy and yy.
inline std::array<std::array<double, 4>, 4> bilinear_element(
    const std::array<std::array<double, 2>, 4>& corners, const std::array<double, 3>& K) {
  std::array<std::array<double, 4>, 4> matrix{};
  const double at = 1 / std::sqrt(3.0);
  for (const double s : {-at, at}) {
    for (const double t : {-at, at}) {
      const std::array ds{-(1 - t) / 4, (1 - t) / 4, (1 + t) / 4, -(1 + t) / 4};
      const std::array dt{-(1 - s) / 4, -(1 + s) / 4, (1 + s) / 4, (1 - s) / 4};
      double xs = 0, xt = 0, ys = 0, yt = 0;
      for (int k = 0; k < 4; ++k) {
        xs += ds[k] * corners[k][0];
        xt += dt[k] * corners[k][0];
        ys += ds[k] * corners[k][1];
        yt += dt[k] * corners[k][1];
      }
      const double area = xs * yt - xt * ys;
      std::array<double, 4> gx{}, gy{};
      for (int k = 0; k < 4; ++k) {
        gx[k] = (yt * ds[k] - ys * dt[k]) / area;
        gy[k] = (xs * dt[k] - xt * ds[k]) / area;
      }
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          matrix[i][j] += area * (gx[i] * (K[0] * gx[j] + K[1] * gy[j]) +
                                  gy[i] * (K[1] * gx[j] + K[2] * gy[j]));
    }
  }
  return matrix;
}

/// Diffusion 1 along a direction and `epsilon` across it; the boundary's values are fixed and left
/// out: 6 n^2 - 4 n + 1 rows.
inline HostMatrix<double> anisotropic_quadrilaterals(int n, double epsilon, double degrees) {
  const QuadrilateralMesh mesh(n);
  const double theta = degrees * std::numbers::pi / 180;
  const double c = std::cos(theta), s = std::sin(theta);
  const std::array K{c * c + epsilon * s * s, (1 - epsilon) * c * s, s * s + epsilon * c * c};
  std::vector<int> row_of(mesh.nodes.size(), -1);
  int num_rows = 0;
  for (std::size_t v = 0; v < row_of.size(); ++v)
    if (mesh.nodes[v].sides == 0) row_of[v] = num_rows++;
  std::vector<std::map<std::int32_t, double>> rows(num_rows);
  for (const auto& cell : mesh.cells) {
    std::array<std::array<double, 2>, 4> corners;
    for (int k = 0; k < 4; ++k)
      corners[k] = mesh.nodes[cell[k]].at;
    const auto element = bilinear_element(corners, K);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        if (row_of[cell[i]] >= 0 && row_of[cell[j]] >= 0)
          rows[row_of[cell[i]]][row_of[cell[j]]] += element[i][j];
  }
  return by_rows<double>(num_rows, num_rows, [&](auto& A, std::int32_t i) {
    for (const auto& [j, value] : rows[i])
      A.push(j, value);
  });
}

}  // namespace tessera::test
