// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Estimates of spectral radii by Lanczos.
#include "amg_components/known_radii.hpp"

#include <limits>

namespace tessera::test::spectral_radius_test {

using namespace known_radii;

TESSERA_TEST_SUITE(SpectralRadiusTest, Matrices, TypeNames);

TESSERA_TYPED_TEST(SpectralRadiusTest, IsWithinThreePercentForPoisson) {
  for (const auto& n :
       std::vector<std::array<Ordinal, 3>>{{200, 1, 1}, {60, 50, 1}, {17, 1, 1}, {21, 20, 22}}) {
    const double dimensions = 1 + (n[1] > 1) + (n[2] > 1);
    const double exact = cross_radius(n, 2 * dimensions, 1, 1);
    const auto A = poisson<Scalar>(n[0], n[1], n[2]);
    for (const std::uint32_t seed : {0u, 1u, 2u}) {
      EXPECT_NEAR((radius<Offset, Method::lanczos>(exec, A, 12, seed)), exact, 0.03 * exact)
          << n[0] << " " << n[1] << " " << n[2];
    }
    EXPECT_EQ((radius<Offset, Method::lanczos>(exec, A)),
              (radius<Offset, Method::lanczos>(exec, A)))
        << "the same bits";
  }
}

TESSERA_TYPED_TEST(SpectralRadiusTest, DiagonalScalingAndSignDoNotMatter) {
  const auto A = poisson<Scalar>(30, 20);
  const double plain = radius<Offset, Method::lanczos>(exec, A, 60);
  EXPECT_NEAR((radius<Offset, Method::lanczos>(exec, times(scaled(A, 1), -1), 60)), plain,
              2e-3 * plain);
}

TESSERA_TYPED_TEST(SpectralRadiusTest, TakesEmptyIsolatedAndZeroRows) {
  EXPECT_EQ((radius<Offset, Method::lanczos>(exec, HostMatrix<Scalar>{})), 0);
  EXPECT_EQ((radius<Offset, Method::lanczos>(
                exec, random_matrix<Scalar>({.num_rows = 9, .num_cols = 9, .density = 0}))),
            0)
      << "no entries";
  EXPECT_NEAR((radius<Offset, Method::lanczos>(exec, identity<Scalar>(50))), 1, 1e-5);
  EXPECT_NEAR((radius<Offset, Method::lanczos>(exec, identity<Scalar>(1), 1)), 1, 1e-5);

  // [2 1; 1 2] beside rows without couplings and one without a diagonal entry: eigenvalue 3 / 2.
  const auto A = from_rows<Scalar>(5, {{{0, Scalar(1e4)}},
                                       {{1, Scalar(2)}, {3, Scalar(1)}},
                                       {},
                                       {{1, Scalar(1)}, {3, Scalar(2)}},
                                       {{4, Scalar(1e-4)}}});
  EXPECT_NEAR((radius<Offset, Method::lanczos>(exec, A)), 1.5, 1e-3);
  EXPECT_THROW((radius<Offset, Method::lanczos>(exec, A, 0)), Error);
}

TESSERA_TYPED_TEST(SpectralRadiusTest, NotANumberComesThrough) {
  auto A = poisson<Scalar>(10);
  A.values[4] = std::numeric_limits<Scalar>::quiet_NaN();
  EXPECT_TRUE(std::isnan((radius<Offset, Method::lanczos>(exec, A))));
}

TEST(Tridiagonal, FindsTheEigenvalueOfLargestModulus) {
  // The second difference of n points: eigenvalues 2 - 2 cos(k pi / (n + 1)).
  const int n = 9;
  Tridiagonal matrix{std::vector<double>(n, 2.0), std::vector<double>(n, 1.0)};
  matrix.squares.back() = 0;
  const double largest = 2 + 2 * std::cos(std::numbers::pi / (n + 1));
  EXPECT_NEAR(largest_ritz_value(matrix).value, largest, 1e-12);
  EXPECT_NEAR(largest_ritz_value(matrix).residual, 0, 1e-12);
  for (double& entry : matrix.diagonal)
    entry = -entry;
  matrix.squares.back() = 1;
  const auto ritz = largest_ritz_value(matrix);
  EXPECT_NEAR(ritz.value, -largest, 1e-12);
  // The last entry of its eigenvector, sqrt(2 / (n + 1)) sin(pi n / (n + 1)).
  EXPECT_NEAR(ritz.residual, std::sqrt(2.0 / (n + 1)) * std::sin(std::numbers::pi * n / (n + 1)),
              1e-9);
  EXPECT_NEAR(largest_ritz_value({{-3.0}, {0.0}}).value, -3, 1e-12);
}

}  // namespace tessera::test::spectral_radius_test
