// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tiles in mixed precision times vectors, against the CSR matrix in long double.
#include "kernels_mixed_tiles/mixed_tiles_fixture.hpp"

#include "tessera/kernels/spmv/mixed_tiles/mixed_tiles_spmv.hpp"

namespace tessera::test {
namespace {

template <class Param>
class MixedTilesSpmvTest : public ::testing::Test {};
TYPED_TEST_SUITE(MixedTilesSpmvTest, Matrices, TypeNames);

template <class Scalar>
std::vector<Scalar> random_vector(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<Scalar> v(n);
  for (auto& value : v)
    value = static_cast<Scalar>(random.uniform(-1, 1));
  return v;
}

/// alpha A x + beta y within `loss` of every entry and the rounding of sums.
template <int size, class Offset, class Space, class Scalar>
void expect_product(const Space& exec, const HostMatrix<Scalar>& A, const TileCriterion& criterion,
                    double loss, Scalar alpha, Scalar beta, int k, int lanes = 0) {
  const auto tiles = make_tiles<size, Offset>(exec, A, criterion);
  const auto x = random_vector<Scalar>(static_cast<std::size_t>(A.num_cols) * k, 11);
  auto y = random_vector<Scalar>(static_cast<std::size_t>(A.num_rows) * k, 12);
  if (beta == 0) std::fill(y.begin(), y.end(), std::numeric_limits<Scalar>::quiet_NaN());
  const auto x_there = to_multivector(exec, x, A.num_cols, k);
  const auto y_there = to_multivector(exec, y, A.num_rows, k);
  auto plan = kernels::analyse_spmv(exec, tiles.view());
  if (lanes > 0) plan.lanes_per_row = lanes;
  kernels::spmv(exec, plan, alpha, tiles.view(), x_there, beta, y_there);
  const auto actual = to_host(y_there);
  auto magnitudes = A;
  auto sizes = x;
  for (auto& value : magnitudes.values)
    value = std::abs(value);
  for (auto& value : sizes)
    value = std::abs(value);
  const auto Ax = multiply(A, x, k);
  const auto bounds = multiply(magnitudes, sizes, k);
  const double rounding = std::numeric_limits<Scalar>::epsilon();
  for (std::size_t i = 0; i < y.size(); ++i) {
    const long double before = beta == 0 ? 0.0L : static_cast<long double>(beta) * y[i];
    const auto row = i % A.num_rows;
    const auto length = static_cast<double>(A.offsets[row + 1] - A.offsets[row]);
    const long double bound =
        std::abs(alpha) * bounds[i] * (loss + 0x1p-52L * (length + 2) + rounding) +
        rounding * std::abs(before);
    ASSERT_LE(std::abs(static_cast<long double>(actual[i]) - (alpha * Ax[i] + before)), bound)
        << "row " << i;
  }
}

TYPED_TEST(MixedTilesSpmvTest, IsTheProductOfTheMatrix) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const std::vector<RandomMatrixOptions> cases{
      {.num_rows = 1, .num_cols = 1, .density = 1.1},
      {.num_rows = 5, .num_cols = 40, .density = 0.4},
      {.num_rows = 83, .num_cols = 3, .density = 0.5},
      {.num_rows = 64, .num_cols = 64, .density = 1.1},
      {.num_rows = 201, .num_cols = 333, .density = 0.05, .empty_row_fraction = 0.3},
      {.num_rows = 70, .num_cols = 2000, .density = 0.002, .dense_row = 20},
      {.num_rows = 150, .num_cols = 140, .density = 0.1, .unsorted = true}};
  for (const auto& options : cases) {
    for (int variety = 0; variety < 5; ++variety) {
      const auto A = with_values(random_matrix<Scalar>(options), variety);
      SCOPED_TRACE(std::to_string(A.num_rows) + ", " + std::to_string(variety));
      expect_product<8, Offset>(exec, A, {TileLoss::none}, 0, Scalar(1), Scalar(0), 1);
      expect_product<16, Offset>(exec, A, {TileLoss::none}, 0, Scalar(1), Scalar(0), 1);
      expect_product<32, Offset>(exec, A, {TileLoss::none}, 0, Scalar(1), Scalar(0), 1);
      expect_product<16, Offset>(exec, A, {}, 1e-15, Scalar(-2.5), Scalar(0.5), 3);
      for (const double tolerance : {1e-1, 1e-3, 1e-6})
        expect_product<16, Offset>(exec, A, {TileLoss::relative, tolerance}, tolerance, Scalar(1),
                                   Scalar(-1), 2);
    }
  }
}

TYPED_TEST(MixedTilesSpmvTest, AnyNumberOfLanesForARow) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const auto A =
      with_values(random_matrix<Scalar>({.num_rows = 130, .num_cols = 900, .density = 0.2}), 4);
  for (const int lanes : {1, 2, 4, 8, 16, 32})
    expect_product<16, Offset>(exec, A, {}, 1e-15, Scalar(1), Scalar(2), 1, lanes);
  EXPECT_THROW((expect_product<16, Offset>(exec, A, {}, 1e-15, Scalar(1), Scalar(2), 1, 3)), Error);
}

TYPED_TEST(MixedTilesSpmvTest, AlphaAndBetaOfZeroReadNothing) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
  auto A = poisson<Scalar>(9, 9);
  A.values[7] = nan;
  const auto tiles = make_tiles<16, Offset>(exec, A);
  const auto plan = kernels::analyse_spmv(exec, tiles.view());
  const std::vector<Scalar> x(81, nan);
  for (const Scalar beta : {Scalar(0), Scalar(2)}) {
    const std::vector<Scalar> start(81, beta == 0 ? nan : Scalar(3));
    const auto there = to_multivector(exec, start, 81);
    kernels::spmv(exec, plan, Scalar(0), tiles.view(), to_multivector(exec, x, 81), beta, there);
    EXPECT_EQ(to_host(there), std::vector<Scalar>(81, beta == 0 ? Scalar(0) : Scalar(6)));
  }
  // Infinities and NaN of the matrix reach the rows that have them, and no others.
  const std::vector<Scalar> ones(81, Scalar(1));
  const auto y = to_multivector(exec, ones, 81);
  kernels::spmv(exec, plan, Scalar(1), tiles.view(), to_multivector(exec, ones, 81), Scalar(0), y);
  const auto host = to_host(y);
  int bad = 0;
  for (const Scalar value : host)
    bad += std::isnan(value) ? 1 : 0;
  EXPECT_EQ(bad, 1);
}

TYPED_TEST(MixedTilesSpmvTest, RefusesWhatDoesNotFit) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const auto tiles = make_tiles<16, Offset>(exec, poisson<Scalar>(4, 4));
  const auto plan = kernels::analyse_spmv(exec, tiles.view());
  const auto of = [&](std::size_t n, std::size_t k) {
    return allocate_multivector<Scalar>(exec, "tessera::test", n, k);
  };
  const auto run = [&](std::size_t n, std::size_t m, std::size_t k, std::size_t l) {
    kernels::spmv(exec, plan, Scalar(1), tiles.view(), of(n, k), Scalar(0), of(m, l));
  };
  EXPECT_THROW(run(15, 16, 1, 1), Error);
  EXPECT_THROW(run(16, 17, 1, 1), Error);
  EXPECT_THROW(run(16, 16, 1, 2), Error);
  EXPECT_NO_THROW(run(16, 16, 2, 2));
}

}  // namespace
}  // namespace tessera::test
