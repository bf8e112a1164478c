// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The sparse direct solver as Solver uses it: by name, by itself, and where iterations fail.
#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/notes.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"
#include "tessera/direct/host_matrix.hpp"
#include "tessera/direct/sparse_direct.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/solve.hpp"

#include <cstdlib>
#include <limits>
#include <set>

namespace tessera::test::direct_solver_test {

template <class Param>
class DirectSolverTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;
  Solver<Scalar, Space, Offset> solver;

  void SetUp() override {
    if (!direct::available()) GTEST_SKIP() << "built without SuiteSparse";
  }

  static SolveParameters by_name() {
    SolveParameters p;
    p.preconditioner = PreconditionerKind::direct;
    p.solver.tolerance = sizeof(Scalar) == 8 ? 1e-10 : 1e-5;
    return p;
  }

  SolveResult solve(int k = 1, std::uint64_t seed = 3) {
    const auto b = to_multivector(exec, random_vector<Scalar>(n * k, seed), n, k);
    return solver.solve(exec, b, to_multivector(exec, std::vector<Scalar>(n * k, Scalar(0)), n, k));
  }

  void set_up(const HostMatrix<Scalar>& A, const SolveParameters& p,
              const MultiVector<Scalar, Space>& near_nullspace = {}) {
    n = A.num_rows;
    matrix = test::make_csr<Offset>(exec, A);
    solver = Solver<Scalar, Space, Offset>(p);
    solver.setup(exec, matrix, near_nullspace);
  }

  std::size_t n = 0;
  kernels::Csr<Scalar, Space, Offset> matrix;
};
TYPED_TEST_SUITE(DirectSolverTest, Matrices, TypeNames);

TYPED_TEST(DirectSolverTest, ByNameSolvesInAnIterationOrTwo) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const int k : {1, 3}) {
    this->set_up(poisson<Scalar>(30, 25), this->by_name());
    auto result = this->solve(k);
    EXPECT_EQ(to_string(result.status), "converged");
    EXPECT_LE(result.iterations, 2);
    EXPECT_TRUE(noted(this->solver.hierarchy(), "factors: cholesky"));
    EXPECT_EQ(this->solver.parameters().solver.name, SolverName::cg);

    auto A = random_matrix<Scalar>({.num_rows = 150, .num_cols = 150});
    for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto& value) {
      if (j == i) value += 9;
    });
    this->set_up(A, this->by_name());
    result = this->solve(k);
    EXPECT_EQ(this->solver.parameters().solver.name, SolverName::gmres);
    EXPECT_TRUE(noted(this->solver.hierarchy(), "factors: lu"));
  }
}

TYPED_TEST(DirectSolverTest, EmptyMatricesAndThoseOfOneRow) {
  TESSERA_TEST_TYPES(TypeParam);
  this->set_up(HostMatrix<Scalar>{}, this->by_name());
  EXPECT_TRUE(this->solve().converged());
  this->set_up(HostMatrix<Scalar>{1, 1, {0, 1}, {0}, {Scalar(-3)}}, this->by_name());
  EXPECT_TRUE(this->solve().converged());
}

TYPED_TEST(DirectSolverTest, RowsComeToTheHostSortedAndTheirDuplicatesAddedUp) {
  TESSERA_TEST_TYPES(TypeParam);
  // Each entry in two halves and backwards, in every third row; the rest is tidy.
  const auto A = to_host(
      make_problem<Scalar, Space, Offset>(this->exec, {.problem = ProblemKind::poisson2d, .n = 9})
          .A);
  const auto B = by_rows<Scalar>(A.num_rows, A.num_cols, [&](auto& B, Ordinal i) {
    const auto begin = static_cast<std::ptrdiff_t>(A.offsets[i]);
    const auto end = static_cast<std::ptrdiff_t>(A.offsets[i + 1]);
    const bool is_tidy = i % 3 != 0;
    for (int half = is_tidy ? 1 : 0; half < 2; ++half) {
      for (auto k = begin; k < end; ++k) {
        const auto e = is_tidy ? k : begin + end - 1 - k;
        B.push(A.columns[e], static_cast<Scalar>(is_tidy ? A.values[e] : A.values[e] / 2));
      }
    }
  });
  const auto found = direct::to_host(this->exec, test::make_csr<Offset>(this->exec, B).view());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->n, A.num_rows);
  ASSERT_EQ(found->columns.size(), A.columns.size());
  EXPECT_TRUE(std::equal(found->offsets.begin(), found->offsets.end(), A.offsets.begin()));
  EXPECT_TRUE(std::equal(found->columns.begin(), found->columns.end(), A.columns.begin()));
  EXPECT_TRUE(std::equal(found->values.begin(), found->values.end(), A.values.begin()));
}

