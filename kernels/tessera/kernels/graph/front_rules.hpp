// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which points advancing fronts choose (advancing_front.hpp), wherever the points are.
#pragma once

#include "tessera/kernels/graph/hash.hpp"

#include <cstdint>
#include <limits>

namespace tessera::kernels {

/// A point that is undecided and depends on no coarse one.
struct FrontPoint {
  std::int64_t number = 0;  ///< decides where measures and hashes are equal
  std::uint32_t hash = 0;
  std::int32_t measure = 0;  ///< at least 0
  bool is_candidate = false;
};

/// Whether `w` keeps its neighbour `v`, a candidate, from becoming coarse: by a larger measure, or
/// of equal ones as the heavier candidate.
KOKKOS_INLINE_FUNCTION bool outweighs(const FrontPoint& w, const FrontPoint& v) {
  if (w.measure != v.measure) return w.measure > v.measure;
  if (!w.is_candidate) return false;
  return w.hash != v.hash ? w.hash > v.hash : w.number > v.number;
}

/// The hash of a point's number that FrontPoint has.
KOKKOS_INLINE_FUNCTION std::uint32_t front_hash(std::uint32_t number, std::uint32_t seed) {
  return hash32(number, seed);
}

/// Whether a point is a seed: by another hash, up to `bound`.
KOKKOS_INLINE_FUNCTION bool is_front_seed(std::uint32_t number, std::uint32_t seed,
                                          std::uint32_t bound) {
  return hash32(number, seed + 1) <= bound;
}

/// The share of points that are seeds, as a bound of their hashes.
class SeedShare {
 public:
  explicit SeedShare(std::int64_t num_points) {
    while (m_shift > 0 && num_points >> m_shift < 4)
      --m_shift;
  }
  /// Rounds count from 1.
  std::uint32_t bound(std::uint32_t round) const {
    constexpr std::uint32_t rounds_per_doubling = 4;
    const std::uint32_t doublings = (round - 1) / rounds_per_doubling;
    return std::numeric_limits<std::uint32_t>::max() >>
           (doublings < m_shift ? m_shift - doublings : 0);
  }

 private:
  std::uint32_t m_shift = 8;  ///< the share is 2^-m_shift at first
};

}  // namespace tessera::kernels
