// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "same_arrays.hpp"
#include "support/reference.hpp"
#include "support/share.hpp"

#include "tessera/kernels/format/mbsr/fitting_scale.hpp"
#include "tessera/kernels/format/mbsr/norms.hpp"
#include "tessera/kernels/format/mbsr/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::test {
namespace {

template <class Param>
class MbsrPropertiesTest : public ::testing::Test {};
TYPED_TEST_SUITE(MbsrPropertiesTest, StoredTypes, StoredNames);

/// The largest row sum of magnitudes.
double largest_row_sum(const HostMatrix<double>& A) {
  double largest = 0;
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    double sum = 0;
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      sum += std::abs(A.values[e]);
    largest = std::max(largest, sum);
  }
  return largest;
}

TYPED_TEST(MbsrPropertiesTest, Norms) {
  using Storage = typename TypeParam::Storage;
  const typename TypeParam::Space exec;
  for (const auto& A : share_of(mbsr_edge_cases())) {
    const auto held = sorted(rounded_to<Storage>(A, 0.5));
    long double squares = 0;
    double largest = 0;
    for (const double value : held.values) {
      squares += static_cast<long double>(value) * value;
      largest = std::max(largest, std::abs(value));
    }
    const double frobenius = static_cast<double>(std::sqrt(squares));
    for (const auto layout : tile_layouts) {
      const auto tiles = make_mbsr<Storage>(exec, A, layout, 0.5);
      EXPECT_NEAR(kernels::frobenius_norm(exec, tiles.view()), frobenius, 1e-13 * frobenius);
      EXPECT_EQ(kernels::max_abs(exec, tiles.view()), largest);
      EXPECT_NEAR(kernels::inf_norm(exec, tiles.view()), largest_row_sum(held),
                  1e-14 * largest_row_sum(held));
      EXPECT_NEAR(kernels::one_norm(exec, tiles.view()), largest_row_sum(transpose(held)),
                  1e-14 * largest_row_sum(transpose(held)));
    }
  }
}

TYPED_TEST(MbsrPropertiesTest, NormsOfNaNAreNaN) {
  using Storage = typename TypeParam::Storage;
  const typename TypeParam::Space exec;
  HostMatrix<double> A = poisson<double>(20, 20);
  A.values[77] = std::nan("");
  const auto tiles = make_mbsr<Storage>(exec, A);
  EXPECT_TRUE(std::isnan(kernels::frobenius_norm(exec, tiles.view())));
  EXPECT_TRUE(std::isnan(kernels::inf_norm(exec, tiles.view())));
  EXPECT_TRUE(std::isnan(kernels::one_norm(exec, tiles.view())));
  EXPECT_TRUE(std::isnan(kernels::max_abs(exec, tiles.view())));
}

TYPED_TEST(MbsrPropertiesTest, Statistics) {
  using Storage = typename TypeParam::Storage;
  const typename TypeParam::Space exec;
  for (const auto& A : share_of(mbsr_edge_cases())) {
    const auto tiles = make_mbsr<Storage>(exec, A);
    const auto rows = tiles_of<Storage>(A, 1);
    kernels::RowStatistics expected;
    std::array<std::int64_t, 17> histogram{};
    double sum = 0;
    expected.shortest = rows.empty() ? 0 : 1 << 30;
    for (const auto& row : rows) {
      const auto length = static_cast<std::int64_t>(row.size());
      expected.shortest = std::min(expected.shortest, length);
      expected.longest = std::max(expected.longest, length);
      expected.empty_rows += length == 0 ? 1 : 0;
      sum += static_cast<double>(length);
      for (const auto& [column, tile] : row)
        ++histogram[tile.size()];
    }
    const double mean = rows.empty() ? 0 : sum / static_cast<double>(rows.size());
    double variance = 0;
    for (const auto& row : rows)
      variance += (row.size() - mean) * (row.size() - mean) / static_cast<double>(rows.size());
    const auto actual = kernels::tile_row_statistics(exec, tiles.view());
    EXPECT_EQ(actual.shortest, expected.shortest);
    EXPECT_EQ(actual.longest, expected.longest);
    EXPECT_EQ(actual.empty_rows, expected.empty_rows);
    EXPECT_NEAR(actual.mean, mean, 1e-12 * mean);
    EXPECT_NEAR(actual.variance, variance, 1e-9 * variance);
    EXPECT_EQ(kernels::tile_histogram(exec, tiles.view()), histogram);
    EXPECT_EQ(kernels::entries_per_tile(tiles.view()),
              sum == 0 ? 0 : static_cast<double>(A.num_entries()) / sum);
  }
}

