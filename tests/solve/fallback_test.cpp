// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What `Solver` goes on with where a solve with its own picks ends badly: in which order, how
/// often, and where nothing follows.
#include "tessera/solve/fallback.hpp"

#include "solve/fallback_solves.hpp"
#include "support/notes.hpp"
#include "tessera/solver/krylov_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tessera::test::fallback_test {

using namespace fallback_solves;

TEST(Fallback, EachFallbackIsTakenOnceAndOnlyWhereTheUserLeftItOpen) {
  SolveParameters asked;
  SolveParameters effective;
  effective.preconditioner = PreconditionerKind::amg;
  effective.precision = Precision::single;
  effective.solver.name = SolverName::cg;
  effective.solver.cg.flexible = true;
  MatrixFacts facts{.rows = 100000, .symmetric = true};  // too many for a dense level
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

TEST(Fallback, OneDenseLevelIsTheLastWhereThereAreNoFactors) {
  SolveParameters asked;
  MatrixFacts facts{.rows = 2000};
  SolveResult result;
  result.iterations = 9;
  result.columns = {{.status = SolveStatus::stagnated, .iterations = 9}};
  result.status = SolveStatus::stagnated;
  BadSolve bad{.asked = asked, .facts = facts, .result = result, .slow = false};
  SolveParameters picked;
  const auto follows = [&] {
    picked = {};
    picked.preconditioner = PreconditionerKind::amg;
    picked.solver.name = SolverName::cg;
    picked.amg.coarse_size = 200;
    return next_fallback(bad, picked).has_value();
  };
  ASSERT_TRUE(follows());
  EXPECT_EQ(picked.amg.coarse_size, 2000);
  EXPECT_EQ(picked.precision, Precision::same);
  EXPECT_TRUE(picked.solver.cg.flexible);
  EXPECT_FALSE(next_fallback(bad, picked).has_value()) << "taken once";
  facts.rows = 2001;
  EXPECT_FALSE(follows());
  facts.rows = 200;
  EXPECT_FALSE(follows()) << "it was one";
  facts.rows = 300;
  facts.on_host = true;
  EXPECT_EQ(follows(), !direct::available());
  asked.direct.max_memory_mb = 0;
  EXPECT_TRUE(follows());
  asked.amg.coarse_size = 200;
  EXPECT_FALSE(follows());
  asked.amg.coarse_size = 0;
  asked.preconditioner = PreconditionerKind::amg;
  EXPECT_FALSE(follows());
  asked.preconditioner = PreconditionerKind::automatic;
  result.status = result.columns[0].status = SolveStatus::max_iterations;
  EXPECT_FALSE(follows()) << "its rate might have done";
  bad.hopeless = true;
  EXPECT_TRUE(follows());
  asked.solver.max_iterations = 45;
  EXPECT_FALSE(follows()) << "a limit that was set";
}

TEST(Fallback, OneDenseLevelFollowsAPoorRate) {
  // A flow in a ring with hardly any diffusion, in central differences and numbered at random.
  const Ordinal n = 600;
  std::vector<std::vector<std::pair<Ordinal, double>>> rows(n);
  const auto at = [&](Ordinal i) { return (i * Ordinal(77)) % n; };
  for (Ordinal i = 0; i < n; ++i) {
    rows[at(i)] = {{at(i), 1e-3}, {at((i + n - 1) % n), -1}, {at((i + 1) % n), 1 + 1e-3 * (i % 7)}};
    std::sort(rows[at(i)].begin(), rows[at(i)].end());
  }
  SolveParameters parameters;
  parameters.direct.max_memory_mb = 0;
  const auto A = make_csr(Space(), from_rows(n, rows));
  const auto b = random_vector<double>(n);
  const auto solved = solve_with(parameters, A, b);
  EXPECT_EQ(to_string(solved.result.status), "converged");
  EXPECT_TRUE(noted(solved.solver.hierarchy(), "one dense level: "));
  EXPECT_EQ(solved.solver.hierarchy().levels.size(), 1);
  EXPECT_LT(solved.result.iterations, 150);
  expect_joined(solved);
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

}  // namespace tessera::test::fallback_test
