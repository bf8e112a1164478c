// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The smoother that multigrid picks where the user leaves it open.
#pragma once

#include "tessera/smoother/parameters.hpp"

namespace tessera::amg {

/// Fills in the smoother that the user left open. One Jacobi sweep is the cheapest cycle for scalar
/// problems; elasticity's wider spectrum is worth a polynomial (16^3 elements:
/// 12 iterations, not 22). That polynomial is small on an interval of the real axis alone, so a
/// nonsymmetric matrix gets Jacobi.
inline SmootherParameters smoother_for(SmootherParameters p, int block_size,
                                       bool symmetric = true) {
  if (p.type == SmootherType::automatic) {
    p.type = block_size > 1 && symmetric ? SmootherType::chebyshev : SmootherType::jacobi;
  }
  return p;
}

}  // namespace tessera::amg
