// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A small integer hash: the "random" numbers of graph algorithms and of start vectors, the same on
/// every machine and for every number of threads.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::kernels {

/// A bijective mix of the bits of `x` (the finaliser of a 32-bit multiplicative hash).
KOKKOS_INLINE_FUNCTION std::uint32_t hash32(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  x ^= x >> 16;
  return x;
}

/// A hash of `x` for the stream `seed`.
KOKKOS_INLINE_FUNCTION std::uint32_t hash32(std::uint32_t x, std::uint32_t seed) {
  return hash32(x ^ hash32(seed + 0x9e3779b9U));
}

}  // namespace tessera::kernels
