// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/chebyshev_recurrence.hpp"

#include "tessera/kernels/execution/error.hpp"

#include <cmath>
#include <numbers>
#include <string>

namespace tessera {
namespace detail {

/// What a spectral radius that is estimated from below is taken for.
constexpr double safety = 1.1;

std::vector<PolynomialStep> first_kind(double lower, double upper, int degree) {
  const double theta = (upper + lower) / 2;
  const double delta = (upper - lower) / 2;
  double rho = delta / theta;
  std::vector<PolynomialStep> steps = {{1 / theta, 0}};
  for (int step = 1; step < degree; ++step) {
    const double next = 1 / (2 * theta / delta - rho);
    steps.push_back({2 * next / delta, next * rho});
    rho = next;
  }
  return steps;
}

/// W_k(y) / W_k(y_of_zero), y running from `y_of_zero` at 0 to -1 at `upper`.
std::vector<PolynomialStep> fourth_kind(double y_of_zero, double upper, int degree) {
  double before = -1, here = 1;  // W_{-1} and W_0 at zero
  std::vector<PolynomialStep> steps;
  for (int step = 1; step <= degree; ++step) {
    const double next = 2 * y_of_zero * here - before;
    const double alpha = 2 * (1 + y_of_zero) / upper * here / next;
    steps.push_back({alpha, step == 1 ? 0 : before / next});
    before = here;
    here = next;
  }
  return steps;
}

}  // namespace detail

std::vector<PolynomialStep> chebyshev_steps(double spectral_radius, const ChebyshevParameters& p) {
  require(spectral_radius > 0 && std::isfinite(spectral_radius), [&] {
    return "spectral_radius is " + std::to_string(spectral_radius) +
           ", expected positive and finite";
  });
  require(p.eigenvalue_ratio >= 1 && p.degree >= 1, [&] {
    return "eigenvalue_ratio and degree are " + std::to_string(p.eigenvalue_ratio) + " and " +
           std::to_string(p.degree) + ", expected at least 1 each";
  });
  const double upper = detail::safety * spectral_radius;
  switch (p.kind) {
    case ChebyshevKind::first:
      break;
    case ChebyshevKind::fourth:
      return detail::fourth_kind(1, upper, p.degree);
    case ChebyshevKind::fourth_optimized:
      return detail::fourth_kind(std::cos(std::numbers::pi / (2 * p.degree + 1)), upper, p.degree);
  }
  return detail::first_kind(spectral_radius / p.eigenvalue_ratio, upper, p.degree);
}

}  // namespace tessera
