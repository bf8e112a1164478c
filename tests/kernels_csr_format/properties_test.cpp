// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
// Row statistics, diagonal dominance, symmetry.
#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/share.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/format/statistics.hpp"
#include "tessera/kernels/format/symmetry.hpp"

namespace tessera::test {
namespace {

template <class Param>
class Properties : public ::testing::Test {};
TYPED_TEST_SUITE(Properties, Matrices, TypeNames);

TYPED_TEST(Properties, RowStatistics) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
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

TYPED_TEST(Properties, DominanceOfPoisson) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const auto d =
      kernels::diagonal_dominance(exec, make_csr<Offset>(exec, poisson<Scalar>(6, 5, 4)).view());
  EXPECT_EQ(d.dominant_rows, 120);
  EXPECT_EQ(d.strictly_dominant_rows, 120 - 4 * 3 * 2) << "the boundary's rows";
  EXPECT_EQ(d.zero_diagonals, 0);
  EXPECT_EQ(d.negative_diagonals, 0);
  EXPECT_DOUBLE_EQ(d.smallest_ratio, 1);
}

TYPED_TEST(Properties, DominanceCountsEachKindOfRow) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
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

TYPED_TEST(Properties, Symmetry) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  for (const auto& host : share_of(edge_case_matrices<Scalar>())) {
    const auto s = kernels::measure_symmetry(exec, make_csr<Offset>(exec, host).view());
    EXPECT_EQ(s.square, host.num_rows == host.num_cols);
    if (!s.square) {
      EXPECT_FALSE(s.within(1e30));
      continue;
    }
    const Dense D = to_dense(host);
    long double difference = 0, largest = 0;
    bool pattern = true;
    for (std::int32_t i = 0; i < host.num_rows; ++i) {
      for (std::int32_t j = 0; j < host.num_cols; ++j) {
        difference = std::max(difference, std::abs(D(i, j) - D(j, i)));
        largest = std::max(largest, std::abs(D(i, j)));
        pattern = pattern && (D(i, j) != 0) == (D(j, i) != 0);
      }
    }
    EXPECT_DOUBLE_EQ(s.largest_difference, static_cast<double>(difference));
    EXPECT_DOUBLE_EQ(s.largest_entry, static_cast<double>(largest));
    EXPECT_EQ(s.pattern, pattern);
  }
}

TYPED_TEST(Properties, SymmetryHasATolerance) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  auto host = random_spd_matrix<Scalar>(50, 0.2, 61);
  EXPECT_TRUE(kernels::is_symmetric(exec, make_csr<Offset>(exec, host).view()));
  const auto first_off_diagonal = host.columns[0] == 0 ? 1 : 0;
  host.values[first_off_diagonal] += Scalar(1e-3);
  const auto A = make_csr<Offset>(exec, host);
  EXPECT_FALSE(kernels::is_symmetric(exec, A.view()));
  EXPECT_TRUE(kernels::is_symmetric(exec, A.view(), 1e-2));
  host.values[first_off_diagonal] = std::numeric_limits<Scalar>::quiet_NaN();
  EXPECT_FALSE(kernels::is_symmetric(exec, make_csr<Offset>(exec, host).view(), 1e30));
}

}  // namespace
}  // namespace tessera::test
