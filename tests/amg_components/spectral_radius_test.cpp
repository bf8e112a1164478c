// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Estimates of spectral radii by Lanczos and by Arnoldi.
#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/inverse_diagonal.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/spectral/spectral_radius.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/operator/ritz_values.hpp"

#include <array>
#include <limits>
#include <numbers>

namespace tessera::test::spectral_radius_test {

enum class Method { lanczos, arnoldi };

template <class Offset, Method method, class Scalar, class Space>
double radius(const Space& exec, const HostMatrix<Scalar>& A, int steps = 12,
              std::uint32_t seed = 0) {
  const auto csr = make_csr<Offset>(exec, A);
  const auto plan = kernels::analyse_spmv(exec, csr.view());
  const auto inverse = to_device(exec, inverse_diagonal_of(A));
  return method == Method::lanczos
             ? amg::spectral_radius_lanczos(exec, csr.view(), plan, inverse, steps, seed)
             : amg::spectral_radius_arnoldi(exec, csr.view(), plan, inverse, steps, seed);
}

TESSERA_TEST_SUITE(SpectralRadiusTest, Matrices, TypeNames);
TESSERA_TEST_SUITE(ArnoldiTest, Matrices, TypeNames);

/// The cross stencil with -`before` and -`after` beside the diagonal in each direction.
template <class Scalar>
HostMatrix<Scalar> cross(std::array<Ordinal, 3> n, double diagonal, double before, double after) {
  return by_rows<Scalar>(n[0] * n[1] * n[2], n[0] * n[1] * n[2], [&](auto& A, Ordinal row) {
    A.push(row, static_cast<Scalar>(diagonal));
    Ordinal stride = 1;
    for (const Ordinal points : n) {
      const Ordinal place = row / stride % points;
      if (place > 0) A.push(row - stride, static_cast<Scalar>(-before));
      if (place + 1 < points) A.push(row + stride, static_cast<Scalar>(-after));
      stride *= points;
    }
  });
}

/// The spectral radius of D^-1 A for `cross`: the eigenvalues of a tridiagonal Toeplitz matrix are
/// known, and those in several directions are their sums. An imaginary root makes complex pairs.
double cross_radius(std::array<Ordinal, 3> n, double diagonal, double before, double after) {
  double sum = 0;
  for (const Ordinal points : n) {
    if (points > 1) sum += 2 * std::cos(std::numbers::pi / (points + 1));
  }
  const double reach = sum * std::sqrt(std::abs(before * after)) / diagonal;
  return before * after >= 0 ? 1 + reach : std::hypot(1, reach);
}

/// First-order upwind differences: diffusion 1, and `peclet` the speed times the grid's width.
template <class Scalar>
HostMatrix<Scalar> upwind(std::array<Ordinal, 3> n, int dimensions, double peclet) {
  return cross<Scalar>(n, dimensions * (2 + peclet), 1 + peclet, 1);
}

double upwind_radius(std::array<Ordinal, 3> n, int dimensions, double peclet) {
  return cross_radius(n, dimensions * (2 + peclet), 1 + peclet, 1);
}

/// S A S with positive S over some magnitudes: D changes, the eigenvalues of D^-1 A do not.
template <class Scalar>
HostMatrix<Scalar> scaled(HostMatrix<Scalar> A, double magnitudes = 3) {
  const auto scale = [=](Ordinal k) { return Scalar(std::exp(magnitudes * std::sin(k))); };
  for_each_entry(
      A, [&](std::int32_t i, std::int32_t j, auto& value) { value *= scale(i) * scale(j); });
  return A;
}

/// By the dense eigenvalues of D^-1 A, rows of zero diagonal left out.
template <class Scalar>
double dense_radius(const HostMatrix<Scalar>& A) {
  const int n = A.num_rows;
  const auto inverse = inverse_diagonal_of(A);
  Hessenberg dense{n, std::vector<double>(static_cast<std::size_t>(n) * n, 0.0)};
  for (Ordinal i = 0; i < n; ++i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      const Ordinal j = A.columns[e];
      if (inverse[j] != 0) dense(i, j) += static_cast<double>(inverse[i]) * A.values[e];
    }
  }
  return largest_ritz_modulus(dense).value;
}

const std::vector<std::pair<std::array<Ordinal, 3>, int>> grids{
    {{150, 1, 1}, 1}, {{40, 35, 1}, 2}, {{12, 11, 13}, 3}};

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

}  // namespace tessera::test::spectral_radius_test
