// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The weights of direct interpolation.
#pragma once

#include "tessera/amg/coarsening/detail/cancels.hpp"

namespace tessera::amg::detail {

/// A row of A: the couplings that interpolation takes from, and the others. Those stand for all of
/// the sign opposite to the diagonal's, and what has its sign is added to it.
struct DirectWeights {
  double diagonal = 0;
  double negative = 0;  ///< the sum of couplings that are not taken from
  double positive = 0;
  double sum = 0;  ///< of those that are
  double size = 0;  ///< of their magnitudes

  KOKKOS_INLINE_FUNCTION void take(double value) {
    sum += value;
    size += Kokkos::abs(value);
  }
  KOKKOS_INLINE_FUNCTION void leave(double value) { (value < 0 ? negative : positive) += value; }
  /// A weight over its coupling; 0 where nothing can be interpolated, or weights would be large.
  KOKKOS_INLINE_FUNCTION double scale() const {
    const double same = diagonal < 0 ? negative : positive;
    const double opposite = diagonal < 0 ? positive : negative;
    if (cancels(sum, size)) return 0;
    const double share = 1 + opposite / sum;
    return -share * inverse_for_weights(diagonal + same, Kokkos::abs(share) * size);
  }
};

}  // namespace tessera::amg::detail
