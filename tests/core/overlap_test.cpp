// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/operator/overlap.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace tessera::test::overlap_test {

using Vectors = MultiVectorView<double, HostSpace>;

TEST(Overlap, IsFoundEntryByEntry) {
  const MultiVector<double, HostSpace> memory("tessera::test", 12, 6);
  // Rows [first_row, first_row + rows) of columns [first, first + columns).
  const auto part = [&](int first_row, int rows, int first, int columns) -> Vectors {
    return Kokkos::subview(memory, std::pair<int, int>(first_row, first_row + rows),
                           std::pair<int, int>(first, first + columns));
  };
  EXPECT_TRUE(overlap(part(0, 12, 0, 2), part(0, 12, 0, 2)));
  EXPECT_TRUE(overlap(part(0, 12, 0, 2), part(0, 12, 1, 2)));
  EXPECT_FALSE(overlap(part(0, 12, 0, 2), part(0, 12, 2, 2)));
  EXPECT_TRUE(overlap(part(0, 5, 0, 6), part(4, 5, 3, 1)));
  EXPECT_TRUE(overlap(part(4, 5, 3, 1), part(0, 5, 0, 6)));
  EXPECT_FALSE(overlap(part(0, 5, 0, 6), part(5, 5, 0, 6))) << "interleaved";
  EXPECT_FALSE(overlap(part(0, 0, 0, 6), part(0, 12, 0, 6))) << "empty";
  EXPECT_FALSE(overlap(part(0, 12, 0, 6), part(0, 12, 2, 0))) << "empty";
  // Another distance between the columns: one long column over all of them.
  const Vectors line(memory.data() + 5, 20, 1);
  EXPECT_TRUE(overlap(line, part(0, 1, 1, 1)));
  EXPECT_TRUE(overlap(part(11, 1, 0, 6), line));
  EXPECT_FALSE(overlap(line, part(0, 5, 0, 1)));
  const ConstMultiVectorView<double, HostSpace> read_only = part(0, 12, 0, 2);
  EXPECT_TRUE(overlap(read_only, part(3, 2, 1, 1)));
}

}  // namespace tessera::test::overlap_test
