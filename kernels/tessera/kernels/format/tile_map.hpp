// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The 16-bit map of a 4 by 4 tile: bit 4 r + c is set where row r, column c holds an entry (AmgT
/// paper, section IV.B).
#pragma once

#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace tessera::kernels {

using TileMap = std::uint16_t;

/// Rows and columns of a tile.
inline constexpr int tile_size = 4;
/// Places of a tile.
inline constexpr int tile_places = tile_size * tile_size;

/// Tiles that cover `n` rows or columns.
KOKKOS_INLINE_FUNCTION constexpr std::int32_t tiles_for(std::int32_t n) {
  return n / tile_size + (n % tile_size != 0 ? 1 : 0);
}

/// The number of set bits.
KOKKOS_INLINE_FUNCTION int count_bits(std::uint32_t bits) {
  return Kokkos::Experimental::popcount_builtin(bits);
}

/// The four bits of row `r`: bit c is column c.
KOKKOS_INLINE_FUNCTION constexpr std::uint32_t row_bits(std::uint32_t map, int r) {
  return (map >> (tile_size * r)) & 0xfu;
}

/// The number of entries before place `place` = 4 r + c, in row-major order: the place's offset
/// among the packed values.
KOKKOS_INLINE_FUNCTION int entries_before(std::uint32_t map, int place) {
  return count_bits(map & ((1u << place) - 1));
}

/// The entries of each row of a tile, row r in bits 4 r and up.
KOKKOS_INLINE_FUNCTION constexpr std::uint32_t row_counts(std::uint32_t map) {
  const std::uint32_t pairs = map - ((map >> 1) & 0x5555u);
  return (pairs & 0x3333u) + ((pairs >> 2) & 0x3333u);
}

/// The map of the product of two tiles: the places that some pair of entries reaches.
KOKKOS_INLINE_FUNCTION constexpr TileMap multiply_maps(std::uint32_t a, std::uint32_t b) {
  std::uint32_t c = 0;
  // Column k of `a`, one bit per row, times row k of `b`, four bits: no carries between the rows.
  for (int k = 0; k < tile_size; ++k)
    c |= ((a >> k) & 0x1111u) * row_bits(b, k);
  return static_cast<TileMap>(c);
}

/// The map of the transposed tile.
KOKKOS_INLINE_FUNCTION constexpr TileMap transpose_map(std::uint32_t map) {
  std::uint32_t swapped = (map ^ (map >> 3)) & 0x0a0au;  // bits across the diagonals of 2 by 2
  map ^= swapped ^ (swapped << 3);
  swapped = (map ^ (map >> 6)) & 0x00ccu;  // the two 2 by 2 corners
  map ^= swapped ^ (swapped << 6);
  return static_cast<TileMap>(map);
}

}  // namespace tessera::kernels
