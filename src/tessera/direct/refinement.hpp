// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The last digits of a solution by factors.
#pragma once

#include "tessera/direct/host_matrix.hpp"
#include "tessera/direct/sparse_direct.hpp"

#include <functional>
#include <vector>

namespace tessera::direct {

/// Asked with the corrections made and the norm of the residual so far: false ends a refinement.
using RefinementProgress = std::function<bool(int corrections, double norm)>;

/// What became of a residual.
struct Refinement {
  /// ||b - A x|| of the x that is left, as `extended_residual` measures it.
  double norm = 0;
  /// The same of the solution in twice as many digits, before it was rounded.
  double unrounded_norm = 0;
  /// The norm after each correction, of x rounded number by number. The last is `norm`.
  std::vector<double> history;
};

/// Lessens ||b - A x|| to `target` where doubles allow for that: corrections by the factors from
/// residuals in more than double, x being kept as two doubles a number (Wilkinson's iterative
/// refinement with an extended x), and a rounding to one by `RoundingDescent`. b, x: n numbers; x
/// is the guess, and stays where nothing is gained. Ends early where `goes_on` says so.
Refinement refine(const HostSpace& exec, const HostMatrix& A, const SparseDirect& factors,
                  const double* b, double* x, double target, int max_corrections,
                  const RefinementProgress& goes_on);

}  // namespace tessera::direct
