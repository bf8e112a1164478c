// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Classical coarsening over processes, and values that no solver can do with.
#include "distributed/classical_cases.hpp"

#include <limits>

namespace tessera::test::classical_values_test {

using namespace classical_cases;

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

}  // namespace tessera::test::classical_values_test
