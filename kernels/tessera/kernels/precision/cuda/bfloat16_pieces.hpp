// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Two floats as three pairs of bfloat16, which has the exponent of float and 8 of its 24 bits.
#pragma once

#include "tessera/kernels/precision/minifloat.hpp"

#include <Kokkos_MathematicalFunctions.hpp>
#include <cstdint>

namespace tessera::kernels::cuda {

/// Two bfloat16 in one word, the first in the lower half.
struct BFloat16Pair {
  std::uint32_t bits;

  /// To nearest, ties to even; a NaN stays one.
  KOKKOS_FORCEINLINE_FUNCTION static BFloat16Pair rounded(float first, float second) {
    BFloat16Pair result;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(result.bits) : "f"(second), "f"(first));
#else
    result.bits = std::uint32_t(BFloat16(first).bits) | std::uint32_t(BFloat16(second).bits) << 16;
#endif
    return result;
  }
  KOKKOS_FORCEINLINE_FUNCTION float first() const {
    return tessera::detail::bit_cast<float>(bits << 16);
  }
  KOKKOS_FORCEINLINE_FUNCTION float second() const {
    return tessera::detail::bit_cast<float>(bits & 0xffff0000u);
  }
};

/// value = high + weight (middle + weight low) of each of two floats, exactly (but for two units in
/// the last place below the smallest normal float).
///
/// `middle` and `low` are as large as `high`, so that they do not sink below the exponents of
/// bfloat16 where `high` is small. Of an infinity `high` is infinite and the others NaN, of a NaN
/// all are NaN. Floats within 2^-9 of the largest count as infinities.
struct BFloat16Pieces {
  static constexpr float weight = 0x1p-8f;

  BFloat16Pair high, middle, low;

  KOKKOS_FORCEINLINE_FUNCTION static BFloat16Pieces of(float first, float second) {
    BFloat16Pieces result;
    result.high = BFloat16Pair::rounded(first, second);
    first = (first - result.high.first()) * (1 / weight);
    second = (second - result.high.second()) * (1 / weight);
    result.middle = BFloat16Pair::rounded(first, second);
    first = (first - result.middle.first()) * (1 / weight);
    second = (second - result.middle.second()) * (1 / weight);
    result.low = BFloat16Pair::rounded(first, second);
    return result;
  }

  /// The products of pieces made one. Where `high` is infinite it is all: the others then have what
  /// is left of an infinity.
  KOKKOS_FORCEINLINE_FUNCTION static float joined(float high, float middle, float low) {
    return Kokkos::isinf(high) ? high : high + weight * (middle + weight * low);
  }
};

}  // namespace tessera::kernels::cuda
