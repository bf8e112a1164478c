// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a conversion may have made of near-nullspace vectors, of any number of columns.
#include "tessera/amg/coarsening/check_near_nullspace.hpp"

#include "support/device.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace tessera::test {
namespace {

class UsableNearNullspace : public ::testing::TestWithParam<int> {
 protected:
  static constexpr std::size_t num_rows = 7;

  /// Ones, but for `value` in the whole of `column`, where that is one of the columns.
  static bool is_usable(int num_columns, int column, float value) {
    std::vector<float> values;
    for (int j = 0; j < num_columns; ++j)
      values.insert(values.end(), num_rows, j == column ? value : 1.0F);
    const DeviceSpace exec;
    const auto vectors =
        to_multivector(exec, values, num_rows, static_cast<std::size_t>(num_columns));
    return amg::usable_near_nullspace<float, DeviceSpace>(exec, vectors);
  }
};

TEST_P(UsableNearNullspace, LooksAtEachColumn) {
  const int m = GetParam();
  EXPECT_TRUE(is_usable(m, -1, 0));
  for (const int column : {0, m / 2, m - 1}) {
    EXPECT_FALSE(is_usable(m, column, 0.0F)) << column;
    EXPECT_FALSE(is_usable(m, column, std::numeric_limits<float>::infinity())) << column;
    EXPECT_FALSE(is_usable(m, column, std::numeric_limits<float>::quiet_NaN())) << column;
  }
}

// A node of 32 unknowns or more has as many constant vectors.
INSTANTIATE_TEST_SUITE_P(Columns, UsableNearNullspace,
                         ::testing::Values(1, 2, 10, 31, 32, 33, 63, 64, 65, 100));

}  // namespace
}  // namespace tessera::test
