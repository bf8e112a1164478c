// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Comparing the arrays of two matrices of tiles.
#pragma once

#include "support/mbsr.hpp"

namespace tessera::test {

/// What a vector of storage scalars stands for.
template <class Storage>
std::vector<double> as_doubles(const std::vector<Storage>& v) {
  std::vector<double> result;
  for (const Storage value : v)
    result.push_back(static_cast<double>(value));
  return result;
}

/// Fails the running test unless all arrays are the same.
template <class Storage, class Space>
void expect_same_arrays(const kernels::Mbsr<Storage, Space>& actual,
                        const kernels::Mbsr<Storage, Space>& expected) {
  EXPECT_EQ(actual.num_rows, expected.num_rows);
  EXPECT_EQ(actual.num_cols, expected.num_cols);
  EXPECT_EQ(actual.num_entries, expected.num_entries);
  EXPECT_EQ(actual.layout, expected.layout);
  EXPECT_EQ(actual.scale, expected.scale);
  EXPECT_EQ(to_host(actual.tile_offsets), to_host(expected.tile_offsets));
  EXPECT_EQ(to_host(actual.tile_columns), to_host(expected.tile_columns));
  EXPECT_EQ(to_host(actual.maps), to_host(expected.maps));
  EXPECT_EQ(to_host(actual.value_offsets), to_host(expected.value_offsets));
  EXPECT_EQ(as_doubles(to_host(actual.values)), as_doubles(to_host(expected.values)));
}

}  // namespace tessera::test
