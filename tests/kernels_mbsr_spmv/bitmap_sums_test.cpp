// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The sums of a tile row whose maps a thread predicts: every map, for one column and two, against
/// a loop over the bits. Values and vectors are small whole numbers, so that all sums are exact.
#include "tessera/kernels/spmv/mbsr/detail/bitmap_sums.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/precision/arithmetic.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tessera::kernels::detail::bitmap_sums_test {

/// Two tiles of `map`, one after the other, times `N` columns.
template <class Sum, class Storage, class Working, int N>
void expect_sums_of(unsigned map) {
  constexpr std::size_t ldx = 11;
  std::vector<Storage> values;
  for (int i = 0; i < 2 * tile_places; ++i)
    values.push_back(static_cast<Storage>(i + 1));
  std::vector<Working> x;
  for (std::size_t i = 0; i < N * ldx; ++i)
    x.push_back(static_cast<Working>(3 * static_cast<int>(i) - 7));

  BitmapSums<Sum, N> sums;
  StorageReader<Sum, Storage> v{values.data()};
  add_tile(sums, map, v, x.data(), ldx);
  add_tile(sums, map, v, x.data() + tile_size, ldx);
  ASSERT_EQ(v.data, values.data() + 2 * std::popcount(map)) << "map " << map;

  int next = 0;
  Sum expected[N][tile_size] = {};
  for (int tile = 0; tile < 2; ++tile) {
    for (int place = 0; place < tile_places; ++place) {
      if ((map >> place & 1u) == 0) continue;
      for (int c = 0; c < N; ++c) {
        expected[c][place / tile_size] +=
            static_cast<Sum>(values[next]) * x[tile_size * tile + place % tile_size + c * ldx];
      }
      ++next;
    }
  }
  for (int c = 0; c < N; ++c) {
    for (int row = 0; row < tile_size; ++row)
      ASSERT_EQ(sums.sum(row, c), expected[c][row]) << "map " << map << ", row " << row;
  }
}

TEST(BitmapSums, AreThoseOfTheBitsForEveryMap) {
  for (unsigned map = 0; map < 1u << tile_places; ++map) {
    expect_sums_of<double, double, double, 1>(map);
    expect_sums_of<double, double, double, 2>(map);
    expect_sums_of<double, float, double, 2>(map);
    expect_sums_of<float, float, float, 1>(map);
    expect_sums_of<float, float, float, 2>(map);
    expect_sums_of<float, Half, float, 2>(map);
    if (HasFatalFailure()) return;
  }
}

}  // namespace tessera::kernels::detail::bitmap_sums_test
