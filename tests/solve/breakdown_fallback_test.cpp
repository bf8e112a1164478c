// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// GMRES goes on where CG breaks down.
#include "solve/fallback_solves.hpp"
#include "support/notes.hpp"
#include "tessera/solve/fallback.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tessera::test::breakdown_fallback_test {

using namespace fallback_solves;

TEST(BreakdownFallback, GmresGoesOnWhereCgMeetsAnIndefiniteMatrix) {
  struct Case {
    int dimension;
    int n;
    double diagonal;
    int iterations_limit;
  };
  for (const Case& c : {Case{2, 100, 3.95, 160}, Case{2, 100, 3.99, 100}, Case{2, 60, 3.9, 160},
                        Case{3, 20, 5.9, 60}, Case{3, 20, 5.5, 160}}) {
    SCOPED_TRACE(std::to_string(c.n) + "^" + std::to_string(c.dimension) + ", " +
                 std::to_string(c.diagonal));
    const Space exec;
    const auto A = make_csr(exec, shifted_laplacian(c.dimension, c.n, c.diagonal));
    const auto b = random_vector<double>(A.num_rows);
    const auto solved = solve_with({}, A, b);
    EXPECT_EQ(to_string(solved.result.status), "converged");
    EXPECT_LE(solved.result.true_relative_residual, 1e-8);
    EXPECT_LE(solved.result.iterations, c.iterations_limit);
    EXPECT_EQ(solved.solver.parameters().solver.name, SolverName::gmres);
    EXPECT_TRUE(
        noted(solved.solver.hierarchy(), "solver gmres, restart 200: cg ended as breakdown"));
    expect_joined(solved);

    SolveParameters asked;
    asked.solver.name = SolverName::cg;
    const auto by_name = solve_with(asked, A, b);
    EXPECT_EQ(to_string(by_name.result.status), "breakdown") << "cg was asked for";
    EXPECT_EQ(by_name.solver.parameters().solver.name, SolverName::cg);
  }
}

TEST(BreakdownFallback, UnderAKCycleFlexibleGmresTakesOver) {
  const Space exec;
  SolveParameters parameters;
  parameters.amg.cycle = amg::CycleType::k;
  const auto A = make_csr(exec, shifted_laplacian(2, 60, 3.9));
  const auto solved = solve_with(parameters, A, random_vector<double>(A.num_rows));
  EXPECT_EQ(to_string(solved.result.status), "converged");
  EXPECT_LE(solved.result.iterations, 400);
  EXPECT_EQ(solved.solver.parameters().solver.name, SolverName::fgmres);
  EXPECT_TRUE(
      noted(solved.solver.hierarchy(), "solver fgmres, restart 200: cg ended as breakdown"));
  expect_joined(solved);
}

TEST(BreakdownFallback, FlexibleGmresHasHalfTheBasisInTheSameMemory) {
  SolveResult result;
  result.status = SolveStatus::breakdown;
  result.columns.resize(1);
  result.columns[0].status = SolveStatus::breakdown;
  MatrixFacts facts{.rows = 1 << 20};
  const auto restart = [&](amg::CycleType cycle) {
    const SolveParameters asked;
    SolveParameters effective;
    effective.solver.name = SolverName::cg;
    effective.preconditioner = PreconditionerKind::amg;
    effective.precision = Precision::same;
    effective.amg.cycle = cycle;
    EXPECT_TRUE(next_fallback({asked, facts, result, false}, effective).has_value());
    return effective.solver.gmres.restart;
  };
  EXPECT_EQ(restart(amg::CycleType::v), 128);
  EXPECT_EQ(restart(amg::CycleType::k), 64);
}

TEST(BreakdownFallback, TheTrueResidualOfEachIterationIsNotForGmres) {
  const Space exec;
  SolveParameters parameters;
  parameters.solver.residual = ResidualKind::true_residual;
  const auto A = make_csr(exec, shifted_laplacian(2, 40, 3.9));
  const auto b = random_vector<double>(1600);
  EXPECT_EQ(to_string(solve_with(parameters, A, b).result.status), "breakdown");
  // Nor is a dense level for a matrix that CG found indefinite, where there are no factors.
  parameters.direct.max_memory_mb = 0;
  EXPECT_EQ(to_string(solve_with(parameters, A, b).result.status), "breakdown");
}

TEST(BreakdownFallback, OneColumnThatBreaksDownIsGoneOnWith) {
  const Space exec;
  // Two grids that do not touch: only the second is indefinite.
  const auto first = shifted_laplacian(2, 40, 4.0);
  const auto second = shifted_laplacian(2, 40, 3.95);
  std::vector<std::vector<std::pair<Ordinal, double>>> rows(3200);
  for_each_entry(first,
                 [&](Ordinal i, Ordinal j, double value) { rows[i].emplace_back(j, value); });
  for_each_entry(second, [&](Ordinal i, Ordinal j, double value) {
    rows[1600 + i].emplace_back(1600 + j, value);
  });
  std::vector<double> b = random_vector<double>(6400);
  std::fill(b.begin() + 1600, b.begin() + 3200, 0.0);
  const auto solved = solve_with({}, make_csr(exec, from_rows(3200, rows)), b, 2);
  EXPECT_TRUE(solved.result.converged());
  ASSERT_EQ(solved.result.columns.size(), 2u);
  EXPECT_GT(solved.result.columns[1].iterations, solved.result.columns[0].iterations);
  expect_joined(solved);
}

}  // namespace tessera::test::breakdown_fallback_test
