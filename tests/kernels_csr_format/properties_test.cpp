// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
// Row statistics, diagonal dominance.
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

TESSERA_TYPED_TEST(Properties, DominanceOfPoisson) {
  const auto d =
      kernels::diagonal_dominance(exec, make_csr<Offset>(exec, poisson<Scalar>(6, 5, 4)).view());
  EXPECT_EQ(d.dominant_rows, 120);
  EXPECT_EQ(d.strictly_dominant_rows, 120 - 4 * 3 * 2) << "the boundary's rows";
  EXPECT_EQ(d.zero_diagonals, 0);
  EXPECT_EQ(d.negative_diagonals, 0);
  EXPECT_DOUBLE_EQ(d.smallest_ratio, 1);
}

TESSERA_TYPED_TEST(Properties, DominanceCountsEachKindOfRow) {
  const auto host = from_rows<Scalar>(5, {{{0, 4}, {1, -2}, {2, 1}},  // strictly dominant
                                          {{0, 1}, {1, -1}},  // dominant, negative
                                          {{0, 1}},  // not stored
                                          {{3, 1}, {4, 4}},  // a quarter
                                          {}});  // empty: 0 >= 0
  const auto d = kernels::diagonal_dominance(exec, make_csr<Offset>(exec, host).view());
  EXPECT_EQ(d.dominant_rows, 3);
  EXPECT_EQ(d.strictly_dominant_rows, 1);
  EXPECT_EQ(d.zero_diagonals, 2);
  EXPECT_EQ(d.negative_diagonals, 1);
  EXPECT_DOUBLE_EQ(d.smallest_ratio, 0);
}

}  // namespace tessera::test::properties_test
