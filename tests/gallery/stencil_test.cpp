// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Problems on regular grids: exact entries, and what each stencil does to polynomials.
#include "gallery/gallery_test.hpp"
#include "support/same_matrix.hpp"

namespace tessera::stencil_test {

TESSERA_TEST_SUITE(StencilTest, test::Matrices, test::TypeNames);

TESSERA_TYPED_TEST(StencilTest, PoissonEqualsTheReference) {
  for (const int n : {2, 3, 7}) {
    test::expect_same(test::matrix_of<TypeParam>({.problem = ProblemKind::poisson2d, .n = n}),
                      test::poisson<Scalar>(n, n));
    test::expect_same(test::matrix_of<TypeParam>({.problem = ProblemKind::poisson3d, .n = n}),
                      test::poisson<Scalar>(n, n, n));
  }
}

TESSERA_TYPED_TEST(StencilTest, BoxStencilsCoupleAllNeighbours) {
  for (const auto kind : {ProblemKind::poisson2d9, ProblemKind::poisson3d27}) {
    const int n = 5;
    const int nz = kind == ProblemKind::poisson2d9 ? 1 : n;
    const Scalar center = nz == 1 ? 8 : 26;
    const auto A = test::matrix_of<TypeParam>({.problem = kind, .n = n});
    const test::Dense D = test::to_dense(A);
    std::size_t entries = 0;
    for (int i = 0; i < D.num_rows; ++i) {
      for (int j = 0; j < D.num_rows; ++j) {
        const int dx = std::abs(i % n - j % n);
        const int dy = std::abs(i / n % n - j / n % n);
        const int dz = std::abs(i / (n * n) - j / (n * n));
        const bool coupled = std::max({dx, dy, dz}) <= 1;
        entries += coupled;
        ASSERT_EQ(D(i, j), i == j ? center : (coupled ? Scalar(-1) : Scalar(0)));
      }
    }
    EXPECT_EQ(A.num_entries(), entries);
    EXPECT_EQ(D.num_rows, n * n * nz);
  }
}

/// A on n points per side makes of each of `functions(x, y, z)` what is expected, in the interior.
template <class Scalar, class Functions>
void expect_makes(const test::HostMatrix<Scalar>& A, int n, const std::vector<double>& expected,
                  const Functions& functions) {
  const auto at_end = [&](int place) { return place == 0 || place == n - 1; };
  for (std::size_t u = 0; u < expected.size(); ++u) {
    std::vector<Scalar> values(A.num_rows);
    for (int i = 0; i < A.num_rows; ++i) {
      const auto all = functions(i % n - n / 2, i / n % n - n / 2, i / (n * n) - n / 2);
      values[i] = static_cast<Scalar>(all[u]);
    }
    const auto result = test::multiply(A, values);
    for (int i = 0; i < A.num_rows; ++i) {
      if (at_end(i % n) || at_end(i / n % n) || (A.num_rows > n * n && at_end(i / (n * n))))
        continue;
      ASSERT_NEAR(static_cast<double>(result[i]), expected[u], test::roundings<Scalar>(200)) << u;
    }
  }
}

/// -div(Q grad u), exact in the interior for u = 1, x, y, z, x^2, y^2, z^2, x y, x z, y z; those of
/// z are zero in the plane.
TESSERA_TYPED_TEST(StencilTest, AnisotropicDifferentiatesQuadratics) {
  const double epsilon = 0.01, theta = 0.7;
  const double c = std::cos(theta), s = std::sin(theta);
  for (const auto kind : {ProblemKind::anisotropic2d, ProblemKind::anisotropic3d}) {
    const bool flat = kind == ProblemKind::anisotropic2d;
    const int n = flat ? 9 : 7;
    const auto A =
        test::matrix_of<TypeParam>({.problem = kind, .n = n, .epsilon = epsilon, .theta = theta});
    const double xx = -2 * (c * c + epsilon * s * s), yy = -2 * (s * s + epsilon * c * c);
    const double zz = flat ? 0 : -2 * epsilon, xy = -2 * (1 - epsilon) * c * s;
    expect_makes(A, n, {0, 0, 0, 0, xx, yy, zz, xy, 0, 0}, [&](double x, double y, double at_z) {
      const double z = flat ? 0 : at_z;
      return std::vector<double>{1, x, y, z, x * x, y * y, z * z, x * y, x * z, y * z};
    });
  }
}

TESSERA_TYPED_TEST(StencilTest, JumpTakesHarmonicMeans) {
  const double contrast = 7;
  for (const auto kind : {ProblemKind::jump2d, ProblemKind::jump3d}) {
    const int n = 16;
    const bool flat = kind == ProblemKind::jump2d;
    const auto A = test::matrix_of<TypeParam>({.problem = kind, .n = n, .contrast = contrast});
    const auto coefficient = [&](int i) {
      return (i % n / 2 + i / n % n / 2 + i / (n * n) / 2) % 2 == 0 ? 1.0 : contrast;
    };
    const auto pattern = test::poisson<Scalar>(n, n, flat ? 1 : n);
    ASSERT_EQ(A.offsets, pattern.offsets);
    ASSERT_EQ(A.columns, pattern.columns);
    bool seen_jump = false;
    for (int i = 0; i < A.num_rows; ++i) {
      double sum = 0;
      const double a = coefficient(i);
      for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
        sum += A.values[e];
        if (A.columns[e] == i) continue;
        const double b = coefficient(A.columns[e]);
        seen_jump |= a != b;
        ASSERT_NEAR(A.values[e], -2 / (1 / a + 1 / b), test::roundings<Scalar>(20));
      }
      // What is left are the faces at the boundary, each with the point's own coefficient.
      const auto faces = (flat ? 5 : 7) - (A.offsets[i + 1] - A.offsets[i]);
      ASSERT_NEAR(sum, a * static_cast<double>(faces), test::roundings<Scalar>(200));
    }
    EXPECT_TRUE(seen_jump);
  }
}

