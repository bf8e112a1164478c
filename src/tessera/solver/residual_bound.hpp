// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// At which residual a right-hand side has converged.
#pragma once

#include "tessera/solver/solver_parameters.hpp"

#include <algorithm>

namespace tessera {

/// The norm of b - A x at which it has: the relative bound or the absolute one, whichever is
/// larger. `reference`: what the relative tolerance is a multiple of.
inline double residual_bound(const SolverParameters& p, double reference) {
  return std::max(p.tolerance * reference, p.absolute_tolerance);
}

/// Whether a residual norm that meets the larger bound meets the absolute one alone.
inline bool meets_absolute_alone(const SolverParameters& p, double norm, double reference) {
  const double relative = p.tolerance * reference;
  return p.absolute_tolerance > relative && norm > relative;
}

}  // namespace tessera
