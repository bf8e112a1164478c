// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The conversions of e4m3 by the instructions that Ada, Hopper and newer GPUs have for them. Read
/// through minifloat.hpp, in code for these alone.
#pragma once

#include "tessera/kernels/precision/minifloat.hpp"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890

namespace tessera {
namespace detail {

/// Two at once: those of the lower and the upper byte become the lower and the upper half.
__device__ __forceinline__ std::uint32_t e4m3_to_halves(std::uint16_t patterns) {
  std::uint32_t halves;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"(patterns));
  return halves;
}

/// Rounds once, to nearest, ties to even, and not beyond the largest finite one. There is no
/// instruction from double: the float between is cut off, and odd where something was, so that it
/// lies on a tie only where the double does. The sign is the double's: the instructions drop that
/// of NaN.
__device__ __forceinline__ std::uint8_t to_e4m3(double value) {
  const float cut = __double2float_rz(value);
  const unsigned was_inexact = static_cast<double>(cut) != value ? 1 : 0;
  const float odd = __uint_as_float(__float_as_uint(cut) | was_inexact);
  std::uint16_t patterns;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(patterns) : "f"(0.0f), "f"(odd));
  const auto sign_word = static_cast<unsigned>(__double2hiint(value));
  return static_cast<std::uint8_t>((patterns & 0x7fu) | (sign_word >> 24 & 0x80u));
}

/// Reads as Fp8E4M3 does, and has its code on bits, for constant expressions.
using E4M3ByBits = Minifloat<std::uint8_t, 4, 3, false, Overflow::to_infinity>;

}  // namespace detail

template <>
KOKKOS_INLINE_FUNCTION constexpr Fp8E4M3::operator float() const {
  if (__builtin_is_constant_evaluated())
    return static_cast<float>(detail::E4M3ByBits::from_bits(bits));
  return detail::half_to_float(static_cast<std::uint16_t>(detail::e4m3_to_halves(bits)));
}

template <>
KOKKOS_INLINE_FUNCTION constexpr std::uint8_t Fp8E4M3::encode(double value) {
  if (__builtin_is_constant_evaluated()) {
    // Beyond the largest number its code has NaN, all ones.
    const std::uint8_t bits = detail::E4M3ByBits(value).bits;
    const bool is_too_large = value == value && (bits & 0x7f) == 0x7f;
    return static_cast<std::uint8_t>(is_too_large ? bits - 1 : bits);
  }
  return detail::to_e4m3(value);
}

}  // namespace tessera

#endif