/// The values on the diagonal of a matrix of that size.
HostMatrix<double> diagonal(const std::vector<double>& values) {
  HostMatrix<double> A = identity<double>(static_cast<std::int32_t>(values.size()));
  A.values = values;
  return A;
}

/// The scale for the values, the same from CSR and from tiles under another scale.
template <class Storage, class Space>
double scale_for(const Space& exec, const std::vector<double>& values) {
  const HostMatrix<double> A = diagonal(values);
  const auto csr = make_csr(exec, A);
  const double scale = kernels::fitting_scale<Storage>(exec, csr.view());
  const auto csr_64 = make_csr<std::int64_t>(exec, A);
  EXPECT_EQ(kernels::fitting_scale<Storage>(exec, csr_64.view()), scale);
  for (const auto layout : tile_layouts) {
    const auto tiles = make_mbsr<double>(exec, A, layout, 0x1p-9);
    EXPECT_EQ(kernels::fitting_scale<Storage>(exec, tiles.view()), scale);
  }
  return scale;
}

TYPED_TEST(MbsrPropertiesTest, FittingScaleBringsTheLargestToTheTop) {
  using Storage = typename TypeParam::Storage;
  const typename TypeParam::Space exec;
  const double top = largest_finite<Storage>;
  const double least = smallest_normal<Storage>;
  EXPECT_EQ(scale_for<Storage>(exec, {}), 1);
  EXPECT_EQ(scale_for<Storage>(exec, {0, 0}), 1);
  EXPECT_EQ(scale_for<Storage>(exec, {6, -1, 0}), 1);
  EXPECT_EQ(scale_for<Storage>(exec, {6, std::nan(""), 1e-300}), 1);
  EXPECT_EQ(scale_for<Storage>(exec, {6, -HUGE_VAL, 1e-300}), 1);
  if (std::is_same_v<Storage, double>) return;  // nothing is out of its range
  EXPECT_EQ(scale_for<Storage>(exec, {-top, least}), 1);
  const double goal = std::min(top, 0x1p64);  // sums in float have to hold more
  const auto expected = [&](double largest) {
    double scale = 1;
    while (largest > scale * goal)
      scale *= 2;
    while (largest <= scale / 2 * goal)
      scale /= 2;
    return scale;
  };
  for (const double largest :
       {8 * top, std::nextafter(8 * top, HUGE_VAL), std::nextafter(8 * top, 0.0)}) {
    EXPECT_EQ(scale_for<Storage>(exec, {-largest, 1}), expected(largest));
  }
  for (const double largest : {least / 2, 1.75, top / 4, top})
    EXPECT_EQ(scale_for<Storage>(exec, {largest, least / 2}), expected(largest));
}

TYPED_TEST(MbsrPropertiesTest, FittingScaleKeepsHugeAndTinyMatrices) {
  using Storage = typename TypeParam::Storage;
  const typename TypeParam::Space exec;
  for (const double factor : {1e-12, 1e12}) {
    HostMatrix<double> A = poisson<double>(9, 8, 7);
    for (double& value : A.values)
      value *= factor;
    const auto csr = make_csr(exec, A);
    const double scale = kernels::fitting_scale<Storage>(exec, csr.view());
    const auto held = rounded_to<Storage>(A, scale);
    for (std::size_t e = 0; e < A.values.size(); ++e) {
      EXPECT_NEAR(held.values[e], A.values[e],
                  unit_roundoff<Storage> * std::abs(A.values[e]) * (1 + 1e-12));
    }
  }
}

}  // namespace
}  // namespace tessera::test
