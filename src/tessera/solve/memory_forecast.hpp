// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What `Solver::forecast_memory` returns.
#pragma once

#include <algorithm>
#include <cstddef>

namespace tessera {

/// What a setup and its solves are expected to take, in bytes in the memory of the solver's space
/// beyond the arrays of A, b and x. A test holds it to between half and twice what was measured, on
/// the gallery's problems and on real matrices (docs/notebook/memory.md).
struct MemoryForecast {
  std::size_t setup_bytes = 0;  ///< the most at once in setup
  std::size_t kept_bytes = 0;  ///< what setup leaves: levels, factors, plans
  std::size_t solve_bytes = 0;  ///< what a solve for one right-hand side adds to that
  double share =
      1;  ///< of A's entries that the forecast comes from; 1: of all, and then it is exact

  /// The most at once, of setup and solves.
  std::size_t peak_bytes() const { return std::max(setup_bytes, kept_bytes + solve_bytes); }
};

}  // namespace tessera
