// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Pseudorandom bits of a stream's elements, each by itself: the same on every machine and for any
/// number of threads.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace tessera::gallery_detail {

/// The output function of SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014), of element `index` of the stream `seed`. Two elements of one
/// stream differ.
KOKKOS_INLINE_FUNCTION std::uint64_t hash(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = (seed << 32) + (index + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace tessera::gallery_detail
