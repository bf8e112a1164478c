// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Settings of classical coarsening that several files test.
#pragma once

#include "tessera/solve/parameters.hpp"

#include <vector>

namespace tessera::test {

/// PMIS, extended+i with 4 entries per row, theta 0.25; V-cycles of l1-Jacobi under CG.
inline SolveParameters classical() {
  SolveParameters p;
  p.preconditioner = PreconditionerKind::amg;
  p.precision = Precision::same;
  p.solver.name = SolverName::cg;
  p.amg.coarsening = amg::CoarseningKind::classical;
  p.amg.smoother.type = SmootherType::l1_jacobi;
  return p;
}

/// Every interpolation.
inline std::vector<amg::ClassicalParameters> all_ways() {
  using amg::Interpolation;
  std::vector<amg::ClassicalParameters> ways;
  for (const auto how : {Interpolation::extended_i, Interpolation::extended_e,
                         Interpolation::direct, Interpolation::classical_modified}) {
    ways.emplace_back();
    ways.back().interpolation = how;
  }
  // Of aggressive levels.
  using amg::AggressiveInterpolation;
  for (const auto how : {Interpolation::extended_i, Interpolation::extended_e}) {
    ways.emplace_back();
    ways.back().interpolation = how;
    ways.back().aggressive_levels = 1;
    ways.back().aggressive_interpolation = AggressiveInterpolation::two_stage;
  }
  ways.emplace_back();
  ways.back().aggressive_levels = 1;
  ways.back().aggressive_interpolation = AggressiveInterpolation::multipass;
  return ways;
}

}  // namespace tessera::test
