// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Blocks of consecutive rows, found in patterns.
#include "support/device.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/graph/full_blocks.hpp"

namespace tessera::test::full_blocks_test {

TESSERA_TEST_SUITE(FullBlocks, Matrices, TypeNames);

/// Blocks of m rows on a line, each with the next one's first columns, `full` or to where the row
/// is.
template <class Scalar>
HostMatrix<Scalar> line_of_blocks(int m, int blocks, bool full) {
  return by_rows<Scalar>(m * blocks, m * blocks, [&](auto& A, std::int32_t row) {
    const int first = row / m * m;
    for (int j = first; j < (full ? first + m : row + 1); ++j)
      A.push(j, Scalar(1));
    if (first + m < A.num_rows) A.push(first + m, Scalar(1));
  });
}

TESSERA_TYPED_TEST(FullBlocks, AreFound) {
  const auto found = [&](const HostMatrix<Scalar>& A) {
    return kernels::find_full_blocks(exec, make_csr<Offset>(exec, A).view());
  };
  for (const int m : {2, 3, 10, 20, 27, 32})
    EXPECT_EQ(found(line_of_blocks<Scalar>(m, 90, true)), m);
  EXPECT_EQ(found(line_of_blocks<Scalar>(33, 90, true)), 11) << "33 are too many";
  EXPECT_EQ(found(line_of_blocks<Scalar>(6, 90, false)), 1) << "triangles";
  EXPECT_EQ(found(poisson<Scalar>(24, 24)), 1);
  auto gaps = line_of_blocks<Scalar>(8, 90, true);
  gaps.columns[gaps.offsets[16] + 1] = gaps.columns[gaps.offsets[16] + 2] = 24;
  EXPECT_EQ(found(gaps), 8) << "some entries may be left out";
  EXPECT_EQ(found(identity<Scalar>(24)), 1);
  EXPECT_EQ(found(without_entries<Scalar>(0)), 1);
}

TESSERA_TYPED_TEST(FullBlocks, OneInAHundredMayDiffer) {
  const auto found = [&](int odd) {
    auto A = line_of_blocks<Scalar>(4, 400, true);
    for (int block = 0; block < odd; ++block)  // beside the samples
      A.columns[A.offsets[4 * (7 * block + 3)]] = 0;
    return kernels::find_full_blocks(exec, make_csr<Offset>(exec, A).view());
  };
  EXPECT_EQ(found(4), 4);
  EXPECT_EQ(found(5), 2) << "of the halves there are twice as many";
}

}  // namespace tessera::test::full_blocks_test
