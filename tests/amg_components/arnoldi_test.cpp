// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Estimates of spectral radii by Arnoldi.
#include "amg_components/known_radii.hpp"

#include <limits>

namespace tessera::test::arnoldi_test {

using namespace known_radii;

TESSERA_TEST_SUITE(ArnoldiTest, Matrices, TypeNames);

TESSERA_TYPED_TEST(ArnoldiTest, AgreesWithLanczosForSymmetricMatrices) {
  const auto negative = times(poisson<Scalar>(30, 20), -1);
  const std::vector<HostMatrix<Scalar>> matrices{poisson<Scalar>(200), poisson<Scalar>(21, 20, 22),
                                                 scaled(poisson<Scalar>(30, 20)), negative,
                                                 random_spd_matrix<Scalar>(300, 0.05, 3)};
  const double tolerance = std::is_same_v<Scalar, double> ? 1e-10 : 1e-4;
  for (const auto& A : matrices) {
    for (const std::uint32_t seed : {0u, 1u}) {
      const double expected = radius<Offset, Method::lanczos>(exec, A, 12, seed);
      EXPECT_NEAR((radius<Offset, Method::arnoldi>(exec, A, 12, seed)), expected,
                  tolerance * expected);
    }
  }
}

TESSERA_TYPED_TEST(ArnoldiTest, IsWithinAFewPercentForConvectionAndDiffusion) {
  for (const auto& [n, dimensions] : grids) {
    for (const double peclet : {0.0, 0.1, 0.5, 1.0}) {
      const double exact = upwind_radius(n, dimensions, peclet);
      const auto A = upwind<Scalar>(n, dimensions, peclet);
      for (const auto& matrix : {A, scaled(A)}) {
        EXPECT_NEAR((radius<Offset, Method::arnoldi>(exec, matrix)), exact, 0.06 * exact)
            << dimensions << " dimensions, Peclet number " << peclet;
      }
    }
  }
  const auto A = upwind<Scalar>({40, 35, 1}, 2, 0.5);
  EXPECT_EQ((radius<Offset, Method::arnoldi>(exec, A)), (radius<Offset, Method::arnoldi>(exec, A)))
      << "the same bits";
}

TESSERA_TYPED_TEST(ArnoldiTest, StaysBetweenRadiusAndNormForStrongConvection) {
  for (const auto& [n, dimensions] : grids) {
    for (const double peclet : {10.0, 1e3, 1e6}) {
      const double found =
          radius<Offset, Method::arnoldi>(exec, upwind<Scalar>(n, dimensions, peclet));
      EXPECT_GE(found, 0.97 * upwind_radius(n, dimensions, peclet));
      // Its norm is below 2, for no row or column of its modulus sums to more.
      EXPECT_LE(found, 1.5 * 2);
    }
  }
}

TESSERA_TYPED_TEST(ArnoldiTest, FindsComplexPairs) {
  for (const auto& [n, dimensions] : grids) {
    for (const double skew : {0.5, 3.0}) {
      // The identity and a skew part: a normal matrix, with eigenvalues 1 + i t.
      const double exact = cross_radius(n, dimensions, -skew, skew);
      EXPECT_NEAR(
          (radius<Offset, Method::arnoldi>(exec, cross<Scalar>(n, dimensions, -skew, skew))), exact,
          0.05 * exact)
          << dimensions << " dimensions, skew part " << skew;
    }
  }
}

TESSERA_TYPED_TEST(ArnoldiTest, RotationsAreAnInvariantSubspaceFoundEarly) {
  // Blocks of d (cos, -sin; sin, cos): the eigenvalues of D^-1 A are 1 + i tan and 1 - i tan.
  const double angle = 1.2;
  std::vector<std::vector<std::pair<std::int32_t, Scalar>>> rows;
  for (Ordinal block = 0; block < 100; ++block) {
    const double d = std::exp(2 * std::sin(block)) * (block % 2 ? 1 : -1);
    const auto c = static_cast<Scalar>(d * std::cos(angle));
    const auto s = static_cast<Scalar>(d * std::sin(angle));
    rows.push_back({{2 * block, c}, {2 * block + 1, -s}});
    rows.push_back({{2 * block, s}, {2 * block + 1, c}});
  }
  const auto A = from_rows<Scalar>(200, rows);
  const double exact = 1 / std::cos(angle);
  for (const int steps : {2, 3, 12, 60})
    EXPECT_NEAR((radius<Offset, Method::arnoldi>(exec, A, steps)), exact, 1e-4 * exact) << steps;
}

TESSERA_TYPED_TEST(ArnoldiTest, IsExactAfterAsManyStepsAsRows) {
  const double tolerance = std::is_same_v<Scalar, double> ? 1e-8 : 1e-2;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    // Diagonals of both signs, and away from zero where there is one.
    const auto A = with_diagonal(
        random_matrix<Scalar>(
            {.num_rows = 40, .num_cols = 40, .density = 0.3, .unsorted = true, .seed = seed}),
        [](Ordinal, Scalar& value) { value += value > 0 ? 2 : -2; });
    const double exact = dense_radius(A);
    EXPECT_NEAR((radius<Offset, Method::arnoldi>(exec, A, 40)), exact, tolerance * exact);
    EXPECT_NEAR((radius<Offset, Method::arnoldi>(exec, A, 100)), exact, tolerance * exact);
  }
  const auto A = upwind<Scalar>({6, 5, 1}, 2, 0.5);
  EXPECT_NEAR(dense_radius(A), upwind_radius({6, 5, 1}, 2, 0.5), 1e-6);
}

