// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The two-term recurrences of Chebyshev polynomials for relaxation.
#pragma once

#include "tessera/smoother/parameters.hpp"

#include <vector>

namespace tessera {

/// p = beta p + alpha D^-1 (b - A x), x = x + p.
struct PolynomialStep {
  double alpha;
  double beta;  ///< 0 in the first step
};

/// The steps after which the error is multiplied by a polynomial in D^-1 A whose spectral radius is
/// `spectral_radius` > 0, taken for 1.1 times as much, Lambda. It is
///
/// - first: that of the least maximum on [radius / ratio, Lambda], T_k shifted and scaled (Saad,
///   Iterative Methods for Sparse Linear Systems, algorithm 12.1);
/// - fourth: W_k(y) / W_k(1), y = 1 - 2 lambda / Lambda, the least maximum of sqrt(lambda) |p| on
///   [0, Lambda] (Lottes, "Optimal polynomial smoothers for multigrid V-cycles", Numer. Linear
///   Algebra Appl. 30, 2023, algorithm 3);
/// - fourth_optimized: the one of which lambda p^2 / (1 - p^2), and so the bound of a V-cycle's
///   rate, has the least maximum (there, section 4, by weights found numerically). With
///   phi = pi / (2 k + 1) it is W_k(y) / W_k(cos phi), y = cos phi - (1 + cos phi) lambda / Lambda:
///   the fourth kind on an interval from -Lambda tan^2(phi / 2) on, as sqrt(1 + lambda cot^2(phi /
///   2) / Lambda) p is then a Chebyshev polynomial of the root, and alternates between -1 and 1.
///
/// W_k(cos t) = sin((k + 1/2) t) / sin(t / 2), for which W_i = 2 y W_{i-1} - W_{i-2}.
std::vector<PolynomialStep> chebyshev_steps(double spectral_radius, const ChebyshevParameters& p);

}  // namespace tessera
