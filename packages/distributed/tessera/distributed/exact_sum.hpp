// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sums of doubles without rounding, which are the same in any order.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace tessera::distributed {

/// A fixed-point number that holds every double, in limbs of 32 bits with room for carries
/// (Kulisch, Computer Arithmetic and Validity, chapter 8; Neal, Fast exact summation using small
/// and large superaccumulators, 2015). Sums of the words of several are the words of their sum, as
/// long as each took in at most 2^29 numbers since `carry`, or is one of 2^30 at most that have
/// carried.
struct ExactSum {
  static constexpr int num_limbs = 68;  ///< limb i counts 2^(32 i - 1074)
  static constexpr int num_words =
      num_limbs + 3;  ///< behind them NaNs, infinities, and those below 0
  static constexpr std::int64_t max_numbers = std::int64_t(1) << 29;

  std::int64_t words[num_words] = {};

  KOKKOS_FUNCTION void add(double number) {
    const auto bits = Kokkos::bit_cast<std::uint64_t>(number);
    const auto exponent = static_cast<int>((bits >> 52) & 0x7ff);
    std::uint64_t mantissa = bits & ((std::uint64_t(1) << 52) - 1);
    if (exponent == 0x7ff) {
      ++words[num_limbs + (mantissa != 0 ? 0 : (bits >> 63) != 0 ? 2 : 1)];
      return;
    }
    if (exponent != 0) mantissa |= std::uint64_t(1) << 52;
    const int place = exponent != 0 ? exponent - 1 : 0;
    const int limb = place / 32;
    const int shift = place % 32;
    const std::uint64_t low = (mantissa & 0xffffffffU) << shift;
    const std::uint64_t high = (mantissa >> 32) << shift;
    const std::int64_t sign = (bits >> 63) != 0 ? -1 : 1;
    words[limb] += sign * static_cast<std::int64_t>(low & 0xffffffffU);
    words[limb + 1] += sign * static_cast<std::int64_t>((low >> 32) + (high & 0xffffffffU));
    words[limb + 2] += sign * static_cast<std::int64_t>(high >> 32);
  }

  /// Brings all limbs but the last one to 0 up to 2^32 - 1.
  KOKKOS_FUNCTION void carry() {
    for (int i = 0; i + 1 < num_limbs; ++i) {
      const std::int64_t low = words[i] & 0xffffffff;
      words[i + 1] += (words[i] - low) / (std::int64_t(1) << 32);
      words[i] = low;
    }
  }

  /// The sum rounded to a double, an ulp from it at most; NaN and infinities as IEEE 754 adds them.
  double value() const;
};

}  // namespace tessera::distributed
