// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Convection and diffusion that the gallery has not: a flow that closes on itself, and
/// discontinuous elements.
#pragma once

#include "support/host_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tessera::test {

enum class Differences { upwind, central };

/// -Laplace u + peclet w grad u on n by n points of the unit square, u given at the boundary, times
/// the square of the mesh width. w is one vortex, whose speed is 1 in the middle of each side
/// (Elman, Silvester, Wathen, Finite Elements and Fast Iterative Solvers, example 6.1.4).
inline HostMatrix<double> vortex(std::int32_t n, double peclet, Differences differences) {
  const double h = 1.0 / (n + 1);
  return by_rows<double>(n * n, n * n, [&](auto& A, std::int32_t row) {
    const std::int32_t i = row % n, j = row / n;
    const double x = 2 * h * (i + 1) - 1, y = 2 * h * (j + 1) - 1;
    const std::array<double, 2> speed{h * peclet * y * (1 - x * x), -h * peclet * x * (1 - y * y)};
    // What a neighbour against the flow and one along it get of it.
    const auto against = [&](double c) {
      return differences == Differences::upwind ? std::max(c, 0.0) : c / 2;
    };
    const std::array<double, 2> before{against(speed[0]), against(speed[1])};
    const std::array<double, 2> after{against(-speed[0]), against(-speed[1])};
    if (j > 0) A.push(row - n, -1 - before[1]);
    if (i > 0) A.push(row - 1, -1 - before[0]);
    A.push(row, 4 + before[0] + before[1] + after[0] + after[1]);
    if (i + 1 < n) A.push(row + 1, -1 - after[0]);
    if (j + 1 < n) A.push(row + n, -1 - after[1]);
  });
}

/// A small dense matrix, by rows.
struct Square {
  int n = 0;
  std::vector<double> values = std::vector<double>(static_cast<std::size_t>(n) * n);

  double& operator()(int i, int j) { return values[static_cast<std::size_t>(i) * n + j]; }
  double operator()(int i, int j) const { return values[static_cast<std::size_t>(i) * n + j]; }
};

/// Lagrange's polynomials of Gauss and Lobatto's points on [0, 1], of order 1 to 3.
class Lagrange {
 public:
  explicit Lagrange(int order) {
    const double inner = 0.5 / std::sqrt(5.0);
    if (order == 1) m_points = {0, 1};
    if (order == 2) m_points = {0, 0.5, 1};
    if (order == 3) m_points = {0, 0.5 - inner, 0.5 + inner, 1};
  }
  int count() const { return static_cast<int>(m_points.size()); }
  double value(int k, double x) const {
    double product = 1;
    for (int m = 0; m < count(); ++m)
      if (m != k) product *= (x - m_points[m]) / (m_points[k] - m_points[m]);
    return product;
  }
  double derivative(int k, double x) const {
    double sum = 0;
    for (int left_out = 0; left_out < count(); ++left_out) {
      if (left_out == k) continue;
      double product = 1 / (m_points[k] - m_points[left_out]);
      for (int m = 0; m < count(); ++m)
        if (m != k && m != left_out) product *= (x - m_points[m]) / (m_points[k] - m_points[m]);
      sum += product;
    }
    return sum;
  }

 private:
  std::vector<double> m_points;
};

/// Four points of a line and their weights, of order 7.
struct GaussPoints {
  std::array<double, 4> at;
  std::array<double, 4> weight;
};
inline constexpr GaussPoints gauss_points{
    {0.06943184420297371, 0.33000947820757187, 0.6699905217924281, 0.9305681557970263},
    {0.17392742256872693, 0.32607257743127307, 0.32607257743127307, 0.17392742256872693}};

/// Discontinuous elements on a line of `cells` of length 1, of a flow to the right and a diffusion
/// (with u = 0 beyond both ends): upwind, and the symmetric interior penalty method (Arnold, SIAM
/// J. Numer. Anal. 19, 1982). And the mass matrix.
struct DiscontinuousLine {
  Square A, mass;

  DiscontinuousLine(int cells, int order, double speed, double diffusion) {
    const Lagrange basis(order);
    const int p = basis.count();
    A = mass = Square{cells * p};
    const auto& [at, weight] = gauss_points;
    for (int c = 0; c < cells; ++c) {
      for (int i = 0; i < p; ++i) {
        for (int j = 0; j < p; ++j) {
          for (int q = 0; q < 4; ++q) {
            const double u = basis.value(j, at[q]), du = basis.derivative(j, at[q]);
            const double v = basis.value(i, at[q]), dv = basis.derivative(i, at[q]);
            mass(c * p + i, c * p + j) += weight[q] * u * v;
            A(c * p + i, c * p + j) += weight[q] * (diffusion * du - speed * u) * dv;
          }
        }
      }
    }
    const double penalty = diffusion * (order + 1) * (order + 1);
    for (int face = 0; face <= cells; ++face) {
      // Cells to the left and to the right, with their ends at the face and the jump's signs.
      for (const auto& [ci, xi, sign_i] : {Side{face - 1, 1, 1}, Side{face, 0, -1}}) {
        for (const auto& [cj, xj, sign_j] : {Side{face - 1, 1, 1}, Side{face, 0, -1}}) {
          if (ci < 0 || ci == cells || cj < 0 || cj == cells) continue;
          const double share = face == 0 || face == cells ? 1 : 0.5;
          for (int i = 0; i < p; ++i) {
            for (int j = 0; j < p; ++j) {
              const double u = basis.value(j, xj), du = basis.derivative(j, xj);
              const double v = basis.value(i, xi), dv = basis.derivative(i, xi);
              const double upwind = cj < face ? speed * u : 0;
              A(ci * p + i, cj * p + j) += sign_i * v * (upwind + penalty * sign_j * u) -
                                           share * diffusion * (du * sign_i * v + dv * sign_j * u);
            }
          }
        }
      }
    }
  }

 private:
  struct Side {
    int cell;
    double end;
    int sign;
  };
};

/// The same on `cells` by `cells` squares, the flow along (1, 0.6), node by node within a cell.
inline HostMatrix<double> discontinuous_squares(int cells, int order, double speed,
                                                double diffusion) {
  const DiscontinuousLine x(cells, order, speed, diffusion);
  const DiscontinuousLine y(cells, order, 0.6 * speed, diffusion);
  const int p = order + 1, own = p * p, n = cells * cells * own;
  return by_rows<double>(n, n, [&](auto& A, std::int32_t row) {
    const int cell = row / own, cx = cell % cells, cy = cell / cells;
    const int ix = cx * p + row % own % p, iy = cy * p + row % own / p;
    for (const int other : {cell - cells, cell - 1, cell, cell + 1, cell + cells}) {
      if (other < 0 || other >= cells * cells) continue;
      const int ox = other % cells, oy = other / cells;
      if (ox != cx && oy != cy) continue;
      for (int k = 0; k < own; ++k) {
        const int jx = ox * p + k % p, jy = oy * p + k / p;
        const double value = x.A(ix, jx) * y.mass(iy, jy) + x.mass(ix, jx) * y.A(iy, jy);
        if (value != 0) A.push(other * own + k, value);
      }
    }
  });
}

}  // namespace tessera::test
