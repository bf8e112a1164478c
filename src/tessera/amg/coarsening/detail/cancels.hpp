// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// When a sum is no number to divide by.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::amg::detail {

/// Of the magnitudes of what is summed up.
inline constexpr double cancelling_share = 0.01;

/// Whether terms of that sum and of those magnitudes leave less than a hundredth: weights by its
/// inverse would be large and of either sign. So do no terms at all, and a NaN.
KOKKOS_INLINE_FUNCTION bool cancels(double sum, double magnitudes) {
  return !(Kokkos::abs(sum) > cancelling_share * magnitudes);
}

/// The inverse of what weights are divided by, whose magnitudes come to that much before; 0 where
/// they would come to 100 or more, or there are none.
KOKKOS_INLINE_FUNCTION double inverse_for_weights(double divisor, double magnitudes) {
  return magnitudes > 0 && !cancels(divisor, magnitudes) ? 1 / divisor : 0;
}

}  // namespace tessera::amg::detail
