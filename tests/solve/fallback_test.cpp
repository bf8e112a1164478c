// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What `Solver` goes on with where a solve with its own picks ends badly.
#include "tessera/solve/fallback.hpp"

#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/random_matrix.hpp"
#include "support/solves.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solve.hpp"
#include "tessera/solver/krylov_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace tessera::test::fallback_test {

using Space = DeviceSpace;

/// The Laplacian of a grid of n^dimension points with `diagonal` in place of twice the dimension.
HostMatrix<double> shifted_laplacian(int dimension, int n, double diagonal) {
  return with_diagonal(dimension == 2 ? poisson<double>(n, n) : poisson<double>(n, n, n),
                       [=](Ordinal, double& value) { value = diagonal; });
}

/// A solver after a solve from zero, with what the logger saw.
struct Solved {
  Solver<double, Space> solver;
  SolveResult result;
  std::vector<int> seen;
};

Solved solve_with(const SolveParameters& parameters, const kernels::Csr<double, Space>& A,
                  const std::vector<double>& b, int k = 1, int interrupt_at = 1 << 30) {
  const Space exec;
  Solved solved{Solver<double, Space>(parameters), {}, {}};
  solved.solver.set_logger([&](const IterationInfo& now) {
    solved.seen.push_back(now.iteration);
    return now.iteration < interrupt_at;
  });
  solved.solver.setup(exec, A);
  const auto n = static_cast<std::size_t>(A.num_rows);
  const auto x = zeros<double>(exec, n, k);
  solved.result = solved.solver.solve(exec, to_multivector(exec, b, n, k), x);
  return solved;
}

/// Iterations, history and logger run through all parts without a gap.
void expect_joined(const Solved& solved) {
  ASSERT_EQ(solved.seen.size(), static_cast<std::size_t>(solved.result.iterations) + 1);
  for (std::size_t i = 0; i < solved.seen.size(); ++i)
    EXPECT_EQ(solved.seen[i], static_cast<int>(i));
  EXPECT_EQ(solved.result.residual_history.size(), solved.seen.size());
}

