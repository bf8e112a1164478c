// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Factors that nobody asked for: picked before iterations, and where these fail.
#include "direct/direct_solver_fixture.hpp"
#include "support/notes.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/solver/selection_rules.hpp"

#include <cstdlib>
#include <set>

namespace tessera::test::picked_factors_test {

template <class Param>
class PickedFactorsTest : public DirectSolverFixture<Param> {};
TYPED_TEST_SUITE(PickedFactorsTest, Matrices, TypeNames);

/// The fourth difference on a line of n points, clamped: the stiffness of a beam, with couplings of
/// both signs and a condition of n^4.
template <class Scalar>
HostMatrix<Scalar> beam(int n) {
  const double weights[] = {1, -4, 6, -4, 1};
  return by_rows<Scalar>(n, n, [&](auto& A, int i) {
    for (int d = -2; d <= 2; ++d) {
      if (i + d >= 0 && i + d < n) A.push(i + d, static_cast<Scalar>(weights[d + 2]));
    }
  });
}

TYPED_TEST(PickedFactorsTest, IsPickedOnAHostWhereFactorsAreCheap) {
  TESSERA_TEST_TYPES(TypeParam);
  if (sizeof(Scalar) == 4) GTEST_SKIP() << "a condition of 1e10 is not for float";
  this->set_up(beam<Scalar>(300), {});
  const bool host = kernels::is_host_space<Space>;
  EXPECT_EQ(this->solver.parameters().preconditioner,
            host ? PreconditionerKind::direct : PreconditionerKind::amg);
  if (!host) return;
  const auto result = this->solve();
  EXPECT_LE(result.iterations, 3);
  EXPECT_TRUE(noted(this->solver.hierarchy(), "preconditioner direct: factors of"));
  // Not so for an M-matrix, and not where something else is asked for.
  this->set_up(poisson<Scalar>(40, 40), {});
  EXPECT_EQ(this->solver.parameters().preconditioner, PreconditionerKind::amg);
  SolveParameters p;
  p.preconditioner = PreconditionerKind::amg;
  this->set_up(beam<Scalar>(300), p);
  EXPECT_EQ(this->solver.parameters().preconditioner, PreconditionerKind::amg);
  SolveParameters small;
  small.direct.max_memory_mb = 0.001;
  this->set_up(beam<Scalar>(300), small);
  EXPECT_EQ(this->solver.parameters().preconditioner, PreconditionerKind::amg);
}

TYPED_TEST(PickedFactorsTest, TakesOverWhereTheDiagonalDoesNotDo) {
  TESSERA_TEST_TYPES(TypeParam);
  if (sizeof(Scalar) == 4) GTEST_SKIP() << "a condition of 1e10 is not for float";
  // Rows of which most sum to their diagonal, and a chain that does not.
  auto A = beam<Scalar>(300);
  for (int i = 0; i < 400; ++i) {
    A.push(300 + i, Scalar(2));
    A.end_row();
  }
  A.num_rows = A.num_cols = 700;
  this->set_up(A, {});
  EXPECT_EQ(this->solver.parameters().preconditioner, PreconditionerKind::jacobi);
  const auto result = this->solve();
  EXPECT_TRUE(noted(this->solver.hierarchy(), "another preconditioner than jacobi"));
  if (!kernels::is_host_space<Space>) return;
  EXPECT_EQ(to_string(result.status), "converged");
  EXPECT_EQ(this->solver.parameters().preconditioner, PreconditionerKind::direct);
  EXPECT_NEAR(result.iterations, rules::iterations_before_estimate + 1, 1);
  EXPECT_EQ(result.residual_history.size(), static_cast<std::size_t>(result.iterations) + 1);
}

/// Entries of random places and signs, the diagonal among them: nothing that iterations converge
/// on.
template <class Scalar>
HostMatrix<Scalar> random_network(int n) {
  Random random(11);
  return by_rows<Scalar>(n, n, [&](auto& A, int i) {
    std::set<int> columns{i};
    while (columns.size() < 7)
      columns.insert(random.below(n));
    for (const int column : columns)
      A.push(column, static_cast<Scalar>(random.uniform(-1, 1)));
  });
}

TYPED_TEST(PickedFactorsTest, TakesOverAtOnceWhereTheIterationLimitWouldCome) {
  TESSERA_TEST_TYPES(TypeParam);
  if (sizeof(Scalar) == 4) GTEST_SKIP() << "1e-8 is not for float";
  if (!kernels::is_host_space<Space>) GTEST_SKIP() << "factors are picked on hosts";
  this->set_up(random_network<Scalar>(3000), {});
  EXPECT_NE(this->solver.parameters().preconditioner, PreconditionerKind::direct) << "too dear";
  const auto result = this->solve();
  EXPECT_EQ(to_string(result.status), "converged");
  EXPECT_EQ(this->solver.parameters().preconditioner, PreconditionerKind::direct);
  EXPECT_LE(result.iterations, rules::iterations_before_early_look + 3);
  EXPECT_LE(this->solve().iterations, 3) << "later solves begin with factors";
}

TYPED_TEST(PickedFactorsTest, KeepsWithinAnIterationLimitThatWasSet) {
  TESSERA_TEST_TYPES(TypeParam);
  if (sizeof(Scalar) == 4) GTEST_SKIP() << "1e-8 is not for float";
  if (!kernels::is_host_space<Space>) GTEST_SKIP() << "factors are picked on hosts";
  const auto A = random_network<Scalar>(3000);
  // Too few for an estimate, too few after it, and enough.
  for (const int limit : {9, 15, 60}) {
    SolveParameters p;
    p.solver.max_iterations = limit;
    this->set_up(A, p);
    const auto result = this->solve();
    EXPECT_EQ(to_string(result.status), limit < 60 ? "max_iterations" : "converged");
    EXPECT_LE(result.iterations, limit);
    EXPECT_EQ(result.residual_history.size(), static_cast<std::size_t>(result.iterations) + 1);
  }
}

TYPED_TEST(PickedFactorsTest, KeepsWithinTheTimeLimit) {
  TESSERA_TEST_TYPES(TypeParam);
  if (sizeof(Scalar) == 4) GTEST_SKIP() << "1e-8 is not for float";
  SolveParameters p;
  p.solver.max_iterations = 80;
  p.solver.time_limit_s = 0.2;  // factors are estimated to take longer
  this->set_up(random_network<Scalar>(3000), p);
  EXPECT_FALSE(this->solve().converged());
  EXPECT_NE(this->solver.parameters().preconditioner, PreconditionerKind::direct);
}

/// The 13-point biharmonic operator on n by n points, clamped.
template <class Scalar>
HostMatrix<Scalar> plate(int n) {
  return by_rows<Scalar>(n * n, n * n, [&](auto& A, int row) {
    for (int dy = -2; dy <= 2; ++dy) {
      for (int dx = -2; dx <= 2; ++dx) {
        const int x = row % n + dx, y = row / n + dy;
        const int far = std::abs(dx) + std::abs(dy);
        if (far > 2 || x < 0 || x >= n || y < 0 || y >= n) continue;
        const int weight = far == 0 ? 20 : far == 1 ? -8 : dx * dy != 0 ? 2 : 1;
        A.push(row + dy * n + dx, static_cast<Scalar>(weight));
      }
    }
  });
}

TYPED_TEST(PickedFactorsTest, TakesOverFromAFairRateWhereThereAreFewRows) {
  TESSERA_TEST_TYPES(TypeParam);
  if (sizeof(Scalar) == 4) GTEST_SKIP() << "a condition of 1e7 is not for float";
  if (!kernels::is_host_space<Space>) GTEST_SKIP() << "factors are picked on hosts";
  // Where vectors are given, factors are not looked at before multigrid.
  const auto A = plate<Scalar>(100);
  this->set_up(A, {},
               to_multivector(this->exec, std::vector<Scalar>(A.num_rows, 1), A.num_rows, 1));
  EXPECT_EQ(this->solver.parameters().preconditioner, PreconditionerKind::amg);
  const auto result = this->solve();
  EXPECT_EQ(to_string(result.status), "converged");
  EXPECT_NEAR(result.iterations, rules::iterations_before_estimate + 1, 1)
      << "by multigrid alone 102";
  EXPECT_TRUE(noted(this->solver.hierarchy(), "further ones were estimated"));
}

TYPED_TEST(PickedFactorsTest, TheDiagonalAloneSolvesWhatItDecides) {
  TESSERA_TEST_TYPES(TypeParam);
  // A mass matrix of lines, 1/6 (1 4 1), on 50^2 points.
  const int points = 50;
  const auto A = by_rows<Scalar>(points * points, points * points, [&](auto& A, int row) {
    const int i = row / points, j = row % points;
    for (int di = -1; di <= 1; ++di) {
      for (int dj = -1; dj <= 1; ++dj) {
        if (i + di < 0 || i + di >= points || j + dj < 0 || j + dj >= points) continue;
        A.push(row + di * points + dj,
               static_cast<Scalar>((di == 0 ? 4 : 1) * (dj == 0 ? 4 : 1) / 36.0));
      }
    }
  });
  SolveParameters p;
  p.solver.tolerance = sizeof(Scalar) == 8 ? 1e-8 : 1e-5;
  this->set_up(A, p);
  EXPECT_EQ(this->solver.parameters().preconditioner, PreconditionerKind::jacobi);
  const auto result = this->solve();
  EXPECT_EQ(to_string(result.status), "converged");
  EXPECT_LE(result.iterations, 30);
}

}  // namespace tessera::test::picked_factors_test
