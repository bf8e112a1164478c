// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse factors of all rows on process 0 that nobody asked for: picked, and taken where
/// iterations come to nothing. All processes decide alike.
#include "distributed/factors_cases.hpp"
#include "distributed/shares_in_parts.hpp"
#include "support/notes.hpp"
#include "support/real_systems.hpp"

#include <limits>

namespace tessera::test::picked_factors_test {

using namespace factors_cases;

TEST(DistributedFactors, TakeOverWhereIterationsAreSlow) {
  if (!may_be_picked()) GTEST_SKIP() << "not picked here";
  const Parameters p = slow();
  const Solved alone = solved(distributed::alone(), biharmonic(100, distributed::alone()), p);
  ASSERT_TRUE(alone.result.converged());
  EXPECT_TRUE(noted(alone.hierarchy, "preconditioner direct: after ")) << "by iterations";
  EXPECT_EQ(alone.parameters.solve.solver.name, SolverName::fgmres);
  for (const auto share : {odd_share, share_of_pairs, growing_share}) {
    const Shared rows = biharmonic(100, all_processes(), share);
    const Solved made = solved(all_processes(), rows, p);
    EXPECT_TRUE(made.result.converged()) << to_string(made.result.status);
    EXPECT_EQ(made.result.iterations, alone.result.iterations);
    EXPECT_TRUE(noted(made.hierarchy, "preconditioner direct: after "));
    EXPECT_EQ(made.parameters.solve.preconditioner, PreconditionerKind::direct);
    expect_alike(made.result);
    EXPECT_LT(distance(made.x, rows.range.first, on_host(alone.x)), 1e-4);
  }
  // What was set says that they are not to be.
  const Shared rows = biharmonic(100, all_processes());
  for (const bool by_rows : {false, true}) {
    Parameters without = p;
    if (by_rows)
      without.factor_rows = 9999;
    else
      without.solve.preconditioner = PreconditionerKind::amg;
    const Solved made = solved(all_processes(), rows, without);
    EXPECT_GT(made.result.iterations, alone.result.iterations);
    EXPECT_FALSE(noted(made.hierarchy, "preconditioner direct"));
  }
  Parameters tight = p;
  tight.solve.direct.max_memory_mb = 0.5;
  EXPECT_FALSE(noted(solved(all_processes(), rows, tight).hierarchy, "preconditioner direct"))
      << "they do not fit";
}

TEST(DistributedFactors, StayForNewValuesAndForParts) {
  if (!may_be_picked()) GTEST_SKIP() << "not picked here";
  Parameters p = slow();
  const Shared rows = biharmonic(100, all_processes());
  for (const auto reuse : {amg::Reuse::none, amg::Reuse::symbolic}) {
    p.solve.amg.reuse = reuse;
    const SharedParts parts(rows.host, rows.range.first, RowOrder::diagonal_first);
    DistributedSolver solver(all_processes(), p);
    solver.setup_parts(Space(), parts.rows);
    const Vectors b = waves(rows.range.first, rows.range.count);
    const Vectors x = zeros(rows.range.count);
    EXPECT_TRUE(solver.solve(Space(), b, x).converged());
    EXPECT_TRUE(noted(solver.hierarchy(), "preconditioner direct: after "));
    parts.scale(2);
    solver.update_parts(Space(), parts.rows);
    Kokkos::deep_copy(x, 0.0);
    const auto again = solver.solve(Space(), b, x);
    EXPECT_TRUE(again.converged());
    EXPECT_LE(again.iterations, 3);
  }
}

TEST(DistributedFactors, ArePickedWhereMultigridDoesNotSuit) {
  if (!may_be_picked()) GTEST_SKIP() << "not picked here";
  Parameters p;
  p.gather_rows = 100;
  for (const auto share : {odd_share, share_of_pairs, growing_share}) {
    const Solved made = solved(all_processes(), of_both_signs(40, all_processes(), share), p);
    EXPECT_TRUE(made.result.converged()) << to_string(made.result.status);
    EXPECT_LE(made.result.iterations, 2);
    EXPECT_TRUE(noted(made.hierarchy, "preconditioner direct: factors of "));
    EXPECT_TRUE(made.hierarchy.levels.empty());
    expect_alike(made.result);
  }
  const SharedProblem grid({.problem = ProblemKind::poisson2d, .n = 40});
  const Shared suited{grid.host, {static_cast<int>(grid.first), grid.num_rows()}};
  EXPECT_FALSE(noted(solved(all_processes(), suited, p).hierarchy, "preconditioner direct"));
}

/// On one process, which stops all, where others are about to take factors.
TEST(DistributedFactors, DoNotStandInALoggersWay) {
  if (!may_be_picked()) GTEST_SKIP() << "not picked here";
  const Shared rows = biharmonic(100, all_processes());
  const Share share(rows.host);
  for (const int at : {3, 10, 11, 12}) {
    DistributedSolver solver(all_processes(), slow());
    if (process() == num_processes() - 1)
      solver.set_logger([&](const IterationInfo& now) { return now.iteration < at; });
    solver.setup(Space(), share.rows());
    const auto result =
        solver.solve(Space(), waves(rows.range.first, rows.range.count), zeros(rows.range.count));
    EXPECT_EQ(result.status, SolveStatus::interrupted) << at;
    expect_alike(result);
  }
}

TEST(DistributedFactors, AreNotTriedOnWhatIsNotFinite) {
  if (!may_be_picked()) GTEST_SKIP() << "not picked here";
  const Shared rows = biharmonic(100, all_processes());
  const Share share(rows.host);
  DistributedSolver solver(all_processes(), slow());
  solver.setup(Space(), share.rows());
  const Vectors b = waves(rows.range.first, rows.range.count);
  if (process() == num_processes() - 1 && rows.range.count > 0)
    Kokkos::deep_copy(Kokkos::subview(b, 0, 0), std::numeric_limits<double>::quiet_NaN());
  const auto result = solver.solve(Space(), b, zeros(rows.range.count));
  EXPECT_EQ(result.status, SolveStatus::not_a_number);
  EXPECT_FALSE(noted(solver.hierarchy(), "preconditioner direct"));
  expect_alike(result);
}

/// Real systems that come to nothing by multigrid, to the digits that doubles have.
TEST(DistributedFactors, SolveRealSystems) {
  if (!may_be_picked()) GTEST_SKIP() << "not picked here";
  for (const char* const name : {"watt_2", "sherman5", "dw2048", "s3rmt3m3"}) {
    if (!why_unreadable(name).empty()) continue;
    SCOPED_TRACE(name);
    const auto A = read_real_matrix(HostSpace(), name);
    Shared rows{{}, odd_share(A.num_rows, num_processes(), process())};
    for (int i = rows.range.first; i < rows.range.first + rows.range.count; ++i) {
      for (auto e = A.offsets(i); e < A.offsets(i + 1); ++e)
        rows.host.push(A.columns(e), A.values(e));
      rows.host.end_row();
    }
    Parameters p;
    p.gather_rows = 100;
    const Solved made = solved(all_processes(), rows, p);
    EXPECT_TRUE(made.result.converged())
        << to_string(made.result.status) << ' ' << made.result.true_relative_residual;
    EXPECT_LE(made.result.true_relative_residual, 1e-8);
    EXPECT_TRUE(noted(made.hierarchy, "preconditioner direct: "));
    EXPECT_EQ(made.result.residual_history.size(),
              static_cast<std::size_t>(made.result.iterations) + 1);
    expect_alike(made.result);
  }
}

}  // namespace tessera::test::picked_factors_test
