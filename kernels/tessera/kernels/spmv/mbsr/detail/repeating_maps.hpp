// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whether a thread of a host can predict the maps of a matrix's tiles.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"

#include <algorithm>

namespace tessera::kernels::detail {

/// Tiles one after the other, where each map is guessed from the eight before it: what followed
/// them the last time. The branch predictor of a processor does about that.
template <class Space>
struct GuessMaps {
  static constexpr std::int32_t sample_tiles = 4096;
  static constexpr int max_samples = 4;

  ArrayView<const TileMap, Space> maps;

  std::int32_t num_tiles() const { return static_cast<std::int32_t>(maps.extent(0)); }
  std::int32_t length() const { return std::min(sample_tiles, num_tiles()); }
  int num_samples() const { return std::clamp(num_tiles() / sample_tiles, 1, max_samples); }

  /// Adds the wrong guesses in the second half of a sample; in the first half they are learned.
  void operator()(int sample, std::int32_t& wrong) const {
    TileMap followed_by[1u << slot_bits] = {};
    const std::int64_t begin = std::int64_t(num_tiles() - length()) * sample / num_samples();
    std::uint32_t before = 0;  // four bits for each of the last eight maps, mixed
    for (std::int32_t i = 0; i < length(); ++i) {
      const TileMap map = maps(begin + i);
      TileMap& guess = followed_by[mixed(before) >> (32 - slot_bits)];
      if (guess != map && 2 * i >= length()) ++wrong;
      guess = map;
      before = (before << 4) ^ (mixed(map) >> 16);
    }
  }

 private:
  static constexpr int slot_bits = 12;

  /// Every bit of the upper half depends on many below.
  static std::uint32_t mixed(std::uint32_t bits) { return bits * 0x9e3779b1u; }
};

/// True where at most a quarter of the maps come as a surprise: grids and blocks stay below a
/// fifth, unordered matrices are above nine tenths.
template <class Space>
bool maps_repeat(const Space& exec, const ArrayView<const TileMap, Space>& maps) {
  const GuessMaps<Space> guess{maps};
  std::int32_t wrong = 0;
  Kokkos::parallel_reduce("tessera::spmv_guess_maps",
                          Kokkos::RangePolicy<Space>(exec, 0, guess.num_samples()), guess, wrong);
  return 8 * std::int64_t(wrong) <= std::int64_t(guess.length()) * guess.num_samples();
}

}  // namespace tessera::kernels::detail
