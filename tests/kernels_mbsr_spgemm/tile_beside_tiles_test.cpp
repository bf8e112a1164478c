// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Where the lanes of a warp hold a tile of A, two of B and their products: the instruction
/// emulated, so that it runs without a GPU.

#include "support/random_matrix.hpp"

#include "tessera/kernels/cuda/tile_beside_tiles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

namespace tessera::test {
namespace {

using kernels::tile_places;
using kernels::tile_size;
using kernels::cuda::MmaF64;
using Layout = kernels::cuda::TileBesideTiles;
using Tile = std::array<double, tile_places>;

/// Small integers, so that sums are exact.
Tile random_tile(Random& random) {
  Tile tile;
  std::generate(tile.begin(), tile.end(), [&] { return double(random.below(19)) - 9; });
  return tile;
}

Tile product(const Tile& a, const Tile& b) {
  Tile c = {};
  for (int row = 0; row < tile_size; ++row)
    for (int column = 0; column < tile_size; ++column)
      for (int k = 0; k < tile_size; ++k)
        c[tile_size * row + column] += a[tile_size * row + k] * b[tile_size * k + column];
  return c;
}

TEST(TileBesideTiles, TwoProductsAnInstruction) {
  Random random(70);
  for (int trial = 0; trial < 20; ++trial) {
    const Tile a = random_tile(random);
    const std::array<Tile, Layout::tiles> b{random_tile(random), random_tile(random)};
    double A[8][4] = {}, B[4][8] = {};
    for (int lane = 0; lane < MmaF64::lanes; ++lane) {
      A[MmaF64::a_row(lane)][MmaF64::a_col(lane)] =
          Layout::has_a(lane) ? a[Layout::a_place(lane)] : 0;
      B[MmaF64::b_row(lane)][MmaF64::b_col(lane)] = b[Layout::b_tile(lane)][Layout::b_place(lane)];
    }
    std::array<Tile, Layout::tiles> c = {};
    std::set<std::pair<int, int>> written;
    for (int lane = 0; lane < MmaF64::lanes; ++lane) {
      if (!Layout::has_result(lane)) continue;
      for (int which = 0; which < 2; ++which) {
        double sum = 0;
        for (int k = 0; k < 4; ++k)
          sum += A[MmaF64::c_row(lane)][k] * B[k][MmaF64::c_col(lane, which)];
        const int tile = Layout::c_tile(lane);
        const int place = Layout::c_place(lane) + which;
        EXPECT_TRUE(written.insert({tile, place}).second);
        c.at(tile).at(place) = sum;
      }
    }
    EXPECT_EQ(written.size(), std::size_t(Layout::tiles * tile_places));
    EXPECT_EQ(c[0], product(a, b[0]));
    EXPECT_EQ(c[1], product(a, b[1]));
  }
}

}  // namespace
}  // namespace tessera::test
