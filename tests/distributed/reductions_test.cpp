// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// For how many reductions, for which all processes wait, an iteration asks.
#include "distributed/shares.hpp"
#include "tessera/distributed/counting_communicator.hpp"

#include <string>

namespace tessera::test::reductions_test {

using distributed::CountingCommunicator;
using distributed::Parameters;

/// Of one solve of so many iterations, which ends at that limit. What setup and a first solve,
/// which makes room, agree on is not among them.
std::int64_t reductions_of(const Parameters& given, int iterations, int columns) {
  const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 40});
  const Share rows(problem.host);
  const auto counting = std::make_shared<const CountingCommunicator>(all_processes());
  Parameters p = given;
  p.solve.solver.tolerance = 1e-14;
  p.solve.solver.max_iterations = iterations;
  DistributedSolver solver(counting, p);
  const Space exec;
  solver.setup(exec, rows.rows());
  EXPECT_EQ(solver.cycle_traffic(exec).reductions, 0);
  const Vectors b = waves(problem.first, problem.num_rows(), columns);
  std::int64_t counted = 0;
  for (int repeat = 0; repeat < 2; ++repeat) {
    const Vectors x = zeros(problem.num_rows(), columns);
    const std::int64_t before = counting->counted().reductions;
    const SolveResult result = solver.solve(exec, b, x);
    counted = counting->counted().reductions - before;
    EXPECT_EQ(result.status, SolveStatus::max_iterations) << to_string(result.status);
    EXPECT_EQ(result.iterations, iterations);
  }
  return counted;
}

/// Conjugate gradients have one, whatever the preconditioner, the others two; several right-hand
/// sides and the wishes of loggers go along. What a solve begins and ends with drops out of the
/// difference of two solves.
TEST(DistributedReductions, AreFewPerIteration) {
  constexpr int few = 2;
  constexpr int more = 6;
  for (const auto& [method, per_iteration] :
       {std::pair(SolverName::cg, 1), std::pair(SolverName::bicgstab, 2),
        std::pair(SolverName::fgmres, 2)}) {
    for (const auto kind :
         {PreconditionerKind::amg, PreconditionerKind::jacobi, PreconditionerKind::none}) {
      for (const int columns : {1, 3}) {
        SCOPED_TRACE("method " + std::to_string(static_cast<int>(method)) + ", preconditioner " +
                     std::to_string(static_cast<int>(kind)) + ", " + std::to_string(columns));
        Parameters p;
        p.gather_rows = 200;
        p.solve.preconditioner = kind;
        p.solve.solver.name = method;
        const auto difference = reductions_of(p, more, columns) - reductions_of(p, few, columns);
        EXPECT_EQ(difference, per_iteration * (more - few));
      }
    }
  }
}

/// Exact sums go through the same reductions.
TEST(DistributedReductions, AreAsFewWithEqualBits) {
  Parameters p;
  p.gather_rows = 200;
  p.reproducible = true;
  p.solve.solver.name = SolverName::cg;
  EXPECT_EQ(reductions_of(p, 6, 1) - reductions_of(p, 2, 1), 4);
}

}  // namespace tessera::test::reductions_test
