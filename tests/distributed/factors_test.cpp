// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse factors of all rows on process 0 that are asked for. All processes decide alike.
#include "distributed/factors_cases.hpp"
#include "support/notes.hpp"

#include <cmath>

namespace tessera::test::factors_test {

using namespace factors_cases;

TEST(DistributedFactors, SolveWhereTheyAreAskedFor) {
  if (!direct::available()) GTEST_SKIP() << "no SuiteSparse";
  for (const auto kind : {ProblemKind::poisson2d, ProblemKind::convdiff2d}) {
    for (const auto share : {odd_share, share_of_pairs, growing_share}) {
      const GalleryParameters gallery{.problem = kind, .n = 20, .peclet = 1e3};
      const SharedProblem problem(gallery, num_processes(), process(), share);
      const Shared rows{problem.host, {static_cast<int>(problem.first), problem.num_rows()}};
      const Solved made = solved(all_processes(), rows, asked_for(), 2);
      EXPECT_TRUE(made.result.converged()) << to_string(made.result.status);
      EXPECT_LE(made.result.iterations, 2);
      EXPECT_EQ(made.parameters.solve.preconditioner, PreconditionerKind::direct);
      EXPECT_TRUE(noted(made.hierarchy, "factors on process 0: "));
      expect_alike(made.result);
      const SharedProblem whole(gallery, 1, 0);
      Parameters p;
      p.solve.solver.tolerance = 1e-12;
      const Solved alone = solved(distributed::alone(), {whole.host, {0, whole.num_rows()}}, p, 1);
      const Vectors first("first", problem.num_rows(), 1);
      Kokkos::deep_copy(Kokkos::subview(first, Kokkos::ALL, 0),
                        Kokkos::subview(made.x, Kokkos::ALL, 0));
      EXPECT_LT(distance(first, problem.first, on_host(alone.x)), 1e-7);
    }
  }
}

TEST(DistributedFactors, PreconditionSomebodyElsesMethod) {
  if (!direct::available()) GTEST_SKIP() << "no SuiteSparse";
  const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 20});
  const Share share(problem.host);
  DistributedSolver solver(all_processes(), asked_for());
  solver.setup(Space(), share.rows());
  const Vectors r = waves(problem.first, problem.num_rows());
  const Vectors z = zeros(problem.num_rows());
  const Vectors x = zeros(problem.num_rows());
  solver.apply_preconditioner(Space(), r, z);
  EXPECT_TRUE(solver.solve(Space(), r, x).converged());
  const auto expected = on_host(x), found = on_host(z);
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-8 * (1 + std::abs(expected[i])));
  EXPECT_GT(solver.cycle_traffic(Space()).messages, num_processes() > 1 ? 0 : -1);
}

TEST(DistributedFactors, AreMadeAgainOfNewValues) {
  if (!direct::available()) GTEST_SKIP() << "no SuiteSparse";
  const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 20});
  const Share share(problem.host);
  DistributedSolver solver(all_processes(), asked_for());
  solver.setup(Space(), share.rows());
  const Vectors b = waves(problem.first, problem.num_rows());
  const Vectors x = zeros(problem.num_rows());
  EXPECT_TRUE(solver.solve(Space(), b, x).converged());
  auto values = problem.host.values;
  for (double& value : values)
    if (value > 0) value += 1;
  solver.update_values(Space(), on_device(values));
  const auto again = solver.solve(Space(), b, x);
  EXPECT_TRUE(again.converged());
  EXPECT_LE(again.iterations, 2) << "by the factors of before it is more";
  expect_alike(again);
}

TEST(DistributedFactors, AreRefusedInWords) {
  if (!direct::available()) GTEST_SKIP() << "no SuiteSparse";
  const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 30});
  const Share share(problem.host);
  const auto refused = [&](const auto& change) {
    Parameters p = asked_for();
    change(p);
    DistributedSolver solver(all_processes(), p);
    return error_of([&] { solver.setup(Space(), share.rows()); });
  };
  expect_error(refused([](Parameters& p) { p.factor_rows = 899; }), ErrorKind::configuration,
               {"on several processes 'preconditioner=direct' is for matrices of at most "
                "'factor_rows', 899, which process 0 factors, and this one has 900 rows; raise it, "
                "or take another preconditioner"});
  // 0.01 MiB hold half the entries of the matrix, 0.05 these and no factors.
  for (const double limit : {0.01, 0.05})
    expect_error(refused([&](Parameters& p) { p.solve.direct.max_memory_mb = limit; }),
                 ErrorKind::configuration,
                 {"'preconditioner=direct' has factors that would take ",
                  " MiB of process 0 at the least, more than 'direct.max_memory_mb'"});
  EXPECT_FALSE(refused([](Parameters& p) { p.factor_rows = 900; }).has_value());
}

}  // namespace tessera::test::factors_test
