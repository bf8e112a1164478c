// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Discontinuous elements on tetrahedra.
#pragma once

#include "support/tetrahedra.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace tessera::test {

/// Lagrange's polynomials of the order on a tetrahedron (Silvester): of each node the product over
/// the corners of R_m(lambda), where m / order is the node's barycentric coordinate.
class SimplexBasis {
 public:
  explicit SimplexBasis(int order) : m_order(order) {
    for (int a = order; a >= 0; --a)
      for (int b = order - a; b >= 0; --b)
        for (int c = order - a - b; c >= 0; --c)
          m_nodes.push_back({a, b, c, order - a - b - c});
  }
  int count() const { return static_cast<int>(m_nodes.size()); }
  std::array<double, 4> node(int k) const {
    std::array<double, 4> at{};
    for (int c = 0; c < 4; ++c)
      at[c] = static_cast<double>(m_nodes[k][c]) / m_order;
    return at;
  }
  double value(int k, const std::array<double, 4>& at) const {
    double product = 1;
    for (int c = 0; c < 4; ++c)
      product *= factor(m_nodes[k][c], at[c]);
    return product;
  }
  Point3 gradient(int k, const std::array<double, 4>& at, const Tetrahedra::Cell& cell) const {
    Point3 sum{};
    for (int c = 0; c < 4; ++c) {
      double product = slope(m_nodes[k][c], at[c]);
      for (int other = 0; other < 4; ++other)
        if (other != c) product *= factor(m_nodes[k][other], at[other]);
      for (int d = 0; d < 3; ++d)
        sum[d] += product * cell.gradients[c][d];
    }
    return sum;
  }

 private:
  /// R_m.
  double factor(int m, double x) const {
    double product = 1;
    for (int j = 0; j < m; ++j)
      product *= (m_order * x - j) / (j + 1);
    return product;
  }
  /// Its derivative.
  double slope(int m, double x) const {
    double sum = 0;
    for (int left_out = 0; left_out < m; ++left_out) {
      double product = static_cast<double>(m_order) / (left_out + 1);
      for (int j = 0; j < m; ++j)
        if (j != left_out) product *= (m_order * x - j) / (j + 1);
      sum += product;
    }
    return sum;
  }

  int m_order;
  std::vector<std::array<int, 4>> m_nodes;
};

/// As `discontinuous_squares`, on tetrahedra, the flow along (1, 0.6, 0.3). The penalty is
/// Shahbazi's (J. Comput. Phys. 205, 2005).
class DiscontinuousTetrahedra {
 public:
  const Tetrahedra mesh;
  const SimplexBasis basis;

  DiscontinuousTetrahedra(int n, int order, double speed, double diffusion)
      : mesh(n),
        basis(order),
        m_order(order),
        m_flow{speed, 0.6 * speed, 0.3 * speed},
        m_diffusion(diffusion) {}

  int num_rows() const { return static_cast<int>(mesh.cells.size()) * basis.count(); }

  HostMatrix<double> matrix() const {
    const int p = basis.count();
    std::vector<std::map<int, Square>> blocks(mesh.cells.size());  // by row and column of cells
    for (int c = 0; c < static_cast<int>(mesh.cells.size()); ++c) {
      const Tetrahedra::Cell& cell = mesh.cells[c];
      add_inside(cell, blocks[c].try_emplace(c, Square{p}).first->second);
      for (int face = 0; face < 4; ++face) {
        add_face(cell, face, cell, blocks[c].at(c));
        if (cell.beyond[face] < 0) continue;
        const int other = cell.beyond[face];
        add_face(cell, face, mesh.cells[other],
                 blocks[c].try_emplace(other, Square{p}).first->second);
      }
    }
    return by_rows<double>(num_rows(), num_rows(), [&](auto& A, std::int32_t row) {
      for (const auto& [other, block] : blocks[row / p]) {
        for (int k = 0; k < p; ++k)
          if (block(row % p, k) != 0) A.push(other * p + k, block(row % p, k));
      }
    });
  }