TESSERA_TYPED_TEST(StencilTest, ConvectionDifferentiatesLinearFunctions) {
  const int n = 5;
  const double peclet = 30;
  for (const double theta : {0.4, 2.5, -1.0}) {
    for (const auto kind : {ProblemKind::convdiff2d, ProblemKind::convdiff3d}) {
      const bool flat = kind == ProblemKind::convdiff2d;
      const auto problem =
          test::generate<TypeParam>({.problem = kind, .n = n, .theta = theta, .peclet = peclet});
      EXPECT_FALSE(problem.symmetric);
      const auto A = test::to_host(problem.A);
      const double h = peclet / (n + 1) * (flat ? 1.0 : std::sqrt(0.5));
      const double flow[] = {h * std::cos(theta), h * std::sin(theta), flat ? 0.0 : h};
      for (int d = 0; d < (flat ? 2 : 3); ++d) {
        const int stride = d == 0 ? 1 : (d == 1 ? n : n * n);
        std::vector<Scalar> u(A.num_rows);
        for (int i = 0; i < A.num_rows; ++i)
          u[i] = static_cast<Scalar>(i / stride % n);
        const auto result = test::multiply(A, u);
        for (int i = 0; i < A.num_rows; ++i) {
          if (A.offsets[i + 1] - A.offsets[i] < (flat ? 5 : 7)) continue;
          ASSERT_NEAR(static_cast<double>(result[i]), flow[d], test::roundings<Scalar>(200));
        }
      }
      test::for_each_entry(A, [](int i, int j, Scalar value) {  // an M-matrix
        ASSERT_EQ(value > 0, i == j);
      });
    }
  }
}

TYPED_TEST(StencilTest, NoFlowIsSymmetric) {
  const auto problem =
      test::generate<TypeParam>({.problem = ProblemKind::convdiff2d, .n = 6, .peclet = 0});
  EXPECT_TRUE(problem.symmetric);
  EXPECT_TRUE(test::is_symmetric(test::to_host(problem.A)));
}

TESSERA_TYPED_TEST(StencilTest, NeumannHasTheConstantInItsNullSpace) {
  for (const auto kind : {ProblemKind::neumann2d, ProblemKind::neumann3d}) {
    for (const int n : {1, 2, 5}) {
      const auto problem = test::generate<TypeParam>({.problem = kind, .n = n});
      EXPECT_TRUE(problem.singular);
      EXPECT_FALSE(problem.positive_definite);
      const auto A = test::to_host(problem.A);
      test::expect_sound(A);
      EXPECT_TRUE(test::is_symmetric(A));
      for (const auto sum : test::multiply_column(A, test::to_host(problem.near_nullspace), 0)) {
        ASSERT_EQ(sum, 0);
      }
      long double sum = 0;
      long double magnitude = 0;
      for (const Scalar value : test::to_host(problem.b)) {
        sum += value;
        magnitude += std::abs(value);
      }
      EXPECT_EQ(sum, 0);
      if (n > 1) {
        EXPECT_GT(magnitude, 0);
        // The constant is all of the null space: the matrix plus all ones is positive definite.
        test::Dense D = test::to_dense(A);
        EXPECT_FALSE(test::is_positive_definite(D, 1e-10L));
        for (auto& value : D.values)
          value += 1;
        EXPECT_TRUE(test::is_positive_definite(D, 1e-10L));
      }
    }
  }
}

TESSERA_TEST_SUITE(LargeStencilTest, test::Spaces, test::TypeNames);

TYPED_TEST(LargeStencilTest, EntryCounts) {
  const auto count = [](ProblemKind kind, int n) {
    return test::generate<TypeParam>({.problem = kind, .n = n}).A.num_entries();
  };
  EXPECT_EQ(count(ProblemKind::poisson2d, 1024), 5'238'784u);
  EXPECT_EQ(count(ProblemKind::poisson2d9, 1024), 9'424'900u);
  EXPECT_EQ(count(ProblemKind::poisson3d, 128), 14'581'760u);
  EXPECT_EQ(count(ProblemKind::poisson3d27, 128), 55'742'968u);
  EXPECT_EQ(count(ProblemKind::neumann3d, 64), 7u * 64 * 64 * 64 - 6u * 64 * 64);
}

}  // namespace tessera::stencil_test
