// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Powers of two by which a solve within one launch keeps its numbers in range.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <cstdint>

namespace tessera::kernels::detail {

/// Powers of two that A and b are multiplied by, so that squares of norms neither overflow nor
/// vanish.
struct Scales {
  double matrix = 1;
  double rhs = 1;

  /// From numbers of about the size of the entries, which may be between 2^±`harmless`.
  KOKKOS_FUNCTION Scales(double matrix_size, double rhs_size, int harmless)
      : matrix(against(matrix_size, harmless)), rhs(against(rhs_size, harmless)) {
    // Then x has no such size either; b at least stays in range.
    if (!Kokkos::isfinite(rhs / matrix) || !Kokkos::isfinite(matrix / rhs)) matrix = 1;
  }
  /// What x is multiplied by meanwhile.
  KOKKOS_FUNCTION double of_x() const { return rhs / matrix; }

  /// The exponents that vectors of this scalar may have, whose sums of squares are in double.
  template <class Scalar>
  static constexpr int harmless_exponent = sizeof(Scalar) == 8 ? 200 : 32;

 private:
  KOKKOS_FUNCTION static double against(double size, int harmless) {
    constexpr int bias = 1023;
    if (!(size > 0) || !Kokkos::isfinite(size)) return 1;
    int exponent = static_cast<int>(Kokkos::bit_cast<std::uint64_t>(size) >> 52) - bias;
    if (exponent >= -harmless && exponent <= harmless) return 1;
    exponent = exponent > 1000 ? 1000 : exponent < -1000 ? -1000 : exponent;
    return Kokkos::bit_cast<double>(static_cast<std::uint64_t>(bias - exponent) << 52);
  }
};

/// A power of two by which a vector of that squared norm becomes about 1 long; 1 where it has none.
KOKKOS_INLINE_FUNCTION double factor_to_unit(double squared_norm) {
  constexpr int bias = 1023;
  if (!(squared_norm > 0) || !Kokkos::isfinite(squared_norm)) return 1;
  const int exponent = static_cast<int>(Kokkos::bit_cast<std::uint64_t>(squared_norm) >> 52) - bias;
  return Kokkos::bit_cast<double>(static_cast<std::uint64_t>(bias - exponent / 2) << 52);
}

}  // namespace tessera::kernels::detail
