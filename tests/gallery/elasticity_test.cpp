// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Elasticity against elements assembled the textbook's way, and the rigid body modes.
#include "gallery/gallery_test.hpp"
#include "support/clamped_box.hpp"
#include "support/textbook_element.hpp"

#include "tessera/gallery/rigid_body_modes.hpp"
#include "tessera/kernels/format/sort_rows.hpp"
#include "tessera/operator/error.hpp"

namespace tessera::elasticity_test {

using test::Dense;

/// Scatters the elements of an n^dim mesh and drops the nodes at x = 0.
Dense textbook_matrix(int dim, int n, long double nu) {
  // Young's modulus is 1.
  const Dense K = test::textbook_element(dim, nu / ((1 + nu) * (1 - 2 * nu)), 1 / (2 * (1 + nu)));
  const int corners = 1 << dim;
  const int layers = dim == 3 ? n : 1;
  const int rows = dim * n * (n + 1) * (dim == 3 ? n + 1 : 1);
  Dense A(rows, rows);
  const auto unknown = [&](int x, int y, int z) { return dim * (x - 1 + n * (y + (n + 1) * z)); };
  for (int e = 0; e < n * n * layers; ++e) {
    for (int a = 0; a < corners; ++a) {
      for (int b = 0; b < corners; ++b) {
        const int x[2] = {e % n + (a & 1), e % n + (b & 1)};
        const int y[2] = {e / n % n + (a >> 1 & 1), e / n % n + (b >> 1 & 1)};
        const int z[2] = {e / (n * n) + (a >> 2 & 1), e / (n * n) + (b >> 2 & 1)};
        if (x[0] == 0 || x[1] == 0) continue;
        for (int i = 0; i < dim; ++i) {
          for (int j = 0; j < dim; ++j) {
            A(unknown(x[0], y[0], z[0]) + i, unknown(x[1], y[1], z[1]) + j) +=
                K(a * dim + i, b * dim + j);
          }
        }
      }
    }
  }
  return A;
}

TESSERA_TEST_SUITE(ElasticityTest, test::Matrices, test::TypeNames);

TESSERA_TYPED_TEST(ElasticityTest, EqualsTheTextbook) {
  for (const auto kind : {ProblemKind::elasticity2d, ProblemKind::elasticity3d}) {
    const int dim = kind == ProblemKind::elasticity2d ? 2 : 3;
    for (const double nu : {0.3, -0.2, 0.45}) {
      for (const int n : {1, 2, 3}) {
        const auto problem =
            test::generate<TypeParam>({.problem = kind, .n = n, .poisson_ratio = nu});
        EXPECT_EQ(problem.block_size, dim);
        test::expect_near(test::to_dense(test::to_host(problem.A)), textbook_matrix(dim, n, nu),
                          test::roundings<Scalar>(100));
      }
    }
  }
}

/// What tests of thin plates are made by is the gallery's cube where its sides are those of one.
TEST(ElasticityOfABox, IsTheGallerysOnACube) {
  const auto problem = make_problem<double, HostSpace>(
      HostSpace(), {.problem = ProblemKind::elasticity3d, .n = 3, .poisson_ratio = 0.45});
  // The gallery's elements have sides of 1, whatever n.
  const test::ClampedBox box{.cells = {3, 3, 3}, .lengths = {3, 3, 3}, .poisson_ratio = 0.45};
  test::expect_near(test::to_dense(box.matrix()), test::to_dense(test::to_host(problem.A)),
                    test::roundings<double>(100));
}

TESSERA_TYPED_TEST(ElasticityTest, RigidBodyModesAreFreeOfForce) {
  for (const auto kind : {ProblemKind::elasticity2d, ProblemKind::elasticity3d}) {
    const int dim = kind == ProblemKind::elasticity2d ? 2 : 3;
    const int n = 5;
    const auto problem = test::generate<TypeParam>({.problem = kind, .n = n});
    const auto A = test::to_host(problem.A);
    const auto modes = test::to_host(problem.near_nullspace);
    const int num_modes = dim == 2 ? 3 : 6;
    ASSERT_EQ(modes.size(), static_cast<std::size_t>(A.num_rows) * num_modes);
    for (int m = 0; m < num_modes; ++m) {
      const auto force = test::multiply_column(A, modes, m);
      double clamped = 0;
      for (int i = 0; i < A.num_rows; ++i) {
        const bool beside_the_clamp = i / dim % n == 0;
        const auto value = std::abs(static_cast<double>(force[i]));
        if (beside_the_clamp) clamped = std::max(clamped, value);
        if (!beside_the_clamp) {
          ASSERT_LT(value, test::roundings<Scalar>(100)) << "mode " << m;
        }
      }
      EXPECT_GT(clamped, 1e-3) << "mode " << m;
    }
  }
}

TESSERA_TYPED_TEST(ElasticityTest, UnknownByUnknownIsTheSameRenumbered) {
  for (const auto kind : {ProblemKind::elasticity2d, ProblemKind::elasticity3d}) {
    const int dim = kind == ProblemKind::elasticity2d ? 2 : 3;
    const auto p = test::generate<TypeParam>({.problem = kind, .n = 3});
    const auto q =
        test::generate<TypeParam>({.problem = kind, .n = 3, .numbering = Numbering::unknowns});
    const Dense A = test::to_dense(test::to_host(p.A));
    const Dense B = test::to_dense(test::to_host(q.A));
    const int n = A.num_rows;
    ASSERT_EQ(B.num_rows, n);
    const auto there = [&](int row) { return row % dim * (n / dim) + row / dim; };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j)
        ASSERT_EQ(A(i, j), B(there(i), there(j)));
    }
    EXPECT_TRUE(kernels::rows_sorted(Space(), q.A.view()));
    const auto modes = test::to_host(p.near_nullspace);
    const auto renumbered = test::to_host(q.near_nullspace);
    const auto load = test::to_host(p.b);
    const auto renumbered_load = test::to_host(q.b);
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(load[i], renumbered_load[there(i)]);
      for (std::size_t m = 0; m < modes.size() / n; ++m)
        EXPECT_EQ(modes[m * n + i], renumbered[m * n + there(i)]);
    }
    EXPECT_EQ(test::to_host(p.coordinates), test::to_host(q.coordinates));
  }
}