TESSERA_TYPED_TEST(ArnoldiTest, TakesEmptyIsolatedAndZeroRows) {
  EXPECT_EQ((radius<Offset, Method::arnoldi>(exec, HostMatrix<Scalar>{})), 0);
  const auto zero = random_matrix<Scalar>({.num_rows = 9, .num_cols = 9, .density = 0});
  EXPECT_EQ((radius<Offset, Method::arnoldi>(exec, zero)), 0) << "no entries";
  EXPECT_EQ((radius<Offset, Method::arnoldi>(exec, from_rows<Scalar>(2, {{{1, 1}}, {{0, 1}}}))), 0)
      << "no diagonal";
  EXPECT_NEAR((radius<Offset, Method::arnoldi>(exec, identity<Scalar>(50))), 1, 1e-5);
  EXPECT_NEAR((radius<Offset, Method::arnoldi>(exec, identity<Scalar>(1))), 1, 1e-5);
  EXPECT_NEAR((radius<Offset, Method::arnoldi>(exec, from_rows<Scalar>(1, {{{0, Scalar(-7)}}}))), 1,
              1e-5);

  // [2 1; -1 2] beside rows without couplings and one without a diagonal entry, which couples.
  const auto A = from_rows<Scalar>(5, {{{0, Scalar(1e4)}},
                                       {{1, Scalar(2)}, {3, Scalar(1)}},
                                       {{0, Scalar(1e6)}},
                                       {{1, Scalar(-1)}, {2, Scalar(1e6)}, {3, Scalar(2)}},
                                       {{4, Scalar(-1e-4)}}});
  EXPECT_NEAR((radius<Offset, Method::arnoldi>(exec, A)), std::sqrt(1.25), 1e-4);
  EXPECT_THROW((radius<Offset, Method::arnoldi>(exec, A, 0)), Error);
}

TESSERA_TYPED_TEST(ArnoldiTest, NotANumberComesThrough) {
  const auto plain = upwind<Scalar>({10, 1, 1}, 1, 1);
  for (const Scalar bad :
       {std::numeric_limits<Scalar>::quiet_NaN(), std::numeric_limits<Scalar>::infinity()}) {
    for (const std::size_t place : {0, 4}) {  // on the diagonal, and beside it
      auto A = plain;
      A.values[place] = bad;
      if (place == 0 && std::isinf(bad)) continue;  // its inverse is 0: the row is left out
      EXPECT_TRUE(std::isnan((radius<Offset, Method::arnoldi>(exec, A)))) << bad << " at " << place;
    }
  }
}

TEST(Hessenberg, FindsTheLargestModulusAndItsResidual) {
  const auto expect = [](const Hessenberg& matrix, double value, double residual) {
    const auto ritz = largest_ritz_modulus(matrix);
    EXPECT_NEAR(ritz.value, value, 1e-12);
    EXPECT_NEAR(ritz.residual, residual, 1e-12);
  };
  expect({1, {-3.0}, 0.5}, 3, 0.5);
  expect({2, {1, 0, 0, 2}, 3}, 2, 3);
  expect({2, {-2, 0, 0, 1}, 3}, 2, 0);
  expect({2, {0, 5, -5, 0}, 4}, 5, 4 / std::sqrt(2.0));
  // The companion matrix of (x - 1) (x^2 + 4): eigenvector of 2i is (1, 1 / 2i, -1 / 4) by rows
  // from the highest power, of squared norm 21 / 16.
  expect({3, {1, 1, 0, -4, 0, 1, 4, 0, 0}, 1}, 2, std::sqrt(1.0 / 21));
}

}  // namespace tessera::test::arnoldi_test
