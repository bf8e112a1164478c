// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Where things lie within a tile of mixed_tiles.hpp, and its products with a vector.
#pragma once

#include "tessera/kernels/format/mixed_tiles.hpp"
#include "tessera/kernels/precision/minifloat.hpp"

#include <Kokkos_BitManipulation.hpp>

namespace tessera::kernels::detail {

/// Exponents of magnitudes that a tile of fewer bits may have: its power of two and the inverse of
/// that are normal numbers then. Others are in the matrix's own scalar.
inline constexpr int min_tile_exponent = -900;
inline constexpr int largest_tile_exponent = 1000;
/// The `exponent` of a tile with infinities or NaN, which is never lowered.
inline constexpr int no_tile_exponent = 2000;

KOKKOS_INLINE_FUNCTION constexpr bool is_lowerable(int exponent) {
  return exponent >= min_tile_exponent && exponent <= largest_tile_exponent;
}

/// 2^exponent, for normal ones.
KOKKOS_INLINE_FUNCTION double power_of_two(int exponent) {
  return Kokkos::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// `top`: the exponent of a tile's largest magnitude as it is stored; `digits`: bits of a number
/// that is not subnormal; all are multiples of 2^`least`.
template <class Scalar, int top_exponent, int num_digits, int min_exponent>
struct TileValueTraits {
  using type = Scalar;
  static constexpr int top = top_exponent;
  static constexpr int digits = num_digits;
  static constexpr int least = min_exponent;
};
template <TileKind kind>
struct TileValueOf;
template <>
struct TileValueOf<TileKind::fp8> : TileValueTraits<Fp8E4M3, 7, 4, -9> {};
template <>
struct TileValueOf<TileKind::half> : TileValueTraits<Half, 14, 11, -24> {};
template <>
struct TileValueOf<TileKind::bfloat16> : TileValueTraits<BFloat16, 100, 8, -133> {};
template <>
struct TileValueOf<TileKind::fp32> : TileValueTraits<float, 100, 24, -149> {};
template <>
struct TileValueOf<TileKind::fp64> : TileValueTraits<double, 0, 53, -1074> {};

/// The scalar of values of a kind.
template <TileKind kind>
using TileValue = typename TileValueOf<kind>::type;

/// The kind that holds every `Scalar`, without a power of two.
template <class Scalar>
inline constexpr TileKind own_tile_kind = sizeof(Scalar) == 8 ? TileKind::fp64 : TileKind::fp32;

/// Calls `function.template operator()<kind>()` for the kind `kind`.
template <class Function>
KOKKOS_FORCEINLINE_FUNCTION auto with_tile_kind(TileKind kind, const Function& function) {
  switch (kind) {
    case TileKind::fp8:
      return function.template operator()<TileKind::fp8>();
    case TileKind::half:
      return function.template operator()<TileKind::half>();
    case TileKind::bfloat16:
      return function.template operator()<TileKind::bfloat16>();
    case TileKind::fp32:
      return function.template operator()<TileKind::fp32>();
    case TileKind::fp64:
      break;
  }
  return function.template operator()<TileKind::fp64>();
}

/// What a stored value of `kind` is multiplied by.
template <class Scalar, TileKind kind>
KOKKOS_INLINE_FUNCTION double tile_scale(int exponent) {
  if constexpr (kind == own_tile_kind<Scalar>) {
    return 1;
  } else {
    return power_of_two(exponent - TileValueOf<kind>::top);
  }
}

/// `value` as a tile of `kind` gives it back.
template <class Scalar, TileKind kind>
KOKKOS_INLINE_FUNCTION double as_tile_has_it(double value, int exponent) {
  if constexpr (kind == own_tile_kind<Scalar>) {
    return value;
  } else {
    const double up = power_of_two(TileValueOf<kind>::top - exponent);
    return static_cast<double>(static_cast<TileValue<kind>>(value * up)) *
           tile_scale<Scalar, kind>(exponent);
  }
}

KOKKOS_INLINE_FUNCTION constexpr int bytes_of_tile_value(TileKind kind) {
  return kind == TileKind::fp8 ? 1 : kind == TileKind::fp32 ? 4 : kind == TileKind::fp64 ? 8 : 2;
}

/// The first word of a tile taken apart.
template <int size>
struct TileHead {
  using Start = std::uint8_t;
  static constexpr int count_bits = 8;
  static constexpr int bytes = (16 + size + count_bits) / 8;

  int exponent;
  std::uint32_t rows;  ///< that have entries
  int entries;

  KOKKOS_INLINE_FUNCTION static TileHead of(std::uint64_t word) {
    return {static_cast<std::int16_t>(word & 0xffff),
            static_cast<std::uint32_t>(word >> 16 & ((std::uint64_t(1) << size) - 1)),
            static_cast<int>(word >> (16 + size) & ((1u << count_bits) - 1)) + 1};
  }
  KOKKOS_INLINE_FUNCTION std::uint64_t word() const {
    return static_cast<std::uint64_t>(static_cast<std::uint16_t>(exponent)) |
           static_cast<std::uint64_t>(rows) << 16 |
           static_cast<std::uint64_t>(entries - 1) << (16 + size);
  }

  KOKKOS_INLINE_FUNCTION int num_rows() const {
    return Kokkos::Experimental::popcount_builtin(rows);
  }
  /// The rows with entries above row `row`.
  KOKKOS_INLINE_FUNCTION int rows_before(int row) const {
    return Kokkos::Experimental::popcount_builtin(rows &
                                                  ((std::uint32_t(1) << row) - std::uint32_t(1)));
  }
  KOKKOS_INLINE_FUNCTION bool has_row(int row) const { return (rows >> row & 1) != 0; }
  KOKKOS_INLINE_FUNCTION int columns_at(int num_rows) const {
    return bytes + (num_rows - 1) * static_cast<int>(sizeof(Start));
  }
  KOKKOS_INLINE_FUNCTION int values_at(int num_rows, int bytes_of_value) const {
    return (columns_at(num_rows) + entries + bytes_of_value - 1) & -bytes_of_value;
  }
  KOKKOS_INLINE_FUNCTION int num_words(TileKind kind) const {
    const int each = bytes_of_tile_value(kind);
    return (values_at(num_rows(), each) + entries * each + 7) / 8;
  }
};

/// Calls `function(column, value)` for the entries of row `row` of a tile; columns are the tile's.
template <int size, class Scalar, class Function>
KOKKOS_FORCEINLINE_FUNCTION void for_row_of_tile(const std::uint64_t* tile, TileKind kind, int row,
                                                 const Function& function) {
  using Head = TileHead<size>;
  const Head head = Head::of(tile[0]);
  if (!head.has_row(row)) return;
  const auto* const bytes = reinterpret_cast<const std::byte*>(tile);
  const auto* const starts = reinterpret_cast<const typename Head::Start*>(bytes + Head::bytes);
  const int num_rows = head.num_rows();
  const int number = head.rows_before(row);
  const int begin = number == 0 ? 0 : starts[number - 1];
  const int end = number + 1 == num_rows ? head.entries : starts[number];
  const auto* const columns =
      reinterpret_cast<const std::uint8_t*>(bytes + head.columns_at(num_rows));
  with_tile_kind(kind, [&]<TileKind is>() {
    const auto* const values = reinterpret_cast<const TileValue<is>*>(
        bytes + head.values_at(num_rows, sizeof(TileValue<is>)));
    const double scale = tile_scale<Scalar, is>(head.exponent);
    for (int e = begin; e < end; ++e)
      function(static_cast<int>(columns[e]), static_cast<double>(values[e]) * scale);
  });
}

/// The same for all entries of a tile: `function(row, column, value)`, rows ascending.
template <int size, class Scalar, class Function>
KOKKOS_FORCEINLINE_FUNCTION void for_entries_of_tile(const std::uint64_t* tile, TileKind kind,
                                                     const Function& function) {
  using Head = TileHead<size>;
  const Head head = Head::of(tile[0]);
  const auto* const bytes = reinterpret_cast<const std::byte*>(tile);
  const auto* const starts = reinterpret_cast<const typename Head::Start*>(bytes + Head::bytes);
  const int num_rows = head.num_rows();
  const auto* const columns =
      reinterpret_cast<const std::uint8_t*>(bytes + head.columns_at(num_rows));
  with_tile_kind(kind, [&]<TileKind is>() {
    const auto* const values = reinterpret_cast<const TileValue<is>*>(
        bytes + head.values_at(num_rows, sizeof(TileValue<is>)));
    const double scale = tile_scale<Scalar, is>(head.exponent);
    std::uint32_t rows = head.rows;
    int e = 0;
    for (int number = 1; number <= num_rows; ++number, rows &= rows - 1) {
      const int row = Kokkos::Experimental::countr_zero_builtin(rows);
      const int end = number == num_rows ? head.entries : starts[number - 1];
      for (; e < end; ++e)
        function(row, static_cast<int>(columns[e]), static_cast<double>(values[e]) * scale);
    }
  });
}

}  // namespace tessera::kernels::detail
