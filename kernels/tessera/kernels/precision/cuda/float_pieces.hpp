// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A float as two numbers of TF32, which has its exponent but 11 of its 24 bits (Ootomo and Yokota,
/// "Recovering single precision accuracy from Tensor Cores", 2022, section 3).
#pragma once

#include "tessera/kernels/precision/minifloat.hpp"

#include <Kokkos_MathematicalFunctions.hpp>
#include <cstdint>

namespace tessera::kernels::cuda {

/// What TF32 has of a float's pattern: all but the lower 13 bits.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint32_t read_as_tf32(std::uint32_t pattern) {
  return pattern & ~0x1fffu;
}

/// Patterns of TF32: value = high + low_weight low, but for a unit in the last place of the value
/// at most, 2^-23 of it (two below the smallest normal float).
///
/// `low` is as large as `high` and not 2^-11 of it, so that it does not sink below the exponents of
/// TF32 where `high` is small. Of an infinity `high` is infinite and `low` NaN, of a NaN both are
/// NaN. Floats within 2^-12 of the largest count as infinities.
struct FloatPieces {
  static constexpr float low_weight = 0x1p-11f;

  std::uint32_t high, low;

  KOKKOS_FORCEINLINE_FUNCTION static constexpr FloatPieces of(float value) {
    const std::uint32_t high = rounded(value);
    const float rest = value - tessera::detail::bit_cast<float>(high);
    return {high, rounded(rest * (1 / low_weight))};
  }

  /// high + low_weight low, the products of pieces made one. Where `high` is infinite it is all:
  /// `low` then has what is left of an infinity.
  KOKKOS_FORCEINLINE_FUNCTION static float joined(float high, float low) {
    return Kokkos::isinf(high) ? high : high + low_weight * low;
  }

 private:
  /// To nearest. A NaN may have all its bits set: they must not be carried out.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint32_t rounded(float value) {
    constexpr std::uint32_t half_of_dropped_bits = 0x1000u;
    const auto pattern = tessera::detail::bit_cast<std::uint32_t>(value);
    return read_as_tf32(value == value ? pattern + half_of_dropped_bits : pattern);
  }
};

}  // namespace tessera::kernels::cuda
