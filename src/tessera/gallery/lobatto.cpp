// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Nodes, weights and element matrices of the Gauss-Lobatto elements.
#include "tessera/gallery/detail/lobatto.hpp"

#include <cmath>
#include <numbers>

namespace tessera::gallery_detail {
namespace {

/// Legendre's polynomial of degree n at x, and its derivative; |x| < 1.
struct Legendre {
  double value = 1;
  double derivative = 0;

  Legendre(int n, double x) {
    double previous = 0;
    for (int i = 1; i <= n; ++i) {
      const double next = ((2 * i - 1) * x * value - (i - 1) * previous) / i;
      previous = value;
      value = next;
    }
    if (n > 0) derivative = n * (previous - x * value) / (1 - x * x);
  }
};

constexpr int kNewtonSteps =
    20;  // far more than the guesses below need; the last ones change nothing

/// Roots of the derivative of Legendre's polynomial of degree `order` and both ends, on [0, 1].
std::vector<double> lobatto_nodes(int order) {
  std::vector<double> nodes(order + 1);
  nodes[order] = 1;
  for (int i = 1; i < order; ++i) {
    double x = -std::cos(std::numbers::pi * i / order);
    for (int step = 0; step < kNewtonSteps; ++step) {
      const Legendre p(order, x);
      // (1 - x^2) P'' = 2 x P' - n (n + 1) P
      const double second = (2 * x * p.derivative - order * (order + 1) * p.value) / (1 - x * x);
      x -= p.derivative / second;
    }
    nodes[i] = (1 + x) / 2;
  }
  return nodes;
}

struct Quadrature {
  std::vector<double> points;
  std::vector<double> weights;
};

/// Gauss-Legendre quadrature on [0, 1], exact to degree 2 n - 1.
Quadrature gauss_legendre(int n) {
  Quadrature rule;
  for (int i = 0; i < n; ++i) {
    double x = -std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5));
    for (int step = 0; step < kNewtonSteps; ++step) {
      const Legendre p(n, x);
      x -= p.value / p.derivative;
    }
    const Legendre p(n, x);
    rule.points.push_back((1 + x) / 2);
    rule.weights.push_back(1 / ((1 - x * x) * p.derivative * p.derivative));
  }
  return rule;
}

/// Lagrange's polynomial number `a` of the nodes, at x.
double lagrange(const std::vector<double>& nodes, std::size_t a, double x) {
  double value = 1;
  for (std::size_t c = 0; c < nodes.size(); ++c) {
    if (c != a) value *= (x - nodes[c]) / (nodes[a] - nodes[c]);
  }
  return value;
}

/// Its derivative: one factor after the other replaced by its slope.
double lagrange_slope(const std::vector<double>& nodes, std::size_t a, double x) {
  double sum = 0;
  for (std::size_t d = 0; d < nodes.size(); ++d) {
    if (d == a) continue;
    double term = 1 / (nodes[a] - nodes[d]);
    for (std::size_t c = 0; c < nodes.size(); ++c) {
      if (c != a && c != d) term *= (x - nodes[c]) / (nodes[a] - nodes[c]);
    }
    sum += term;
  }
  return sum;
}

}  // namespace

LobattoElement lobatto_element(int order) {
  const auto nodes = lobatto_nodes(order);
  const auto rule = gauss_legendre(order + 1);
  const std::size_t size = nodes.size();
  LobattoElement element{std::vector<double>(size * size), std::vector<double>(size * size)};
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b < size; ++b) {
      double mass = 0;
      double stiffness = 0;
      for (std::size_t g = 0; g < rule.points.size(); ++g) {
        const double x = rule.points[g];
        mass += rule.weights[g] * (lagrange(nodes, a, x) * lagrange(nodes, b, x));
        stiffness += rule.weights[g] * (lagrange_slope(nodes, a, x) * lagrange_slope(nodes, b, x));
      }
      element.mass[a * size + b] = mass;
      element.stiffness[a * size + b] = stiffness;
    }
  }
  return element;
}

}  // namespace tessera::gallery_detail
