// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "formats_fixture.hpp"

#include "tessera/kernels/error.hpp"

namespace tessera::test {
namespace {

using kernels::HybStrategy;

template <class Param>
class FormatConversions : public ::testing::Test {};
TYPED_TEST_SUITE(FormatConversions, StoredTypes, StoredNames);

void expect_equal(const HostMatrix<double>& actual, const HostMatrix<double>& expected) {
  EXPECT_EQ(actual.num_rows, expected.num_rows);
  EXPECT_EQ(actual.num_cols, expected.num_cols);
  EXPECT_EQ(actual.offsets, expected.offsets);
  EXPECT_EQ(actual.columns, expected.columns);
  EXPECT_EQ(actual.values, expected.values);
}

/// The edge cases stored under a scale, and back, in both widths of offsets.
template <class Param, class There, class Back>
void expect_round_trip(const There& there, const Back& back) {
  using Storage = typename Param::Storage;
  const typename Param::Space exec;
  for (const double scale : {1.0, 0x1p-5}) {
    for (const auto& matrix : share_of(format_matrices())) {
      const auto stored = rounded_to<Storage>(matrix, scale);
      const auto A = there(make_csr(exec, matrix).view(), scale);
      expect_equal(to_host(back(A.view(), std::int32_t())), stored);
      expect_equal(to_host(back(A.view(), std::int64_t())), stored);
      const auto B = there(make_csr<std::int64_t>(exec, matrix).view(), scale);
      expect_equal(to_host(back(B.view(), std::int32_t())), stored);
      EXPECT_EQ(B.view().num_entries, matrix.num_entries());
    }
  }
}

TYPED_TEST(FormatConversions, CooAndBack) {
  using Storage = typename TypeParam::Storage;
  const typename TypeParam::Space exec;
  expect_round_trip<TypeParam>(
      [&](const auto& A, double scale) { return kernels::csr_to_coo<Storage>(exec, A, scale); },
      [&](const auto& A, auto offset) {
        return kernels::coo_to_csr<double, decltype(offset)>(exec, A);
      });
}

TYPED_TEST(FormatConversions, EllAndBack) {
  using Storage = typename TypeParam::Storage;
  const typename TypeParam::Space exec;
  for (const auto& matrix : share_of(format_matrices())) {
    if (!fits_ell(matrix)) continue;
    const auto A = kernels::csr_to_ell<Storage>(exec, make_csr(exec, matrix).view(), 0x1p-5);
    EXPECT_EQ(A.num_slots(), A.width * kernels::ell_stride(matrix.num_rows));
    const auto back = kernels::ell_to_csr<double>(exec, A.view());
    expect_equal(to_host(back), rounded_to<Storage>(matrix, 0x1p-5));
    const auto wide = kernels::ell_to_csr<double, std::int64_t>(exec, A.view());
    expect_equal(to_host(wide), rounded_to<Storage>(matrix, 0x1p-5));
  }
}

TYPED_TEST(FormatConversions, HybAndBack) {
  using Storage = typename TypeParam::Storage;
  const typename TypeParam::Space exec;
  for (const auto& strategy : {HybStrategy{}, HybStrategy::least_bytes(), HybStrategy::fixed(2)}) {
    expect_round_trip<TypeParam>(
        [&](const auto& A, double scale) {
          return kernels::csr_to_hyb<Storage>(exec, A, strategy, scale);
        },
        [&](const auto& A, auto offset) {
          return kernels::hyb_to_csr<double, decltype(offset)>(exec, A);
        });
  }
}

TYPED_TEST(FormatConversions, FloatIsRoundedOnce) {
  using Storage = typename TypeParam::Storage;
  const typename TypeParam::Space exec;
  const auto matrix = random_matrix<float>({.num_rows = 30, .num_cols = 20, .seed = 3});
  const auto A = kernels::csr_to_coo<Storage>(exec, make_csr(exec, matrix).view());
  const auto back = to_host(kernels::coo_to_csr<float>(exec, A.view()));
  for (std::size_t e = 0; e < matrix.num_entries(); ++e) {
    ASSERT_EQ(back.values[e], static_cast<float>(static_cast<Storage>(matrix.values[e])));
  }
}

template <class Param>
class HybWidth : public ::testing::Test {};
TYPED_TEST_SUITE(HybWidth, Spaces, TypeNames);

/// 30 rows of 2, 40 of 5 and 30 of 9 entries.
HostMatrix<double> rows_of_three_lengths() {
  HostMatrix<double> A;
  A.num_rows = 100;
  A.num_cols = 20;
  for (std::int32_t i = 0; i < 100; ++i) {
    const int length = i % 10 < 3 ? 2 : i % 10 < 7 ? 5 : 9;
    for (std::int32_t j = 0; j < length; ++j)
      A.push(j, 1.0);
    A.end_row();
  }
  return A;
}

TYPED_TEST(HybWidth, IsTheQuantileOfTheRowLengths) {
  using Space = typename TypeParam::Space;
  const Space exec;
  const auto A = make_csr(exec, rows_of_three_lengths());
  const auto width = [&](double quantile) {
    HybStrategy strategy;
    strategy.quantile = quantile;
    strategy.most_slots_per_row_count = std::numeric_limits<double>::infinity();
    return kernels::hyb_width(exec, A.view(), strategy, 8);
  };
  EXPECT_EQ(width(0), 2);
  EXPECT_EQ(width(0.29), 2);
  EXPECT_EQ(width(0.31), 5);
  EXPECT_EQ(width(0.69), 5);
  EXPECT_EQ(width(0.71), 9);
  EXPECT_EQ(width(1), 9);
}

TYPED_TEST(HybWidth, IsLimitedByTheNumberOfRows) {
  using Space = typename TypeParam::Space;
  const Space exec;
  const auto A = make_csr(exec, rows_of_three_lengths());
  HybStrategy strategy;
  strategy.quantile = 1;
  strategy.most_slots_per_row_count = 0.035;
  EXPECT_EQ(kernels::hyb_width(exec, A.view(), strategy, 8), 3);
  EXPECT_EQ(kernels::hyb_width(exec, A.view(), HybStrategy::fixed(7), 8), 7);
}

TYPED_TEST(HybWidth, LeastBytesIsLeastOfAllWidths) {
  using Space = typename TypeParam::Space;
  const Space exec;
  for (const auto& matrix :
       {rows_of_three_lengths(), random_matrix<double>({.num_rows = 320, .seed = 4})}) {
    const auto A = make_csr(exec, matrix);
    const auto bytes = [&](const HybStrategy& strategy) {
      return kernels::csr_to_hyb<double>(exec, A.view(), strategy).bytes();
    };
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (int width = 0; width < 20; ++width)
      least = std::min(least, bytes(HybStrategy::fixed(width)));
    // Rows of padding up to the stride are not counted by the rule.
    EXPECT_LE(static_cast<double>(bytes(HybStrategy::least_bytes())), 1.02 * least);
  }
}

template <class Param>
class ConversionErrors : public ::testing::Test {};
TYPED_TEST_SUITE(ConversionErrors, Spaces, TypeNames);

TYPED_TEST(ConversionErrors, PaddingIsSaidInBytes) {
  const typename TypeParam::Space exec;
  const auto A = make_csr(exec, format_matrices()[14]);
  try {
    kernels::csr_to_ell<float>(exec, A.view());
    FAIL() << "a matrix with one dense row became ELL";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::precondition);
    // 5024 places of the 5000 rows, times 5000 slots, of 8 bytes each.
    EXPECT_NE(std::string(error.what()).find("25120000 slots (200960000 bytes)"), std::string::npos)
        << error.what();
  }
  EXPECT_THROW(kernels::csr_to_hyb<float>(exec, A.view(), HybStrategy::fixed(5000)), Error);
}

TYPED_TEST(ConversionErrors, ArgumentsOutOfRange) {
  const typename TypeParam::Space exec;
  const auto A = make_csr(exec, poisson<double>(5, 5));
  for (const double scale : {0.0, 3.0, -2.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(kernels::csr_to_coo<float>(exec, A.view(), scale), Error) << scale;
    EXPECT_THROW(kernels::csr_to_ell<float>(exec, A.view(), scale), Error) << scale;
    EXPECT_THROW(kernels::csr_to_hyb<float>(exec, A.view(), {}, scale), Error) << scale;
  }
  EXPECT_THROW(kernels::csr_to_hyb<float>(exec, A.view(), HybStrategy::fixed(-1)), Error);
  HybStrategy strategy;
  strategy.quantile = 1.5;
  EXPECT_THROW(kernels::csr_to_hyb<float>(exec, A.view(), strategy), Error);
}

}  // namespace
}  // namespace tessera::test
