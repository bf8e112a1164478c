// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What decides on the kind of a tile, found in one pass over its entries.
#pragma once

#include "tessera/kernels/execution/lane_group.hpp"
#include "tessera/kernels/format/mixed_tiles/tile_layout.hpp"

namespace tessera::kernels::detail {

/// Of a number, or the most of several: how many bits it has from the first to the last that is
/// set, how far down the last one lies, and its exponent. These say which kinds hold it without
/// loss. Fields of one word, so that lanes exchange one word.
class TileTraits {
 public:
  TileTraits() = default;
  KOKKOS_INLINE_FUNCTION explicit TileTraits(double value) {
    const auto bits = Kokkos::bit_cast<std::uint64_t>(value);
    const auto exponent = static_cast<std::uint32_t>(bits >> 52 & 0x7ff);
    constexpr std::uint64_t hidden_bit = std::uint64_t(1) << 52;
    const std::uint64_t significand =
        (bits & (hidden_bit - 1)) | (exponent != 0 ? hidden_bit : std::uint64_t(0));
    if (exponent == special) {
      m_word = special << exponent_at;
    } else if (significand != 0) {
      const int last = Kokkos::Experimental::countr_zero_builtin(significand);
      const int first = 63 - Kokkos::Experimental::countl_zero_builtin(significand);
      const int lowest = static_cast<int>(exponent != 0 ? exponent : 1) - 1075 + last;
      m_word = exponent << exponent_at |
               static_cast<std::uint32_t>(above_all - lowest) << depth_at |
               static_cast<std::uint32_t>(first - last + 1);
    }
  }

  KOKKOS_INLINE_FUNCTION TileTraits& take_most(TileTraits other) {
    m_word = most(m_word, other.m_word);
    return *this;
  }
  /// Of all lanes of a group; called by all of a warp.
  KOKKOS_INLINE_FUNCTION void take_most_of(const LaneGroup& group) {
    m_word = group.reduce(m_word, [](std::uint32_t a, std::uint32_t b) { return most(a, b); });
  }

  /// Bits from the first to the last.
  KOKKOS_INLINE_FUNCTION int length() const { return static_cast<int>(m_word & length_field); }

  /// As `TileHead` has it: of zeros 0.
  KOKKOS_INLINE_FUNCTION int exponent() const {
    const std::uint32_t biased = m_word >> exponent_at;
    if (biased == special) return no_tile_exponent;
    return m_word == 0 ? 0 : static_cast<int>(biased) - 1023;
  }

  /// The lowest kind in which a tile of these numbers loses nothing.
  template <class Scalar>
  KOKKOS_INLINE_FUNCTION TileKind lowest_kind() const {
    if (is_lowerable(exponent())) {
      if (fits<Scalar, TileKind::fp8>()) return TileKind::fp8;
      if (fits<Scalar, TileKind::half>()) return TileKind::half;
      if (fits<Scalar, TileKind::bfloat16>()) return TileKind::bfloat16;
      if (fits<Scalar, TileKind::fp32>()) return TileKind::fp32;
    }
    return own_tile_kind<Scalar>;
  }

 private:
  static constexpr std::uint32_t special = 0x7ff;  ///< the exponent of infinities and NaN
  static constexpr int above_all = 1100;  ///< no bit is as high
  static constexpr int depth_at = 6;
  static constexpr int exponent_at = 18;
  static constexpr std::uint32_t length_field = (1u << depth_at) - 1;
  static constexpr std::uint32_t depth_field = ((1u << (exponent_at - depth_at)) - 1) << depth_at;
  static constexpr std::uint32_t exponent_field = 0x7ffu << exponent_at;

  /// Field by field.
  KOKKOS_INLINE_FUNCTION static std::uint32_t most(std::uint32_t a, std::uint32_t b) {
    return larger(a & length_field, b & length_field) | larger(a & depth_field, b & depth_field) |
           larger(a & exponent_field, b & exponent_field);
  }
  KOKKOS_INLINE_FUNCTION static std::uint32_t larger(std::uint32_t a, std::uint32_t b) {
    return a > b ? a : b;
  }

  template <class Scalar, TileKind kind>
  KOKKOS_INLINE_FUNCTION bool fits() const {
    if constexpr (kind < own_tile_kind<Scalar>) {
      using Value = TileValueOf<kind>;
      const int lowest = above_all - static_cast<int>((m_word & depth_field) >> depth_at);
      return length() <= Value::digits && lowest + Value::top - exponent() >= Value::least;
    } else {
      return false;
    }
  }

  std::uint32_t m_word = 0;
};

}  // namespace tessera::kernels::detail
