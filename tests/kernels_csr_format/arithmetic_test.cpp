// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
// The infinity norm, sums and conversions.
#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/share.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/format/add.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/format/norms.hpp"

namespace tessera::test::arithmetic_test {

TESSERA_TEST_SUITE(Arithmetic, Matrices, TypeNames);

TESSERA_TYPED_TEST(Arithmetic, InfinityNorm) {
  for (const auto& host : share_of(edge_case_matrices<Scalar>())) {
    const auto A = make_csr<Offset>(exec, host);
    std::vector<long double> row_sums(host.num_rows + 1);
    for_each_entry(host, [&](Ordinal i, Ordinal, Scalar value) { row_sums[i] += std::abs(value); });
    const double actual = kernels::inf_norm(exec, A.view());
    const auto expected = *std::max_element(row_sums.begin(), row_sums.end());
    EXPECT_NEAR(actual, static_cast<double>(expected), 1e-12 * (1 + actual));
  }
}

TESSERA_TYPED_TEST(Arithmetic, NormOfNanIsNan) {
  for (const std::size_t place : {0u, 500u, 2079u}) {
    auto host = poisson<Scalar>(8, 8, 6);
    host.values.at(place) = std::numeric_limits<Scalar>::quiet_NaN();
    const auto A = make_csr<Offset>(exec, host);
    EXPECT_TRUE(std::isnan(kernels::inf_norm(exec, A.view())));
  }
}

TESSERA_TYPED_TEST(Arithmetic, AddMatchesDense) {
  for (const auto& host_a : share_of(edge_case_matrices<Scalar>())) {
    for (const double density : {0.0, 0.05, 0.5}) {
      const auto host_b = random_matrix<Scalar>({.num_rows = host_a.num_rows,
                                                 .num_cols = host_a.num_cols,
                                                 .density = density,
                                                 .unsorted = density > 0.1,
                                                 .seed = 51});
      const auto A = make_csr<Offset>(exec, host_a);
      const auto B = make_csr<Offset>(exec, host_b);
      const auto C = to_host(kernels::add(exec, Scalar(2), A.view(), Scalar(-3), B.view()));
      const Dense a = to_dense(host_a), b = to_dense(host_b), c = to_dense(C);
      std::size_t stored = 0;
      for (std::size_t i = 0; i < c.values.size(); ++i) {
        ASSERT_NEAR(static_cast<double>(c.values[i]),
                    static_cast<double>(2 * a.values[i] - 3 * b.values[i]), roundings<Scalar>(10));
        stored += a.values[i] != 0 || b.values[i] != 0 ? 1 : 0;
      }
      EXPECT_EQ(C.num_entries(), stored) << "the pattern is not the union";
      EXPECT_EQ(C.columns, sorted(C).columns);
    }
  }
}

TESSERA_TYPED_TEST(Arithmetic, AddKeepsWhatCancelsAndJoinsDuplicates) {
  const auto A = make_csr<Offset>(exec, from_rows<Scalar>(3, {{{2, 1}, {0, 2}, {2, 3}}}));
  const auto zero = to_host(kernels::add(exec, Scalar(1), A.view(), Scalar(-1), A.view()));
  EXPECT_EQ(zero.columns, (std::vector<std::int32_t>{0, 2}));
  EXPECT_EQ(zero.values, (std::vector<Scalar>{0, 0}));
  const auto twice = to_host(kernels::add(exec, Scalar(1), A.view(), Scalar(1), A.view()));
  EXPECT_EQ(twice.values, (std::vector<Scalar>{4, 8}));
  const auto B = make_csr<Offset>(exec, identity<Scalar>(3));
  EXPECT_THROW(kernels::add(exec, Scalar(1), A.view(), Scalar(1), B.view()), Error);
}

TESSERA_TYPED_TEST(Arithmetic, Conversions) {
  for (const auto& host : share_of(edge_case_matrices<Scalar>())) {
    const auto A = make_csr<Offset>(exec, host);
    const auto single = kernels::convert_values<float>(exec, A);
    EXPECT_EQ(single.columns.data(), A.columns.data()) << "the pattern is not shared";
    EXPECT_EQ(to_host(single.values), std::vector<float>(host.values.begin(), host.values.end()));
    const auto wide = kernels::convert_values<double>(exec, A);
    EXPECT_EQ(to_host(wide.values), std::vector<double>(host.values.begin(), host.values.end()));
    const auto again = allocate<double>(exec, "tessera::test", host.values.size());
    kernels::convert_values(exec, single.values, again);
    EXPECT_EQ(to_host(again), to_host(kernels::convert_values<double>(exec, single).values));
    kernels::convert_values(exec, A.values, again);
    EXPECT_EQ(to_host(again), to_host(wide.values));
    const auto long_offsets = kernels::convert_offsets<std::int64_t>(exec, A);
    EXPECT_EQ(to_host(long_offsets.offsets), host.offsets);
    EXPECT_EQ(long_offsets.values.data(), A.values.data()) << "the values are not shared";
    const auto back = kernels::convert_offsets<std::int32_t>(exec, long_offsets);
    EXPECT_EQ(to_host(back).offsets, host.offsets);
  }
}

TESSERA_TYPED_TEST(Arithmetic, AConversionIntoAnArrayOfAnotherLengthIsRefused) {
  const auto source = allocate<Scalar>(exec, "tessera::test", 3);
  const auto target = allocate<float>(exec, "tessera::test", 2);
  EXPECT_THROW(kernels::convert_values(exec, source, target), Error);
}

}  // namespace tessera::test::arithmetic_test
