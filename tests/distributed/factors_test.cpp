// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse factors of all rows on process 0: asked for, picked, and taken where iterations come to
/// nothing. All processes decide alike.
#include "distributed/shares_in_parts.hpp"
#include "support/notes.hpp"
#include "support/real_systems.hpp"
#include "tessera/direct/sparse_direct.hpp"
#include "tessera/kernels/execution/host_space.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace tessera::test::factors_test {

using Communicator = std::shared_ptr<const distributed::Communicator>;
using distributed::Parameters;

/// Nobody's choice but on a host, and not without SuiteSparse.
constexpr bool on_host_space = kernels::is_host_space<Space>;
bool may_be_picked() { return on_host_space && direct::available(); }

struct Shared {
  HostShare host;
  RowRange range;
};

/// 13 points of the biharmonic operator on n by n: stiffness that smoothers take long with.
Shared biharmonic(int n, const Communicator& processes,
                  RowRange (*share)(int, int, int) = odd_share) {
  Shared made{{}, share(n * n, processes->size(), processes->rank())};
  const auto push = [&](int i, int j, double value) {
    if (i >= 0 && i < n && j >= 0 && j < n) made.host.push(i * n + j, value);
  };
  for (int row = made.range.first; row < made.range.first + made.range.count; ++row) {
    const int i = row / n, j = row % n;
    push(i, j, 20);
    for (const int s : {-1, 1}) {
      push(i + s, j, -8);
      push(i, j + s, -8);
      push(i + 2 * s, j, 1);
      push(i, j + 2 * s, 1);
      push(i + s, j + s, 2);
      push(i + s, j - s, 2);
    }
    made.host.end_row();
  }
  return made;
}

/// Rows of a Laplacian, those of the second half times -1: a diagonal of both signs, no symmetry.
Shared of_both_signs(int n, const Communicator& processes,
                     RowRange (*share)(int, int, int) = odd_share) {
  const SharedProblem grid({.problem = ProblemKind::poisson2d, .n = n}, processes->size(),
                           processes->rank(), share);
  Shared made{grid.host, {static_cast<int>(grid.first), grid.num_rows()}};
  for (int i = 0; i < made.range.count; ++i)
    for (auto e = made.host.offsets[i];
         made.range.first + i >= n * n / 2 && e < made.host.offsets[i + 1]; ++e)
      made.host.values[e] *= -1;
  return made;
}

struct Solved {
  SolveResult result;
  Vectors x;
  Parameters parameters;
  HierarchyInfo hierarchy;
};

Solved solved(const Communicator& processes, const Shared& rows, const Parameters& p,
              int columns = 1) {
  const Share share(rows.host);
  DistributedSolver solver(processes, p);
  solver.setup(Space(), share.rows());
  const Vectors x = zeros(rows.range.count, columns);
  auto result = solver.solve(Space(), waves(rows.range.first, rows.range.count, columns), x);
  return {std::move(result), x, solver.parameters(), solver.hierarchy()};
}

/// As one: the same end after as many iterations on all processes.
void expect_alike(const SolveResult& result) {
  const double residual = result.true_relative_residual;
  double numbers[] = {static_cast<double>(result.status), static_cast<double>(result.iterations),
                      std::isnan(residual) ? -1 : residual};
  double largest[] = {numbers[0], numbers[1], numbers[2]};
  all_processes()->maximum(largest);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(numbers[i], largest[i]) << i;
}

/// By a weak smoother, so that iterations are many.
Parameters slow() {
  Parameters p;
  p.gather_rows = 100;
  p.solve.solver.tolerance = 1e-10;
  p.solve.amg.smoother.type = SmootherType::jacobi;
  return p;
}

Parameters asked_for() {
  Parameters p;
  p.solve.preconditioner = PreconditionerKind::direct;
  return p;
}

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
  DistributedSolver forecast(all_processes(), asked_for());
  expect_error(error_of([&] { forecast.forecast_memory(Space(), share.rows()); }),
               ErrorKind::configuration, {"has no forecast of memory"});
}

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

}  // namespace tessera::test::factors_test
