// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Elasticity on irregular meshes of tetrahedra.

#include "gallery/gallery_test.hpp"
#include "tessera/gallery/rigid_body_modes.hpp"

namespace tessera::unstructured_elasticity_test {

constexpr auto kind = ProblemKind::unstructured_elasticity3d;

TESSERA_TEST_SUITE(UnstructuredElasticityTest, test::Matrices, test::TypeNames);

struct Lame {
  double lambda, mu;
  explicit Lame(double nu) : lambda(nu / ((1 + nu) * (1 - 2 * nu))), mu(0.5 / (1 + nu)) {}
};

TESSERA_TYPED_TEST(UnstructuredElasticityTest, IsSymmetricAndHasTheScalarMatrixAsTrace) {
  for (const int n : {1, 2, 5}) {
    for (const double nu : {0.3, -0.4, 0.0}) {
      const auto problem =
          test::generate<TypeParam>({.problem = kind, .n = n, .poisson_ratio = nu, .seed = n});
      const auto scalar = test::generate<TypeParam>(
          {.problem = ProblemKind::unstructured3d, .n = n, .epsilon = 1.0, .seed = n});
      const auto A = test::to_dense(test::to_host(problem.A));
      const auto L = test::to_dense(test::to_host(scalar.A));
      ASSERT_EQ(A.num_rows, 3 * L.num_rows);
      EXPECT_EQ(problem.A.num_entries(), 9 * scalar.A.num_entries());
      const Lame lame(nu);
      EXPECT_EQ(A.values, test::transpose(A).values) << "not symmetric";
      // Of lambda d_c N_a d_d N_b + mu d_d N_a d_c N_b + mu delta_cd grad N_a . grad N_b.
      for (Ordinal a = 0; a < L.num_rows; ++a) {
        for (Ordinal b = 0; b < L.num_rows; ++b) {
          long double trace = 0;
          for (int d = 0; d < 3; ++d)
            trace += A(3 * a + d, 3 * b + d);
          ASSERT_NEAR(static_cast<double>(trace),
                      static_cast<double>((lame.lambda + 4 * lame.mu) * L(a, b)),
                      test::roundings<Scalar>(500));
        }
      }
      const auto b = test::to_host(problem.b);
      const auto load = test::to_host(scalar.b);
      for (std::size_t v = 0; v < load.size(); ++v) {
        ASSERT_EQ(b[3 * v], 0);
        ASSERT_EQ(b[3 * v + 1], 0);
        ASSERT_EQ(b[3 * v + 2], -load[v]);
      }
    }
  }
}

/// A = lambda A_1 + mu A_2 with matrices that Poisson's ratio has no part in.
TESSERA_TYPED_TEST(UnstructuredElasticityTest, IsLinearInTheConstants) {
  const auto of = [](double nu) {
    return test::to_dense(
        test::matrix_of<TypeParam>({.problem = kind, .n = 4, .poisson_ratio = nu}));
  };
  const auto one = of(0.1), two = of(0.4), three = of(0.25);
  const Lame c1(0.1), c2(0.4), c3(0.25);
  const double determinant = c1.lambda * c2.mu - c2.lambda * c1.mu;
  const double s = (c3.lambda * c2.mu - c2.lambda * c3.mu) / determinant;
  const double t = (c1.lambda * c3.mu - c3.lambda * c1.mu) / determinant;
  auto combined = one;
  for (std::size_t k = 0; k < one.values.size(); ++k)
    combined.values[k] = s * one.values[k] + t * two.values[k];
  test::expect_near(three, combined, test::roundings<Scalar>(500));
}

/// Away from the boundary rigid motions need no force.
TESSERA_TYPED_TEST(UnstructuredElasticityTest, RigidBodyModesAreInTheKernel) {
  constexpr int n = 7;
  const auto problem = test::generate<TypeParam>({.problem = kind, .n = n});
  const auto A = test::to_host(problem.A);
  const auto places = test::to_host(problem.coordinates);
  const auto modes = test::to_host(problem.near_nullspace);
  const Ordinal vertices = A.num_rows / 3;
  ASSERT_EQ(problem.block_size, 3);
  ASSERT_EQ(modes.size(), static_cast<std::size_t>(A.num_rows) * 6);
  int interior = 0;
  for (int m = 0; m < 6; ++m) {
    const auto force = test::multiply_column(A, modes, m);
    for (Ordinal v = 0; v < vertices; ++v) {
      if (test::is_beside_the_boundary(places, v, 3, n)) continue;
      ++interior;
      for (int d = 0; d < 3; ++d)
        ASSERT_NEAR(static_cast<double>(force[3 * v + d]), 0, test::roundings<Scalar>(500)) << m;
    }
  }
  EXPECT_EQ(interior, 6 * (n - 2) * (n - 2) * (n - 2));
}

}  // namespace tessera::unstructured_elasticity_test
