// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What classical coarsening over processes refuses, and values that no solver can do with.
#include "distributed/classical_cases.hpp"

#include <limits>

namespace tessera::test::classical_refusals_test {

using namespace classical_cases;

/// What there is on one process alone is refused, and says what there is.
TEST(DistributedClassical, RefusesWhatItHasNot) {
  Parameters p = classical();
  p.solve.amg.classical.splitting = amg::PointSplitting::advancing_front;
  expect_error(error_of([&] { DistributedSolver(all_processes(), p); }), ErrorKind::configuration,
               {"amg.classical.splitting", "pmis"});
  p = classical();
  p.solve.amg.classical.aggressive_levels = 1;
  expect_error(error_of([&] { DistributedSolver(all_processes(), p); }), ErrorKind::configuration,
               {"amg.classical.aggressive_levels", "smoothed_aggregation"});
  p = classical();
  p.solve.amg.coarsening = amg::CoarseningKind::reduction;
  expect_error(error_of([&] { DistributedSolver(all_processes(), p); }), ErrorKind::configuration,
               {"smoothed_aggregation or classical", "reduction"});
  p = classical();
  p.block_size = 3;
  const SharedProblem problem({.problem = ProblemKind::elasticity3d, .n = 4});
  const Share rows(problem.host);
  DistributedSolver solver(all_processes(), p);
  expect_error(error_of([&] { solver.setup(Space(), rows.rows()); }), ErrorKind::configuration,
               {"block_size=1", "smoothed_aggregation"});
}

/// A NaN on one process is an error on all of them.
TEST(DistributedClassical, FailsOnAllProcesses) {
  SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 30});
  const Share good(problem.host);
  if (process() == num_processes() - 1)
    problem.host.values.back() = std::numeric_limits<double>::quiet_NaN();
  Parameters p = classical();
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

}  // namespace tessera::test::classical_refusals_test
