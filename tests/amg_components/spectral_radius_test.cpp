// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "amg_components/radius_of.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/spectral/tridiagonal.hpp"
#include "tessera/kernels/execution/error.hpp"

#include <array>
#include <limits>
#include <numbers>

namespace tessera::test::spectral_radius_test {

TESSERA_TEST_SUITE(SpectralRadiusTest, Matrices, TypeNames);

TESSERA_TYPED_TEST(SpectralRadiusTest, IsWithinThreePercentForPoisson) {
  const auto cosine = [](Ordinal n) { return std::cos(std::numbers::pi / (n + 1)); };
  const std::vector<std::array<Ordinal, 3>> grids{
      {200, 1, 1}, {60, 50, 1}, {17, 1, 1}, {21, 20, 22}};
  for (const auto& [nx, ny, nz] : grids) {
    const int dimensions = 1 + (ny > 1) + (nz > 1);
    const double sum = cosine(nx) + (ny > 1 ? cosine(ny) : 0) + (nz > 1 ? cosine(nz) : 0);
    const double exact = 1 + sum / dimensions;
    const auto A = poisson<Scalar>(nx, ny, nz);
    for (const std::uint32_t seed : {0u, 1u, 2u}) {
      EXPECT_NEAR((lanczos_radius<Offset>(exec, A, 12, seed)), exact, 0.03 * exact)
          << nx << " " << ny << " " << nz;
    }
    EXPECT_EQ((lanczos_radius<Offset>(exec, A)), (lanczos_radius<Offset>(exec, A)))
        << "the same bits";
  }
}

TESSERA_TYPED_TEST(SpectralRadiusTest, DiagonalScalingAndSignDoNotMatter) {
  // S A S with S diagonal has another D, and the same eigenvalues of D^-1 A.
  auto A = poisson<Scalar>(30, 20);
  const double plain = lanczos_radius<Offset>(exec, A, 60);
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      const auto scale = [](Ordinal k) { return Scalar(std::exp(std::sin(k))); };
      A.values[e] *= -scale(i) * scale(A.columns[e]);
    }
  }
  EXPECT_NEAR((lanczos_radius<Offset>(exec, A, 60)), plain, 2e-3 * plain);
}

TESSERA_TYPED_TEST(SpectralRadiusTest, TakesEmptyIsolatedAndZeroRows) {
  EXPECT_EQ((lanczos_radius<Offset>(exec, HostMatrix<Scalar>{})), 0);
  EXPECT_EQ((lanczos_radius<Offset>(
                exec, random_matrix<Scalar>({.num_rows = 9, .num_cols = 9, .density = 0}))),
            0)
      << "no entries";
  EXPECT_NEAR((lanczos_radius<Offset>(exec, identity<Scalar>(50))), 1, 1e-5);
  EXPECT_NEAR((lanczos_radius<Offset>(exec, identity<Scalar>(1), 1)), 1, 1e-5);

  // [2 1; 1 2] beside rows without couplings and one without a diagonal entry: eigenvalue 3 / 2.
  const auto A = from_rows<Scalar>(5, {{{0, Scalar(1e4)}},
                                       {{1, Scalar(2)}, {3, Scalar(1)}},
                                       {},
                                       {{1, Scalar(1)}, {3, Scalar(2)}},
                                       {{4, Scalar(1e-4)}}});
  EXPECT_NEAR((lanczos_radius<Offset>(exec, A)), 1.5, 1e-3);
  EXPECT_THROW(lanczos_radius<Offset>(exec, A, 0), Error);
}

TESSERA_TYPED_TEST(SpectralRadiusTest, NotANumberComesThrough) {
  auto A = poisson<Scalar>(10);
  A.values[4] = std::numeric_limits<Scalar>::quiet_NaN();
  EXPECT_TRUE(std::isnan((lanczos_radius<Offset>(exec, A))));
}

TEST(Tridiagonal, FindsTheEigenvalueOfLargestModulus) {
  // The second difference of n points: eigenvalues 2 - 2 cos(k pi / (n + 1)).
  const int n = 9;
  amg::Tridiagonal matrix{std::vector<double>(n, 2.0), std::vector<double>(n, 1.0)};
  matrix.squares.back() = 0;
  const double largest = 2 + 2 * std::cos(std::numbers::pi / (n + 1));
  EXPECT_NEAR(amg::largest_ritz_value(matrix).value, largest, 1e-12);
  EXPECT_NEAR(amg::largest_ritz_value(matrix).residual, 0, 1e-12);
  for (double& entry : matrix.diagonal)
    entry = -entry;
  matrix.squares.back() = 1;
  const auto ritz = amg::largest_ritz_value(matrix);
  EXPECT_NEAR(ritz.value, -largest, 1e-12);
  // The last entry of its eigenvector, sqrt(2 / (n + 1)) sin(pi n / (n + 1)).
  EXPECT_NEAR(ritz.residual, std::sqrt(2.0 / (n + 1)) * std::sin(std::numbers::pi * n / (n + 1)),
              1e-9);
  EXPECT_NEAR(amg::largest_ritz_value({{-3.0}, {0.0}}).value, -3, 1e-12);
}

}  // namespace tessera::test::spectral_radius_test