TEST(Fallback, GmresGoesOnWhereCgMeetsAnIndefiniteMatrix) {
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

TEST(Fallback, FactorsFollowAnIterationLimitThatWasLeftOpenAlone) {
  SolveParameters asked;
  const MatrixFacts facts;
  const direct::Cost dear{.flops = 1e15, .entries = 1e9, .in_panels = true};
  SolveResult result;
  result.status = SolveStatus::max_iterations;
  result.iterations = asked.solver.max_iterations;
  result.columns.push_back({.status = result.status, .iterations = result.iterations});
  BadSolve bad{.asked = asked, .facts = facts, .result = result, .slow = false, .direct = &dear};
  const auto follows = [&] {
    SolveParameters picked;
    picked.preconditioner = PreconditionerKind::amg;
    picked.solver.name = SolverName::gmres;
    const auto fallback = next_fallback(bad, picked);
    return fallback && picked.preconditioner == PreconditionerKind::direct;
  };
  EXPECT_FALSE(follows()) << "its rate might have done";
  bad.hopeless = true;
  EXPECT_TRUE(follows());
  EXPECT_EQ(iteration_limit(asked.solver, &result), 2 * asked.solver.max_iterations);
  asked.solver.max_iterations = result.iterations = result.columns[0].iterations = 45;
  EXPECT_FALSE(follows());
  bad.direct = nullptr;
  asked.solver.max_iterations = SolverParameters().max_iterations;
  EXPECT_FALSE(follows());
}

TEST(Fallback, NothingFollowsWhereTheMatrixIsNotFinite) {
  // The diagonal is picked, and multigrid, which would follow, throws for such a matrix.
  auto A = shifted_laplacian(2, 20, 100);
  A.values[0] = std::numeric_limits<double>::infinity();
  const auto solved = solve_with({}, make_csr(Space(), A), random_vector<double>(A.num_rows));
  EXPECT_EQ(to_string(solved.result.status), "not_a_number");
  EXPECT_EQ(solved.solver.parameters().preconditioner, PreconditionerKind::jacobi);
}

TEST(Fallback, TheSolveEndsAsItDidWhereWhatFollowsDoesNotSuitTheSettings) {
  const Space exec;
  const auto A = shifted_laplacian(2, 20, 100);
  const std::size_t n = A.num_rows;
  SolveParameters parameters;
  parameters.solver.tolerance = 1e-30;  // out of reach
  parameters.amg.coarsening = amg::CoarseningKind::pairwise;
  const auto two_vectors = to_multivector(exec, random_vector<double>(2 * n), n, 2);
  auto solver = set_up(exec, make_csr(exec, A), parameters, two_vectors);
  for (int repetition = 0; repetition < 2; ++repetition) {
    const auto x = zeros<double>(exec, n);
    const auto result = solver.solve(exec, to_multivector(exec, random_vector<double>(n), n), x);
    EXPECT_EQ(to_string(result.status), "stagnated");
    EXPECT_LE(result.true_relative_residual, 1e-14);
    EXPECT_NE(solver.parameters().preconditioner, PreconditionerKind::amg);
    EXPECT_TRUE(noted(solver.hierarchy(), "coarsening = pairwise takes one unknown per node"));
  }
}

TEST(Fallback, ANullspaceIsLookedForWhateverIsSetForMultigrid) {
  const Space exec;
  const Ordinal n = 300;
  std::vector<std::vector<std::pair<Ordinal, double>>> rows(n);
  // A ring whose neighbours are far apart, times a diagonal from both sides.
  const auto d = [](Ordinal i) { return std::pow(10.0, std::sin(1.7 * i)); };
  const auto at = [&](Ordinal i) { return (i * Ordinal(77)) % n; };
  for (Ordinal i = 0; i < n; ++i) {
    const Ordinal row = at(i), before = at((i + n - 1) % n), after = at((i + 1) % n);
    rows[row] = {
        {row, 2 * d(row) * d(row)}, {before, -d(row) * d(before)}, {after, -d(row) * d(after)}};
    std::sort(rows[row].begin(), rows[row].end());
  }
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::none;
  parameters.amg.smoothed_aggregation.aggregation = amg::Aggregation::structured;
  auto solver = set_up(exec, make_csr(exec, from_rows(n, rows)), parameters);
  const auto x = zeros<double>(exec, n);
  const auto b = to_multivector(exec, random_vector<double>(n), n);
  EXPECT_NO_THROW({ EXPECT_FALSE(solver.solve(exec, b, x).converged()); });
}

TEST(Fallback, ANaNInAGuessThatNoResidualReadsIsSeen) {
  const Space exec;
  const auto A = from_rows(
      3, std::vector<std::vector<std::pair<Ordinal, double>>>{{{0, 2.0}}, {}, {{2, 1.0}}});
  for (const int at : {1, 3}) {  // an entry that is not read, and none
    std::vector<double> guess{0, 0, 0, 0};
    guess[at] = std::numeric_limits<double>::quiet_NaN();
    guess.pop_back();
    auto solver = set_up(exec, make_csr(exec, A));
    const auto x = to_multivector(exec, guess, 3);
    const auto result =
        solver.solve(exec, to_multivector(exec, std::vector<double>{1, 0, 1}, 3), x);
    EXPECT_EQ(to_string(result.status), at == 1 ? "not_a_number" : "converged");
    EXPECT_EQ(result.columns[0].status, result.status);
  }
}

TEST(Fallback, UnderAKCycleFlexibleGmresTakesOver) {
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

TEST(Fallback, FlexibleGmresHasHalfTheBasisInTheSameMemory) {
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

TEST(Fallback, TheTrueResidualOfEachIterationIsNotForGmres) {
  const Space exec;
  SolveParameters parameters;
  parameters.solver.residual = ResidualKind::true_residual;
  const auto A = make_csr(exec, shifted_laplacian(2, 40, 3.9));
  EXPECT_EQ(to_string(solve_with(parameters, A, random_vector<double>(1600)).result.status),
            "breakdown");
}

TEST(Fallback, OneColumnThatBreaksDownIsGoneOnWith) {
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

/// Jumping coefficients, and aggregates across the jumps: a slow hierarchy.
Problem<double, Space> slow_problem() {
  return make_problem<double, Space>(Space(),
                                     {.problem = ProblemKind::jump3d, .n = 30, .contrast = 1e5});
}

SolveParameters across_jumps() {
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::amg;
  parameters.amg.smoothed_aggregation.strength_threshold = 0;
  return parameters;
}

TEST(Fallback, APoorRateTakesAStrongerSmoother) {
  const auto p = slow_problem();
  const auto b = random_vector<double>(p.A.num_rows);
  SolveParameters asked = across_jumps();
  asked.amg.smoother.type = SmootherType::jacobi;
  const auto plain = solve_with(asked, p.A, b);
  const auto with_fallback = solve_with(across_jumps(), p.A, b);
  EXPECT_FALSE(noted(plain.solver.hierarchy(), "smoother chebyshev of degree 8"));
  EXPECT_TRUE(noted(with_fallback.solver.hierarchy(), "smoother chebyshev of degree 8"));
  EXPECT_EQ(with_fallback.solver.parameters().amg.smoother.chebyshev.degree, 8);
  EXPECT_TRUE(with_fallback.result.converged());
  EXPECT_LE(with_fallback.result.true_relative_residual, 1e-8);
  EXPECT_LT(1.5 * with_fallback.result.iterations, plain.result.iterations);
  expect_joined(with_fallback);
}

TEST(Fallback, TheSmoothersOfLevelsAreStrengthenedWhereAllAreOpen) {
  const auto p = slow_problem();
  const auto b = random_vector<double>(p.A.num_rows);
  SolveParameters asked = across_jumps();
  asked.amg.levels.resize(2);
  asked.amg.levels[1].A.scalar = StorageScalar::float32;
  const auto open = solve_with(asked, p.A, b);
  EXPECT_TRUE(noted(open.solver.hierarchy(), "smoother chebyshev of degree 8"));
  for (const auto& level : open.solver.parameters().amg.levels)
    EXPECT_EQ(level.smoother.chebyshev.degree, 8);
  EXPECT_EQ(open.solver.hierarchy().levels[1].smoother, "chebyshev of degree 8");
  EXPECT_EQ(open.solver.hierarchy().levels[1].A.storage, "float") << "only smoothers change";

  asked.amg.levels[0].smoother.type = SmootherType::jacobi;
  const auto set = solve_with(asked, p.A, b);
  EXPECT_FALSE(noted(set.solver.hierarchy(), "smoother chebyshev of degree 8"));
  EXPECT_EQ(set.solver.hierarchy().levels[1].smoother, "jacobi");

  SolveParameters by_callback = across_jumps();
  by_callback.amg.choose_level = [](const amg::LevelFacts&, const amg::LevelParameters& chosen) {
    return chosen;
  };
  const auto answered = solve_with(by_callback, p.A, b);
  EXPECT_FALSE(noted(answered.solver.hierarchy(), "smoother chebyshev of degree 8"));
  EXPECT_EQ(answered.solver.hierarchy().levels[0].smoother, "jacobi");
}

TEST(Fallback, LimitsAndInterruptionsHoldAcrossParts) {
  const auto p = slow_problem();
  const auto b = random_vector<double>(p.A.num_rows);
  const auto whole = solve_with(across_jumps(), p.A, b);
  ASSERT_TRUE(noted(whole.solver.hierarchy(), "smoother chebyshev"));
  const int late = whole.result.iterations - 2;
  const auto interrupted = solve_with(across_jumps(), p.A, b, 1, late);
  EXPECT_EQ(to_string(interrupted.result.status), "interrupted");
  EXPECT_EQ(interrupted.result.iterations, late);
  SolveParameters limited = across_jumps();
  limited.solver.max_iterations = late;
  const auto short_of = solve_with(limited, p.A, b);
  EXPECT_EQ(to_string(short_of.result.status), "max_iterations");
  EXPECT_EQ(short_of.result.iterations, late);
  // An interruption by the user is not taken for a poor rate.
  const auto early = solve_with(across_jumps(), p.A, b, 1, 5);
  EXPECT_EQ(to_string(early.result.status), "interrupted");
  EXPECT_EQ(early.result.iterations, 5);
}

TEST(Fallback, EachFallbackIsTakenOnceAndOnlyWhereTheUserLeftItOpen) {
  SolveParameters asked;
  SolveParameters effective;
  effective.preconditioner = PreconditionerKind::amg;
  effective.precision = Precision::single;
  effective.solver.name = SolverName::cg;
  effective.solver.cg.flexible = true;
  MatrixFacts facts{.rows = 1000, .symmetric = true};
  SolveResult result;
  result.iterations = 9;
  result.columns = {{.status = SolveStatus::breakdown, .iterations = 9}};
  result.status = SolveStatus::breakdown;

  const auto first = next_fallback({asked, facts, result, false}, effective);
  ASSERT_TRUE(first.has_value());
  EXPECT_TRUE(first->rebuilds);
  EXPECT_EQ(effective.precision, Precision::same);
  EXPECT_FALSE(effective.solver.cg.flexible);
  const auto second = next_fallback({asked, facts, result, false}, effective);
  ASSERT_TRUE(second.has_value());
  EXPECT_FALSE(second->rebuilds);
  EXPECT_EQ(effective.solver.name, SolverName::gmres);
  EXPECT_EQ(effective.solver.gmres.restart, 200);
  EXPECT_FALSE(next_fallback({asked, facts, result, false}, effective).has_value());

  // A basis that takes no more than 1 GiB, and never fewer vectors than asked for.
  for (const auto& [rows, restart] : {std::pair(1 << 20, 128), std::pair(1 << 28, 50)}) {
    effective.solver.name = SolverName::cg;
    effective.solver.gmres.restart = 50;
    facts.rows = rows;
    ASSERT_TRUE(next_fallback({asked, facts, result, false}, effective).has_value());
    EXPECT_EQ(effective.solver.gmres.restart, restart);
  }

  asked.solver.name = SolverName::cg;
  effective.solver.name = SolverName::cg;
  EXPECT_FALSE(next_fallback({asked, facts, result, false}, effective).has_value());
  // Another column met the iteration limit: that holds.
  asked = {};
  result.columns.push_back({.status = SolveStatus::max_iterations, .iterations = 9});
  EXPECT_FALSE(next_fallback({asked, facts, result, false}, effective).has_value());
}

}  // namespace tessera::test::fallback_test
