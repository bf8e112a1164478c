// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Convection and diffusion on an unstructured mesh of triangles.
#pragma once

#include "support/host_matrix.hpp"
#include "support/random_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace tessera::test {

enum class FlowOnTriangles { straight, vortex };

/// n by n inner points of a grid of the unit square, moved at random, and the squares cut in two
/// along a random diagonal. `perf_test/simplex_flow.py` writes such meshes, of another seed.
class TriangleMesh {
 public:
  using Place = std::array<double, 2>;

  explicit TriangleMesh(int n) : m_n(n) {
    Random random(1);
    const int side = n + 2;
    for (int j = 0; j < side; ++j) {
      for (int i = 0; i < side; ++i) {
        Place place{1.0 * i, 1.0 * j};
        for (double& x : place)
          x = (x + (is_inside(i, j) ? random.uniform(-0.2, 0.2) : 0)) / (n + 1);
        points.push_back(place);
      }
    }
    for (int j = 0; j + 1 < side; ++j) {
      for (int i = 0; i + 1 < side; ++i) {
        const int a = j * side + i, b = a + 1, c = a + side, d = c + 1;
        const bool along_ad = random.uniform() < 0.5;
        triangles.push_back(along_ad ? std::array{a, b, d} : std::array{a, b, c});
        triangles.push_back(along_ad ? std::array{a, d, c} : std::array{b, d, c});
      }
    }
  }

  /// Among the inner points; -1 for one of the boundary.
  int number(int point) const {
    const int i = point % (m_n + 2), j = point / (m_n + 2);
    return is_inside(i, j) ? (j - 1) * m_n + i - 1 : -1;
  }
  int point(int number) const { return (number / m_n + 1) * (m_n + 2) + number % m_n + 1; }

  std::vector<Place> points;
  std::vector<std::array<int, 3>> triangles;

 private:
  bool is_inside(int i, int j) const { return i > 0 && i <= m_n && j > 0 && j <= m_n; }

  int m_n;
};

/// What linear elements give of one pair of points.
struct FlowCoupling {
  double diffusion = 0, convection = 0;
};

/// -Laplace u + peclet w grad u by linear elements, u given at the boundary. Convection is made
/// monotone by the least diffusion along each edge that leaves no positive coupling (Kuzmin, Turek,
/// J. Comput. Phys. 175, 2002).
inline HostMatrix<double> triangle_flow(int n, double peclet, FlowOnTriangles flow) {
  const TriangleMesh mesh(n);
  std::vector<std::map<int, FlowCoupling>> couplings(mesh.points.size());
  for (const auto& corners : mesh.triangles) {
    const auto& [a, b, c] =
        std::array{mesh.points[corners[0]], mesh.points[corners[1]], mesh.points[corners[2]]};
    const double determinant = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    const double area = std::abs(determinant) / 2;
    std::array<std::array<double, 2>, 3> slope;
    slope[1] = {(c[1] - a[1]) / determinant, (a[0] - c[0]) / determinant};
    slope[2] = {(a[1] - b[1]) / determinant, (b[0] - a[0]) / determinant};
    slope[0] = {-slope[1][0] - slope[2][0], -slope[1][1] - slope[2][1]};
    const double x = 2 * (a[0] + b[0] + c[0]) / 3 - 1, y = 2 * (a[1] + b[1] + c[1]) / 3 - 1;
    const std::array<double, 2> speed = flow == FlowOnTriangles::vortex
                                            ? std::array{y * (1 - x * x), -x * (1 - y * y)}
                                            : std::array{0.8, 0.5};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        FlowCoupling& coupling = couplings[corners[i]][corners[j]];
        coupling.diffusion += area * (slope[i][0] * slope[j][0] + slope[i][1] * slope[j][1]);
        coupling.convection +=
            peclet * area / 3 * (speed[0] * slope[j][0] + speed[1] * slope[j][1]);
      }
    }
  }
  return by_rows<double>(n * n, n * n, [&](auto& A, std::int32_t row) {
    const int point = mesh.point(row);
    const auto& own = couplings[point];
    const auto added = [&](int other) {
      return std::max({0.0, own.at(other).convection, couplings[other].at(point).convection});
    };
    double diagonal = own.at(point).diffusion + own.at(point).convection;
    for (const auto& [other, coupling] : own)
      if (other != point) diagonal += added(other);
    for (const auto& [other, coupling] : own) {
      const int column = mesh.number(other);
      if (column < 0) continue;
      A.push(column,
             other == point ? diagonal : coupling.diffusion + coupling.convection - added(other));
    }
  });
}

}  // namespace tessera::test
