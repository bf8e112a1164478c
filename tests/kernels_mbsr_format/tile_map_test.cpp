// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/random_matrix.hpp"

#include "tessera/kernels/format/tile_map.hpp"

#include <gtest/gtest.h>

namespace tessera::test::tile_map_test {

bool has(unsigned map, int r, int c) { return (map >> (4 * r + c) & 1u) != 0; }

TEST(TileMapTest, TilesCoverEverySize) {
  for (std::int32_t n = 0; n < 100; ++n) {
    const std::int32_t tiles = kernels::tiles_for(n);
    EXPECT_GE(4 * tiles, n);
    EXPECT_LT(4 * tiles, n + 4);
  }
  EXPECT_EQ(kernels::tiles_for(2'147'483'647), 536'870'912);
}

TEST(TileMapTest, CountsAndRowsOfEveryMap) {
  for (unsigned map = 0; map < 65536; ++map) {
    int entries = 0;
    for (int place = 0; place < 16; ++place) {
      ASSERT_EQ(kernels::entries_before(map, place), entries);
      entries += has(map, place / 4, place % 4) ? 1 : 0;
    }
    ASSERT_EQ(kernels::count_bits(map), entries);
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c < 4; ++c)
        ASSERT_EQ(kernels::row_bits(map, r) >> c & 1u, has(map, r, c) ? 1u : 0u);
    }
  }
}

TEST(TileMapTest, TransposesEveryMap) {
  for (unsigned map = 0; map < 65536; ++map) {
    unsigned expected = 0;
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c < 4; ++c)
        expected |= has(map, r, c) ? 1u << (4 * c + r) : 0u;
    }
    ASSERT_EQ(kernels::transpose_map(map), expected);
  }
}

TEST(TileMapTest, MultipliesMaps) {
  Random random(5);
  for (int trial = 0; trial < 100000; ++trial) {
    // Sparse ones too: products of half-full maps are nearly always full.
    const unsigned a = random.below(65536) & (trial % 2 == 0 ? random.below(65536) : 0xffff);
    const unsigned b = random.below(65536) & (trial % 3 == 0 ? random.below(65536) : 0xffff);
    unsigned expected = 0;
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c < 4; ++c) {
        for (int k = 0; k < 4; ++k)
          expected |= has(a, r, k) && has(b, k, c) ? 1u << (4 * r + c) : 0u;
      }
    }
    ASSERT_EQ(kernels::multiply_maps(a, b), expected);
  }
}

}  // namespace tessera::test::tile_map_test
