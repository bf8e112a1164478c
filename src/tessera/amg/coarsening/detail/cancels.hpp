// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// When a sum is no number to divide by.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::amg::detail {

/// Whether terms of that sum and of those magnitudes leave less than a hundredth: weights by its
/// inverse would be large and of either sign. So do no terms at all, and a NaN.
KOKKOS_INLINE_FUNCTION bool cancels(double sum, double magnitudes) {
  return !(Kokkos::abs(sum) > 0.01 * magnitudes);
}

}  // namespace tessera::amg::detail
