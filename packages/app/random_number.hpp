// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The numbers of `--rhs random`.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace tessera::app {

/// A number from -1 to 1 that depends on seed, row and column alone: the same on every device, and
/// whichever process has the row.
KOKKOS_INLINE_FUNCTION double random_number(std::uint64_t seed, std::uint64_t row,
                                            std::uint64_t column) {
  // splitmix64 (Steele, Lea & Flood, 2014) of the position.
  std::uint64_t z =
      seed * 0x9E3779B97F4A7C15ull + column * 0xD1B54A32D192ED03ull + row * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * (2.0 / 9007199254740992.0) - 1.0;
}

}  // namespace tessera::app