  /// What the solution has to be given on the right for `source` inside and `given` beyond the rim.
  template <class Function, class Given>
  std::vector<double> load(const Function& source, const Given& given) const {
    std::vector<double> b;
    for (const Tetrahedra::Cell& cell : mesh.cells) {
      for (int i = 0; i < basis.count(); ++i) {
        double sum = 0;
        for (const auto& [at, weight] : quadrature())
          sum += cell.volume * weight * source(mesh.place(cell, at)) * basis.value(i, at);
        for (int face = 0; face < 4; ++face) {
          if (cell.beyond[face] >= 0) continue;
          const Point3 normal = cell.normal(face);
          for (const auto& [at, weight] : quadrature(face))
            sum +=
                cell.area(face) * weight * given(mesh.place(cell, at)) *
                ((penalty(cell, face) + std::max(0.0, -dot(m_flow, normal))) * basis.value(i, at) -
                 m_diffusion * dot(basis.gradient(i, at, cell), normal));
        }
        b.push_back(sum);
      }
    }
    return b;
  }

 private:
  double penalty(const Tetrahedra::Cell& cell, int face) const {
    const auto sharpness = [](const Tetrahedra::Cell& c) { return c.surface() / c.volume; };
    const double own = sharpness(cell);
    const int other = cell.beyond[face];
    const double steepest = other < 0 ? own : std::max(own, sharpness(mesh.cells[other])) / 2;
    return m_diffusion * (m_order + 1) * (m_order + 3) / 3.0 * steepest;
  }

  struct Shape {
    double value;
    Point3 gradient;
  };
  std::vector<Shape> shapes(const std::array<double, 4>& at, const Tetrahedra::Cell& cell) const {
    std::vector<Shape> all;
    for (int k = 0; k < basis.count(); ++k)
      all.push_back({basis.value(k, at), basis.gradient(k, at, cell)});
    return all;
  }

  void add_inside(const Tetrahedra::Cell& cell, Square& block) const {
    for (const auto& [at, weight] : quadrature()) {
      const auto shape = shapes(at, cell);
      for (int i = 0; i < basis.count(); ++i) {
        const double along = dot(m_flow, shape[i].gradient);
        for (int j = 0; j < basis.count(); ++j)
          block(i, j) +=
              cell.volume * weight *
              (m_diffusion * dot(shape[j].gradient, shape[i].gradient) - shape[j].value * along);
      }
    }
  }

  /// What the rows of `cell` get across its face from `of`: from itself or from the one beyond.
  void add_face(const Tetrahedra::Cell& cell, int face, const Tetrahedra::Cell& of,
                Square& block) const {
    const bool own = &of == &cell;
    const Point3 normal = cell.normal(face);
    const double outflow = dot(m_flow, normal);
    const double sign = own ? 1 : -1;
    const double jump =
        (own ? std::max(outflow, 0.0) : std::min(outflow, 0.0)) + sign * penalty(cell, face);
    const double share = (cell.beyond[face] < 0 ? 1 : 0.5) * m_diffusion;
    for (const auto& [at, weight] : quadrature(face)) {
      std::array<double, 4> there{};
      for (int c = 0; c < 4; ++c)
        for (int d = 0; d < 4; ++d)
          if (of.vertices[d] == cell.vertices[c]) there[d] = at[c];
      const auto here = shapes(at, cell);
      const auto from = shapes(there, of);
      for (int i = 0; i < basis.count(); ++i) {
        const double v = here[i].value, dv = dot(here[i].gradient, normal);
        for (int j = 0; j < basis.count(); ++j) {
          const double u = from[j].value, du = dot(from[j].gradient, normal);
          block(i, j) +=
              cell.area(face) * weight * (v * jump * u - share * (du * v + sign * dv * u));
        }
      }
    }
  }

  int m_order;
  Point3 m_flow;
  double m_diffusion;
};

}  // namespace tessera::test
