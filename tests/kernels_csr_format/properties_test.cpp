// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
// Statistics of rows' lengths.
#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/share.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/format/statistics.hpp"

namespace tessera::test::properties_test {

TESSERA_TEST_SUITE(Properties, Matrices, TypeNames);

TESSERA_TYPED_TEST(Properties, RowStatistics) {
  for (const auto& host : share_of(edge_case_matrices<Scalar>())) {
    const auto s = kernels::row_statistics(exec, make_csr<Offset>(exec, host).view());
    std::vector<std::int64_t> lengths;
    for (std::int32_t i = 0; i < host.num_rows; ++i) {
      lengths.push_back(host.offsets[i + 1] - host.offsets[i]);
    }
    if (lengths.empty()) {
      EXPECT_EQ(s.shortest + s.longest + s.empty_rows, 0);
      EXPECT_EQ(s.mean + s.variance, 0);
      continue;
    }
    EXPECT_EQ(s.shortest, *std::min_element(lengths.begin(), lengths.end()));
    EXPECT_EQ(s.longest, *std::max_element(lengths.begin(), lengths.end()));
    EXPECT_EQ(s.empty_rows, std::count(lengths.begin(), lengths.end(), 0));
    const double mean = static_cast<double>(host.num_entries()) / host.num_rows;
    double variance = 0;
    for (const auto length : lengths)
      variance += (length - mean) * (length - mean);
    EXPECT_DOUBLE_EQ(s.mean, mean);
    EXPECT_NEAR(s.variance, variance / host.num_rows, 1e-10 * (1 + variance));
  }
}

}  // namespace tessera::test::properties_test
