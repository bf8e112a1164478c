// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A poor rate takes a stronger smoother, and the solve goes on.
#include "solve/fallback_solves.hpp"
#include "support/notes.hpp"
#include "tessera/gallery/problem.hpp"

namespace tessera::test::poor_rate_test {

using namespace fallback_solves;

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

TEST(PoorRate, APoorRateTakesAStrongerSmoother) {
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

TEST(PoorRate, TheSmoothersOfLevelsAreStrengthenedWhereAllAreOpen) {
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

TEST(PoorRate, LimitsAndInterruptionsHoldAcrossParts) {
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

}  // namespace tessera::test::poor_rate_test