TESSERA_TYPED_TEST(ElasticityTest, LoadPullsDown) {
  const int n = 4;
  const auto problem = test::generate<TypeParam>({.problem = ProblemKind::elasticity3d, .n = n});
  long double sum[3] = {};
  const auto b = test::to_host(problem.b);
  for (std::size_t i = 0; i < b.size(); ++i)
    sum[i % 3] += b[i];
  EXPECT_EQ(sum[0], 0);
  EXPECT_EQ(sum[1], 0);
  // All elements' weight but the half of the first layer's that the clamp carries.
  EXPECT_EQ(sum[2], -(n * n * n - 0.5L * n * n));
}

TESSERA_TEST_SUITE(RigidBodyModesTest, test::Scalars, test::TypeNames);

TESSERA_TYPED_TEST(RigidBodyModesTest, HaveNoStrain) {
  for (const int dim : {2, 3}) {
    const int nodes = 7;
    std::vector<Scalar> places(nodes * dim);
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i] = static_cast<Scalar>((i * 37 % 101) / 10.0);
    }
    const auto coordinates = test::to_multivector(exec, places, nodes, dim);
    const auto modes = rigid_body_modes<Scalar, Space>(exec, coordinates);
    const int num_modes = dim == 2 ? 3 : 6;
    ASSERT_EQ(modes.extent(0), static_cast<std::size_t>(nodes * dim));
    ASSERT_EQ(modes.extent(1), static_cast<std::size_t>(num_modes));
    const auto u = test::to_host(modes);
    Dense U(nodes * dim, num_modes);
    for (int m = 0; m < num_modes; ++m) {
      for (int i = 0; i < nodes * dim; ++i)
        U(i, m) = u[i + m * nodes * dim];
      // A rigid motion keeps distances to first order: (u_p - u_q) . (x_p - x_q) = 0.
      for (int p = 0; p < nodes; ++p) {
        for (int q = 0; q < p; ++q) {
          long double stretch = 0;
          for (int d = 0; d < dim; ++d) {
            stretch += (U(p * dim + d, m) - U(q * dim + d, m)) *
                       (static_cast<long double>(places[p + d * nodes]) - places[q + d * nodes]);
          }
          ASSERT_NEAR(static_cast<double>(stretch), 0, test::roundings<Scalar>(1000));
        }
      }
    }
    // The modes are independent.
    EXPECT_TRUE(test::is_positive_definite(multiply(test::transpose(U), U), 1e-4L));
  }
}

TESSERA_TYPED_TEST(RigidBodyModesTest, RefusesOtherDimensions) {
  const auto coordinates = test::to_multivector(exec, std::vector<Scalar>(4), 4, 1);
  EXPECT_THROW((rigid_body_modes<Scalar, Space>(exec, coordinates)), Error);
}

TESSERA_TYPED_TEST(RigidBodyModesTest, OfNoNodes) {
  const auto coordinates = test::to_multivector(exec, std::vector<Scalar>(), 0, 3);
  const auto modes = rigid_body_modes<Scalar, Space>(exec, coordinates);
  EXPECT_EQ(modes.extent(0), 0u);
  EXPECT_EQ(modes.extent(1), 6u);
}

}  // namespace tessera::elasticity_test
