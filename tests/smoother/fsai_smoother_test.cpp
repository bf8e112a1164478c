// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation by a factorised approximate inverse: its damping, its symmetry, and what it says.
#include "smoother_fixture.hpp"

#include <numeric>

namespace tessera::test::fsai_smoother_test {

TESSERA_TEST_SUITE(FsaiSmootherTest, Matrices, TypeNames);

SmootherParameters fsai(const FsaiParameters& p = {}, int sweeps = 1) {
  return {.type = SmootherType::fsai, .sweeps = sweeps, .fsai = p};
}

template <class Scalar>
double energy(const HostMatrix<Scalar>& A, const std::vector<Scalar>& e) {
  const auto Ae = multiply(A, e);
  return static_cast<double>(std::inner_product(e.begin(), e.end(), Ae.begin(), 0.0L));
}

/// For every omega below 2, as it is over the spectral radius.
TESSERA_TYPED_TEST(FsaiSmootherTest, ReducesTheErrorInTheEnergyNorm) {
  for (const auto& A : {random_spd_matrix<Scalar>(70, 0.2), poisson<Scalar>(12, 12)}) {
    const int n = A.num_rows;
    for (const double omega : {0.5, 4.0 / 3.0, 1.85}) {
      for (const int power : {1, 2}) {
        Bench<Scalar, Space, Offset> bench(A, fsai({.pattern_power = power, .omega = omega}), 1);
        auto error = random_vector<Scalar>(n, 5);
        for (int sweep = 0; sweep < 6; ++sweep) {
          const double before = energy(A, error);
          error = bench.from(error, std::vector<Scalar>(n, Scalar(0)));
          ASSERT_LT(energy(A, error), before) << omega << " " << power;
        }
      }
    }
  }
}

/// The more entries G has, the closer it comes.
TESSERA_TYPED_TEST(FsaiSmootherTest, LargerPatternsComeCloser) {
  const auto A = poisson<Scalar>(14, 14);
  const int n = A.num_rows;
  const auto left = [&](const FsaiParameters& p) {
    Bench<Scalar, Space, Offset> bench(A, fsai(p, 3), 1);
    return energy(A, bench.from(random_vector<Scalar>(n, 5), std::vector<Scalar>(n, Scalar(0))));
  };
  const double diagonal = left({.max_row_entries = 1});
  const double lower = left({});
  const double square = left({.pattern_power = 2});
  EXPECT_LT(lower, 0.95 * diagonal);
  EXPECT_LT(square, 0.95 * lower);
  EXPECT_EQ(left({.drop_tolerance = 0.9}), diagonal);
}

/// A full pattern leaves nothing: G^T G is the inverse, the radius 1.
TESSERA_TYPED_TEST(FsaiSmootherTest, IsADirectSolveOnAFullPattern) {
  const auto A = random_spd_matrix<Scalar>(30, 1.0);
  Bench<Scalar, Space, Offset> bench(A, fsai({.max_row_entries = 30, .omega = 1}), 1);
  const auto x = random_vector<Scalar>(30, 3);
  const auto product = multiply(A, x);
  const auto solved = bench.from_zero({product.begin(), product.end()});
  for (int i = 0; i < 30; ++i)
    ASSERT_NEAR(solved[i], x[i], 500 * std::numeric_limits<Scalar>::epsilon());
}

TESSERA_TYPED_TEST(FsaiSmootherTest, IsSymmetric) {
  const int n = 50;
  const auto A = random_spd_matrix<Scalar>(n, 0.1);
  for (const int sweeps : {1, 2}) {
    Bench<Scalar, Space, Offset> bench(A, fsai({}, sweeps), 1);
    EXPECT_FALSE(bench.relaxes_one_way());
    const Dense M = bench.as_matrix();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j)
        ASSERT_NEAR(static_cast<double>(M(i, j)), static_cast<double>(M(j, i)), rounding<Scalar>);
  }
}

TESSERA_TYPED_TEST(FsaiSmootherTest, ColumnsAreRelaxedAlike) {
  const int n = 40, k = 5;
  const auto A = random_spd_matrix<Scalar>(n, 0.1);
  Bench<Scalar, Space, Offset> bench(A, fsai({}, 2), 1);
  const auto b = random_vector<Scalar>(n * k, 1);
  const auto together = bench.from_zero(b, k);
  for (int c = 0; c < k; ++c) {
    const auto alone = bench.from_zero({b.begin() + c * n, b.begin() + (c + 1) * n});
    for (int i = 0; i < n; ++i)
      ASSERT_NEAR(together[c * n + i], alone[i], rounding<Scalar>);
  }
}

TESSERA_TYPED_TEST(FsaiSmootherTest, SaysWhereTheMatrixIsNotDefinite) {
  const auto A = random_spd_matrix<Scalar>(20, 0.2);
  EXPECT_EQ((Bench<Scalar, Space, Offset>(A, fsai(), 1).note()), "");
  const auto indefinite = by_rows<Scalar>(20, 20, [](auto& row, std::int32_t i) {
    if (i > 0) row.push(i - 1, Scalar(-3));
    row.push(i, Scalar(2));
    if (i < 19) row.push(i + 1, Scalar(-3));
  });
  Bench<Scalar, Space, Offset> bench(indefinite, fsai(), 1);
  EXPECT_EQ(bench.note(),
            "fsai takes the diagonal alone in 19 rows, the first being 1: their part of the matrix "
            "is not positive definite");
  for (const Scalar value : bench.from_zero(random_vector<Scalar>(20, 1)))
    EXPECT_TRUE(std::isfinite(value));
}

TESSERA_TYPED_TEST(FsaiSmootherTest, RefusesParametersBeyondTheirRange) {
  using OneBench = Bench<Scalar, Space, Offset>;
  const auto A = identity<Scalar>(3);
  for (const FsaiParameters& p :
       {FsaiParameters{.pattern_power = 0}, FsaiParameters{.pattern_power = 3},
        FsaiParameters{.max_row_entries = 0}, FsaiParameters{.max_row_entries = 65},
        FsaiParameters{.omega = 0}, FsaiParameters{.omega = 2},
        FsaiParameters{.omega = std::nan("")}})
    EXPECT_THROW(OneBench(A, fsai(p), 1), Error);
  EXPECT_THROW(OneBench(A, fsai({}, 0), 1), Error);
}

}  // namespace tessera::test::fsai_smoother_test