TYPED_TEST(DirectSolverTest, ANullspaceIsProjectedOutOfWhatFactorsGive) {
  TESSERA_TEST_TYPES(TypeParam);
  auto A = poisson<Scalar>(20, 20);
  for_each_entry(A, [&](int i, int j, auto& value) {
    if (i == j) value = static_cast<Scalar>(A.offsets[i + 1] - A.offsets[i] - 1);
  });
  this->set_up(A, this->by_name());
  EXPECT_EQ(this->solver.parameters().solver.nullspace, NullspaceKind::constant);
  auto b = random_vector<Scalar>(this->n);
  double mean = 0;
  for (const Scalar value : b)
    mean += value / static_cast<double>(this->n);
  for (Scalar& value : b)
    value -= static_cast<Scalar>(mean);
  const auto x = to_multivector(this->exec, std::vector<Scalar>(this->n, Scalar(0)), this->n, 1);
  const auto result = this->solver.solve(this->exec, to_multivector(this->exec, b, this->n, 1), x);
  EXPECT_EQ(to_string(result.status), "converged");
  EXPECT_LE(result.iterations, 6);
}

TYPED_TEST(DirectSolverTest, NewValuesAreFactoredAlongTheOldOrder) {
  TESSERA_TEST_TYPES(TypeParam);
  auto p = this->by_name();
  p.amg.reuse = amg::Reuse::symbolic;
  this->set_up(poisson<Scalar>(20, 20), p);
  auto values = to_host(this->matrix.values);
  for (Scalar& value : values)
    value *= 4;
  Kokkos::deep_copy(this->matrix.values, to_device(this->exec, values));
  this->solver.update_values(this->exec);
  const auto result = this->solve();
  EXPECT_EQ(to_string(result.status), "converged");
  EXPECT_LE(result.iterations, 2);
}

TYPED_TEST(DirectSolverTest, RefusesNumbersThatAreNotFinite) {
  TESSERA_TEST_TYPES(TypeParam);
  auto A = poisson<Scalar>(20, 20);
  A.values[5] = std::numeric_limits<Scalar>::quiet_NaN();
  expect_error(error_of([&] { this->set_up(A, this->by_name()); }), ErrorKind::bad_input, {"NaN"});
}

TYPED_TEST(DirectSolverTest, RefusesFactorsBeyondTheirMemory) {
  TESSERA_TEST_TYPES(TypeParam);
  auto p = this->by_name();
  p.direct.max_memory_mb = 0.01;
  expect_error(error_of([&] { this->set_up(poisson<Scalar>(40, 40), p); }),
               ErrorKind::configuration, {"direct.max_memory_mb"});
}

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

TYPED_TEST(DirectSolverTest, IsPickedOnAHostWhereFactorsAreCheap) {
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

TYPED_TEST(DirectSolverTest, TakesOverWhereTheDiagonalDoesNotDo) {
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
  EXPECT_LE(result.iterations, 60);
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

TYPED_TEST(DirectSolverTest, TakesOverAtOnceWhereTheIterationLimitWouldCome) {
  TESSERA_TEST_TYPES(TypeParam);
  if (sizeof(Scalar) == 4) GTEST_SKIP() << "1e-8 is not for float";
  if (!kernels::is_host_space<Space>) GTEST_SKIP() << "factors are picked on hosts";
  this->set_up(random_network<Scalar>(3000), {});
  EXPECT_NE(this->solver.parameters().preconditioner, PreconditionerKind::direct) << "too dear";
  const auto result = this->solve();
  EXPECT_EQ(to_string(result.status), "converged");
  EXPECT_EQ(this->solver.parameters().preconditioner, PreconditionerKind::direct);
  EXPECT_LE(result.iterations, 33);
  EXPECT_LE(this->solve().iterations, 3) << "later solves begin with factors";
}

TYPED_TEST(DirectSolverTest, KeepsWithinAnIterationLimitThatWasSet) {
  TESSERA_TEST_TYPES(TypeParam);
  if (sizeof(Scalar) == 4) GTEST_SKIP() << "1e-8 is not for float";
  if (!kernels::is_host_space<Space>) GTEST_SKIP() << "factors are picked on hosts";
  const auto A = random_network<Scalar>(3000);
  // Too few for an estimate, too few after it, and enough.
  for (const int limit : {25, 45, 60}) {
    SolveParameters p;
    p.solver.max_iterations = limit;
    this->set_up(A, p);
    const auto result = this->solve();
    EXPECT_EQ(to_string(result.status), limit < 60 ? "max_iterations" : "converged");
    EXPECT_LE(result.iterations, limit);
    EXPECT_EQ(result.residual_history.size(), static_cast<std::size_t>(result.iterations) + 1);
  }
}

TYPED_TEST(DirectSolverTest, KeepsWithinTheTimeLimit) {
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

TYPED_TEST(DirectSolverTest, TakesOverFromAFairRateWhereThereAreFewRows) {
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
  EXPECT_LE(result.iterations, 32) << "by multigrid alone 102";
  EXPECT_TRUE(noted(this->solver.hierarchy(), "after 30 iterations more than 50 further"));
}

TYPED_TEST(DirectSolverTest, TheDiagonalAloneSolvesWhatItDecides) {
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

TEST(DirectSolver, IsAConfigurationErrorWhereTheLibraryHasNone) {
  if (direct::available()) GTEST_SKIP() << "built with SuiteSparse";
  SolveParameters p;
  p.preconditioner = PreconditionerKind::direct;
  const HostSpace exec;
  Solver<double, HostSpace> solver(p);
  expect_error(error_of([&] { solver.setup(exec, make_csr(exec, poisson<double>(10, 10))); }),
               ErrorKind::configuration, {"preconditioner=direct", "TESSERA_ENABLE_SUITESPARSE"});
}

}  // namespace tessera::test::direct_solver_test
