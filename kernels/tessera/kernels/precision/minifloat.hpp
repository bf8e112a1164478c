// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Floating-point numbers of 16 and 8 bits that matrices are stored in: half, bfloat16 and the two
/// kinds of fp8. They are read and written, never computed with.
#pragma once

#include <Kokkos_Macros.hpp>

#include <cstdint>
#include <type_traits>

namespace tessera {
namespace detail {

/// As std::bit_cast, in device code too.
template <class To, class From>
KOKKOS_FORCEINLINE_FUNCTION constexpr To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

#if defined(__CUDA_ARCH__)
/// One instruction. Of fp8 with five bits of exponent the pattern is the upper byte of a half's.
__device__ __forceinline__ float half_to_float(std::uint16_t pattern) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(pattern));
  return value;
}
#endif

}  // namespace detail

/// What becomes of a value above the largest finite one.
enum class Overflow {
  to_infinity,  ///< as IEEE 754 rounds
  saturate  ///< the largest finite value: what fp8 conversions of the hardware do
};

/// A binary floating-point number with a sign, `exponent_bits` and `mantissa_bits`, subnormals
/// included. `has_infinity` false: the highest exponent holds numbers too, and only the pattern of
/// all ones is NaN (e4m3 of the OCP 8-bit specification). A trivial type: arrays of it need no
/// initialisation.
template <class Bits, int exponent_bits, int mantissa_bits, bool has_infinity, Overflow overflow>
struct Minifloat {
  static_assert(sizeof(Bits) * 8 == 1 + exponent_bits + mantissa_bits);

  Bits bits;

  static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  static constexpr std::uint32_t magnitude_mask = (1u << (exponent_bits + mantissa_bits)) - 1;
  /// The smallest pattern that is not a finite number: infinity, or the only NaN.
  static constexpr std::uint32_t first_special =
      has_infinity ? ((1u << exponent_bits) - 1) << mantissa_bits : magnitude_mask;
  static constexpr std::uint32_t nan_pattern =
      has_infinity ? first_special | (1u << (mantissa_bits - 1)) : magnitude_mask;

  /// The pattern of the smallest normal number.
  static constexpr std::uint32_t min_normal = 1u << mantissa_bits;

  Minifloat() = default;

  KOKKOS_INLINE_FUNCTION static constexpr Minifloat from_bits(std::uint32_t pattern) {
    Minifloat result{};
    result.bits = static_cast<Bits>(pattern);
    return result;
  }

  /// Rounds to nearest, ties to even.
  template <class Real>
    requires std::is_arithmetic_v<Real>
  KOKKOS_INLINE_FUNCTION explicit constexpr Minifloat(Real value)
      : bits(encode(static_cast<double>(value))) {}

  /// Exact.
  KOKKOS_INLINE_FUNCTION explicit constexpr operator float() const {
#if defined(__CUDA_ARCH__)
    if constexpr (exponent_bits == 5 && has_infinity) {
      if (!__builtin_is_constant_evaluated())
        return detail::half_to_float(static_cast<std::uint16_t>(bits << (10 - mantissa_bits)));
    }
#endif
    const std::uint32_t magnitude = bits & magnitude_mask;
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & ~magnitude_mask)
                               << (31 - exponent_bits - mantissa_bits);
    // The fields moved to those of float, whose exponent then lacks the difference of the biases:
    // the product with a power of two adds it, subnormals included.
    const std::uint32_t moved = magnitude << (23 - mantissa_bits);
    if constexpr (bias == 127) return detail::bit_cast<float>(sign | moved);
    constexpr float scale = detail::bit_cast<float>(static_cast<std::uint32_t>(254 - bias) << 23);
    const auto finite = detail::bit_cast<std::uint32_t>(detail::bit_cast<float>(moved) * scale);
    const std::uint32_t special = has_infinity ? moved | 0x7f800000u : 0x7fc00000u;
    return detail::bit_cast<float>(sign | (magnitude >= first_special ? special : finite));
  }

  /// Exact.
  KOKKOS_INLINE_FUNCTION explicit constexpr operator double() const {
    return static_cast<double>(static_cast<float>(*this));
  }

  friend KOKKOS_INLINE_FUNCTION constexpr bool operator==(Minifloat a, Minifloat b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }

 private:
  KOKKOS_INLINE_FUNCTION static constexpr Bits encode(double value) {
    const auto pattern = detail::bit_cast<std::uint64_t>(value);
    const std::uint64_t magnitude = pattern & ~(std::uint64_t(1) << 63);
    const auto sign = static_cast<std::uint32_t>(pattern >> 63) << (exponent_bits + mantissa_bits);
    constexpr std::uint64_t infinity = std::uint64_t(0x7ff) << 52;
    if (magnitude > infinity) return static_cast<Bits>(sign | nan_pattern);
    return static_cast<Bits>(sign | rounded(magnitude));
  }

  /// The pattern of a magnitude that is not NaN.
  KOKKOS_INLINE_FUNCTION static constexpr std::uint32_t rounded(std::uint64_t magnitude) {
    constexpr std::uint32_t too_large =
        overflow == Overflow::to_infinity ? first_special : first_special - 1;
    const int exponent = static_cast<int>(magnitude >> 52) - 1023;
    if (exponent > bias + 1) return too_large;
    constexpr int min_exponent = 1 - bias;
    const bool subnormal = exponent < min_exponent;
    const int dropped_bits = 52 - mantissa_bits + (subnormal ? min_exponent - exponent : 0);
    if (dropped_bits > 53) return 0;  // less than half of the smallest subnormal
    constexpr std::uint64_t hidden_bit = std::uint64_t(1) << 52;
    const std::uint64_t significand = (magnitude & (hidden_bit - 1)) | hidden_bit;
    const std::uint64_t rest = significand & ((std::uint64_t(1) << dropped_bits) - 1);
    const std::uint64_t half = std::uint64_t(1) << (dropped_bits - 1);
    std::uint64_t kept = significand >> dropped_bits;
    if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
    // The hidden bit adds one to the exponent field, and a carry of the rounding another.
    const std::uint64_t field =
        subnormal ? 0 : static_cast<std::uint64_t>(exponent + bias - 1) << mantissa_bits;
    const std::uint64_t result = field + kept;
    return result >= first_special ? too_large : static_cast<std::uint32_t>(result);
  }
};

/// IEEE 754 binary16.
using Half = Minifloat<std::uint16_t, 5, 10, true, Overflow::to_infinity>;
/// The upper half of an IEEE 754 binary32.
using BFloat16 = Minifloat<std::uint16_t, 8, 7, true, Overflow::to_infinity>;
/// OCP 8-bit floating point, 3 bits of mantissa: up to 448, no infinity.
using Fp8E4M3 = Minifloat<std::uint8_t, 4, 3, false, Overflow::saturate>;
/// OCP 8-bit floating point, 2 bits of mantissa: up to 57344.
using Fp8E5M2 = Minifloat<std::uint8_t, 5, 2, true, Overflow::saturate>;

static_assert(std::is_trivial_v<Half> && sizeof(Half) == 2 && sizeof(Fp8E4M3) == 1);

}  // namespace tessera

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
#include "tessera/kernels/precision/cuda/e4m3_instructions.hpp"
#endif
