// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Several right-hand sides that end differently: each has its own status, and one that fails takes
/// no other with it.
#include "solver_fixture.hpp"

namespace tessera::test::columns_test {

TESSERA_TEST_SUITE(SolverColumns, Scalars, TypeNames);

/// The columns one after the other.
template <class Scalar>
std::vector<Scalar> side_by_side(const std::vector<std::vector<Scalar>>& columns) {
  std::vector<Scalar> all;
  for (const auto& column : columns)
    all.insert(all.end(), column.begin(), column.end());
  return all;
}

/// Solves for all columns at once and for each alone: each must end as it does alone.
template <class Space, class Scalar>
SolveResult expect_as_alone(const SolverParameters& p, const HostMatrix<Scalar>& A,
                            const std::vector<std::vector<Scalar>>& b, With with = With::nothing) {
  const int k = static_cast<int>(b.size());
  const auto together = solve<Space>(p, A, side_by_side(b), k, with);
  EXPECT_EQ(together.result.columns.size(), b.size());
  SolveStatus worst = SolveStatus::converged;
  int most = 0;
  for (int j = 0; j < k; ++j) {
    SCOPED_TRACE(name_of(p.name) + ", column " + std::to_string(j));
    const auto alone = solve<Space>(p, A, b[j], 1, with);
    const ColumnResult& column = together.result.columns[j];
    EXPECT_EQ(to_string(column.status), to_string(alone.result.status));
    EXPECT_NEAR(column.iterations, alone.result.iterations, 1 + alone.result.iterations / 10);
    if (alone.result.converged()) {
      EXPECT_LE(column.true_relative_residual, p.tolerance);
    }
    const auto first = together.x.begin() + static_cast<std::ptrdiff_t>(j) * A.num_rows;
    const std::vector<Scalar> x(first, first + A.num_rows);
    EXPECT_TRUE(all_finite(x));
    worst = std::max(worst, column.status);
    most = std::max(most, column.iterations);
  }
  EXPECT_EQ(to_string(together.result.status), to_string(worst));
  EXPECT_GE(together.result.iterations, most);
  EXPECT_EQ(together.result.residual_history.size(),
            static_cast<std::size_t>(together.result.iterations) + 1);
  return together.result;
}

TESSERA_TYPED_TEST(SolverColumns, ANanInOneLeavesTheOthersToConverge) {
  const auto A = random_spd_matrix<Scalar>(60, 0.1);
  auto bad = random_vector<Scalar>(60, 2);
  bad[7] = std::numeric_limits<Scalar>::quiet_NaN();
  for (const SolverName name : all_solvers) {
    const SolverParameters p{.name = name, .tolerance = reachable_tolerance<Scalar>};
    for (const With with : {With::nothing, With::jacobi}) {
      if (name == SolverName::richardson && with == With::nothing) continue;
      const auto result = expect_as_alone<Space, Scalar>(
          p, A, {random_vector<Scalar>(60, 1), bad, random_vector<Scalar>(60, 3)}, with);
      EXPECT_EQ(to_string(result.columns[0].status), "converged");
      EXPECT_EQ(to_string(result.columns[1].status), "not_a_number");
      EXPECT_EQ(result.columns[1].iterations, 0);
      EXPECT_EQ(to_string(result.columns[2].status), "converged");
      EXPECT_TRUE(std::isfinite(result.residual_history.back()));
    }
  }
}

TESSERA_TYPED_TEST(SolverColumns, ABreakdownOfOneLeavesTheOthersToConverge) {
  // Two parts that do not touch: the first is positive definite, the second is skew and indefinite,
  // so that a right-hand side decides what the method meets.
  const int n = 30;
  HostMatrix<Scalar> A = random_spd_matrix<Scalar>(n, 0.2);
  A.num_rows = A.num_cols = n + 2;
  A.columns.insert(A.columns.end(), {n + 1, n});
  A.values.insert(A.values.end(), {Scalar(1), Scalar(-1)});
  A.offsets.push_back(A.offsets.back() + 1);
  A.offsets.push_back(A.offsets.back() + 1);
  auto good = random_vector<Scalar>(n + 2, 1);
  good[n] = good[n + 1] = Scalar(0);
  std::vector<Scalar> bad(n + 2, Scalar(0));
  bad[n] = Scalar(1);
  for (const SolverName name : {SolverName::cg, SolverName::bicgstab}) {
    const SolverParameters p{.name = name, .tolerance = reachable_tolerance<Scalar>};
    for (const auto& b : {std::vector{bad, good}, std::vector{good, bad}}) {
      const auto result = expect_as_alone<Space, Scalar>(p, A, b);
      EXPECT_EQ(to_string(result.status), "breakdown");
    }
  }
}

TESSERA_TYPED_TEST(SolverColumns, GmresBreaksDownInOneColumnOnly) {
  // The last row is empty: what b has there is out of reach.
  const int n = 20;
  HostMatrix<Scalar> A = random_spd_matrix<Scalar>(n, 0.2);
  A.num_rows = A.num_cols = n + 1;
  A.offsets.push_back(A.offsets.back());
  auto good = random_vector<Scalar>(n + 1, 1);
  good[n] = Scalar(0);
  const std::vector<Scalar> bad(n + 1, Scalar(1));
  for (const SolverName name : {SolverName::gmres, SolverName::fgmres}) {
    const SolverParameters p{.name = name, .tolerance = reachable_tolerance<Scalar>};
    const auto result = solve<Space>(p, A, side_by_side<Scalar>({bad, good}), 2).result;
    EXPECT_EQ(to_string(result.columns[1].status), "converged");
    EXPECT_NE(to_string(result.columns[0].status), "converged");
    EXPECT_EQ(result.status, result.columns[0].status);
  }
}

TESSERA_TYPED_TEST(SolverColumns, DivergenceAndStagnationEndOneColumn) {
  // Undamped, Richardson's error grows threefold in the second part and shrinks in the first; in
  // the third it keeps its size.
  const auto A = diagonal_matrix<Scalar>({Scalar(0.8), Scalar(4), Scalar(2)});
  std::vector<std::vector<Scalar>> b(3, std::vector<Scalar>(3, Scalar(0)));
  for (int j = 0; j < 3; ++j)
    b[j][j] = Scalar(1);
  SolverParameters p{.name = SolverName::richardson,
                     .tolerance = 1e-5,
                     .divergence_limit = 100,
                     .richardson = {.stagnation_window = 20}};
  const auto result = expect_as_alone<Space, Scalar>(p, A, b);
  EXPECT_EQ(to_string(result.columns[0].status), "converged");
  EXPECT_EQ(to_string(result.columns[1].status), "diverged");
  EXPECT_EQ(to_string(result.columns[2].status), "stagnated");
  EXPECT_EQ(result.columns[2].iterations, 20);
  EXPECT_LE(result.columns[1].true_relative_residual, 1.0) << "the guess is its best iterate";
}

TESSERA_TYPED_TEST(SolverColumns, GoingOnContinuesIterationsHistoryAndReference) {
  const auto A = random_spd_matrix<Scalar>(80, 0.1);
  const TestOperator<Scalar, Space> op(exec, A);
  const auto b = to_multivector(exec, random_vector<Scalar>(160), 80, 2);
  const auto x = to_multivector(exec, std::vector<Scalar>(160, Scalar(0)), 80, 2);
  SolverParameters p{.name = SolverName::cg,
                     .tolerance = 1e-5,
                     .max_iterations = 3,
                     .reference = StoppingReference::initial_residual};
  const auto first = make_solver<Scalar, Space>(p)->solve(exec, op, nullptr, b, x);
  ASSERT_EQ(to_string(first.status), "max_iterations");
  p.max_iterations = 1000;
  p.name = SolverName::gmres;
  const auto solver = make_solver<Scalar, Space>(p);
  std::vector<int> seen;
  solver->set_logger([&](const IterationInfo& now) {
    seen.push_back(now.iteration);
    return true;
  });
  const auto both = solver->solve(exec, op, nullptr, b, x, &first);
  EXPECT_TRUE(both.converged());
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen.front(), 4);
  EXPECT_EQ(seen.back(), both.iterations);
  EXPECT_EQ(both.residual_history.size(), static_cast<std::size_t>(both.iterations) + 1);
  EXPECT_TRUE(std::equal(first.residual_history.begin(), first.residual_history.end(),
                         both.residual_history.begin()));
  EXPECT_GE(both.solve_ms, first.solve_ms);
  for (int j = 0; j < 2; ++j) {
    EXPECT_EQ(both.columns[j].reference_norm, first.columns[j].reference_norm);
    EXPECT_GT(both.columns[j].iterations, first.columns[j].iterations);
  }
}

}  // namespace tessera::test::columns_test
