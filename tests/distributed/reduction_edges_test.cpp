// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A reduction over processes: new values, few rows, and matrices that it can do little with.
#include "distributed/reduction_cases.hpp"

#include <limits>

namespace tessera::test::reduction_edges_test {

using namespace reduction_cases;

/// New values by each kind of reuse.
TEST(DistributedReduction, TakesNewValues) {
  const WholeRows whole = vortex(30, 1e3);
  Parameters p = reducing();
  const Solved plain = solved_rows(distributed::alone(), whole, odd_share, p);
  auto third = on_host(plain.x);
  for (double& entry : third)
    entry /= 3;
  for (const auto reuse :
       {amg::Reuse::none, amg::Reuse::symbolic, amg::Reuse::interpolation, amg::Reuse::hierarchy})
    for (const bool relaxes_coarse : {false, true}) {
      SCOPED_TRACE(static_cast<int>(reuse));
      p.solve.amg.reuse = reuse;
      p.solve.amg.reduction.relax_coarse = relaxes_coarse;
      for (const ShareOf share : all_shares) {
        const Solved made = solved_rows(all_processes(), whole, share, p, 1, 3);
        ASSERT_TRUE(made.result.converged()) << to_string(made.result.status);
        if (!relaxes_coarse) {
          EXPECT_EQ(made.result.iterations, plain.result.iterations);
        }
        EXPECT_LT(distance(made.x, made.first, third), 1e-7);
      }
    }
}

/// Of another flow in the same pattern: what is made again is what one process makes.
TEST(DistributedReduction, TakesAnotherFlow) {
  const WholeRows before = vortex(30, 1e3), after = vortex(30, 2e4);
  for (const auto reuse : {amg::Reuse::symbolic, amg::Reuse::interpolation}) {
    Parameters p = reducing();
    p.solve.amg.reuse = reuse;
    p.solve.amg.reduction.lump_dropped = reuse == amg::Reuse::symbolic;
    p.solve.amg.reduction.operator_drop = 0.03;
    const Solved alone = solved_again(distributed::alone(), before, after, odd_share, p);
    for (const ShareOf share : all_shares)
      expect_equal(solved_again(all_processes(), before, after, share, p), alone);
    p.gather_rows = 1000000;
    expect_residuals(solved_again(distributed::alone(), before, after, odd_share, p), alone);
  }
}

TEST(DistributedReduction, TakesFewRows) {
  for (const int n : {1, 2, 3, 5}) {
    SCOPED_TRACE(n);
    Parameters p = reducing();
    p.gather_rows = 1;
    for (const ShareOf share : {all_shares[0], all_shares[1], all_shares[2], &one_row_each}) {
      const WholeRows whole = vortex(n, 1e2);
      EXPECT_TRUE(solved_rows(all_processes(), whole, share, p).result.converged());
      const GalleryParameters chain{.problem = ProblemKind::convdiff2d, .n = n, .peclet = 1e8};
      EXPECT_TRUE(solved_by(all_processes(), chain, share, p).result.converged());
    }
  }
}

/// Nothing that is coarse: no rows at all, or none that is coupled to another.
TEST(DistributedReduction, EndsWhereNothingIsCoarse) {
  EXPECT_TRUE(solved_rows(all_processes(), {}, odd_share, reducing()).result.converged());
  WholeRows diagonal;
  for (int i = 0; i < 300; ++i)
    diagonal.rows.push_back({{i, 1.0 + i % 7}});
  const Solved made = solved_rows(all_processes(), diagonal, odd_share, reducing());
  EXPECT_TRUE(made.result.converged());
  EXPECT_EQ(made.hierarchy.levels.front().rows, 300);
}

/// Couplings in one direction alone: a process has none to those that depend on its points.
TEST(DistributedReduction, SeesCouplingsOfOneDirection) {
  WholeRows chain;
  for (int i = 0; i < 400; ++i) {
    chain.rows.push_back({{i, 1.0}});
    for (const int step : {1, 7, 90})
      if (i >= step) chain.rows.back()[i - step] = -0.3;
  }
  const Solved alone = solved_rows(distributed::alone(), chain, odd_share, reducing());
  for (const ShareOf share : all_shares)
    expect_equal(solved_rows(all_processes(), chain, share, reducing()), alone);
}

/// Zeros on the diagonal are coarse on each level, and dense rows stay.
TEST(DistributedReduction, KeepsRowsThatRelaxationCannotSolve) {
  WholeRows whole = vortex(30, 1e3);
  for (int i = 17; i < 900; i += 97)
    whole.rows[static_cast<std::size_t>(i)][i] = 0;
  for (int j = 0; j < 899; ++j)
    whole.rows[899][j] -= 1e-3;
  const Solved alone = solved_rows(distributed::alone(), whole, odd_share, reducing());
  EXPECT_TRUE(alone.result.converged()) << to_string(alone.result.status);
  for (const ShareOf share : all_shares)
    expect_equal(solved_rows(all_processes(), whole, share, reducing()), alone);
}

/// A limit that the second level would pass leaves the finest alone.
TEST(DistributedReduction, KeepsToTheOperatorComplexity) {
  const WholeRows whole = vortex(40, 1e3);
  for (const double most : {1.1, 1.9, 2.5}) {
    SCOPED_TRACE(most);
    Parameters p = reducing();
    p.solve.amg.max_operator_complexity = most;
    const Solved alone = solved_rows(distributed::alone(), whole, odd_share, p);
    const Solved made = solved_rows(all_processes(), whole, odd_share, p);
    EXPECT_LE(made.hierarchy.operator_complexity, most);
    EXPECT_EQ(level_rows_of(made.hierarchy), level_rows_of(alone.hierarchy));
    EXPECT_TRUE(made.result.converged()) << to_string(made.result.status);
  }
}

/// Full rows, whose products are too much work where little complexity is left: the levels are
/// those of one process, wherever they are gathered.
TEST(DistributedReduction, KeepsToTheWorkOfProducts) {
  WholeRows whole;
  for (int i = 0; i < 300; ++i) {
    whole.rows.push_back({{i, 500.0}});
    for (int j = 0; j < 300; ++j)
      if (j != i) whole.rows.back()[j] = -1 - 0.1 * (i % 7 - j % 5);
  }
  for (const double most : {1.15, 12.0})
    for (const int sparsity : {1, 2}) {
      SCOPED_TRACE(most);
      Parameters p = reducing();
      p.solve.amg.max_operator_complexity = most;
      p.solve.amg.reduction.polynomial_sparsity = sparsity;
      const Solved alone = solved_rows(distributed::alone(), whole, odd_share, p);
      EXPECT_EQ(alone.hierarchy.levels.size() > 1, most > 2);
      for (const ShareOf share : all_shares) {
        const Solved made = solved_rows(all_processes(), whole, share, p);
        EXPECT_EQ(level_rows_of(made.hierarchy), level_rows_of(alone.hierarchy));
        EXPECT_EQ(made.result.iterations, alone.result.iterations);
        EXPECT_LT(distance(made.x, made.first, on_host(alone.x)), 1e-7);
      }
    }
}

/// A NaN on one process is an error on all of them.
TEST(DistributedReduction, FailsOnAllProcesses) {
  SharedProblem problem({.problem = ProblemKind::convdiff2d, .n = 30, .peclet = 1e3});
  const Share good(problem.host);
  if (process() == num_processes() - 1)
    problem.host.values.back() = std::numeric_limits<double>::quiet_NaN();
  Parameters p = reducing();
  p.solve.amg.reuse = amg::Reuse::symbolic;
  DistributedSolver solver(all_processes(), p);
  const Space exec;
  EXPECT_TRUE(error_of([&] { solver.setup(exec, Share(problem.host).rows()); }).has_value());
  solver.setup(exec, good.rows());
  EXPECT_TRUE(
      error_of([&] { solver.update_values(exec, on_device(problem.host.values)); }).has_value());
  const Vectors b = waves(problem.first, problem.num_rows());
  EXPECT_TRUE(error_of([&] { solver.solve(exec, b, zeros(problem.num_rows())); }).has_value());
  solver.update_values(exec, good.values);
  EXPECT_TRUE(solver.solve(exec, b, zeros(problem.num_rows())).converged());
}

}  // namespace tessera::test::reduction_edges_test
