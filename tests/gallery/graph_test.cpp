// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The geometric graph against all pairs of its nodes.
#include "gallery/gallery_test.hpp"

namespace tessera::graph_test {

TESSERA_TEST_SUITE(GraphTest, test::Matrices, test::TypeNames);

TYPED_TEST(GraphTest, CouplesVerticesWithinTheRadius) {
  TESSERA_TEST_TYPES(TypeParam);
  const double pi = std::acos(-1.0);
  for (const double degree : {0.01, 3.0, 8.0, 60.0, 1000.0}) {
    const int n = 20;
    const double shift = 0.25;
    const auto problem = test::generate<TypeParam>(
        {.problem = ProblemKind::graph, .n = n, .degree = degree, .shift = shift});
    const auto A = test::to_host(problem.A);
    test::expect_sound(A);
    EXPECT_TRUE(test::is_symmetric(A));
    const test::Dense D = test::to_dense(A);
    const auto places = test::to_host(problem.coordinates);
    const double radius = std::sqrt(degree / (pi * n * n));
    // Coordinates are rounded: pairs this close to the radius may go either way.
    const double slack = 1e-6;
    for (int i = 0; i < n * n; ++i) {
      long double sum = 0;
      for (int j = 0; j < n * n; ++j) {
        sum += D(i, j);
        const double distance = std::hypot(double(places[i]) - places[j],
                                           double(places[i + n * n]) - places[j + n * n]);
        if (i == j || std::abs(distance - radius) < slack) continue;
        ASSERT_EQ(D(i, j), distance < radius ? -1 : 0) << i << " " << j << " " << degree;
      }
      ASSERT_NEAR(static_cast<double>(sum), shift, 0);
      ASSERT_GE(places[i], 0);
      ASSERT_LE(places[i], 1);
    }
  }
}

TYPED_TEST(GraphTest, SeedChangesTheGraph) {
  const auto one = test::matrix_of<TypeParam>({.problem = ProblemKind::graph, .n = 9});
  const auto two = test::matrix_of<TypeParam>({.problem = ProblemKind::graph, .n = 9, .seed = 2});
  EXPECT_NE(one.columns, two.columns);
}

TESSERA_TYPED_TEST(GraphTest, RightHandSideVaries) {
  const auto b =
      test::to_host(test::generate<TypeParam>({.problem = ProblemKind::graph, .n = 100}).b);
  double sum = 0;
  double square = 0;
  for (const Scalar value : b) {
    ASSERT_GE(value, -1);
    ASSERT_LE(value, 1);
    sum += value;
    square += value * value;
  }
  const auto n = static_cast<double>(b.size());
  EXPECT_NEAR(sum / n, 0, 0.03);
  EXPECT_NEAR(square / n, 1.0 / 3, 0.03);
}

TESSERA_TEST_SUITE(LargeGraphTest, test::Spaces, test::TypeNames);

TYPED_TEST(LargeGraphTest, MeanDegree) {
  const int n = 500;
  const auto A = test::generate<TypeParam>({.problem = ProblemKind::graph, .n = n}).A;
  const double mean = static_cast<double>(A.num_entries()) / A.num_rows - 1;
  EXPECT_NEAR(mean, 8.0, 0.1);
}

}  // namespace tessera::graph_test
