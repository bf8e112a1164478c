// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What goes wrong on one process ends on all, and shares may be as small as can be. The test
/// program has 30 s for all of these: a hang is a failure.
#include "distributed/shares.hpp"
#include "tessera/direct/sparse_direct.hpp"

#include <functional>
#include <limits>
#include <string>
#include <utility>

namespace tessera::test::faults_test {

using distributed::Parameters;

/// Runs `change` on the last process's rows; the error of a setup with them.
std::optional<Error> error_with(const std::function<void(HostShare&)>& change) {
  SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 20});
  if (process() == num_processes() - 1) change(problem.host);
  const Share share(problem.host);
  return error_of([&] {
    DistributedSolver solver(all_processes());
    solver.setup(Space(), share.rows());
  });
}

TEST(DistributedFaults, WhatOneFindsWrongAllThrow) {
  struct Case {
    std::function<void(HostShare&)> change;
    ErrorKind kind;
    std::string says;
  };
  for (const Case& c : {
           Case{[](HostShare& s) { s.columns.front() = 400; }, ErrorKind::precondition,
                "a column is 400"},
           Case{[](HostShare& s) { s.columns.front() = -1; }, ErrorKind::precondition,
                "a column is -1"},
           Case{[](HostShare& s) { s.columns[1] = s.columns[0]; }, ErrorKind::precondition,
                "twice"},
           Case{[](HostShare& s) { s.offsets.back() += 1; }, ErrorKind::precondition,
                "the last offset"},
           Case{[](HostShare& s) { std::swap(s.offsets[1], s.offsets[2]); },
                ErrorKind::precondition, "decrease"},
           Case{[](HostShare& s) { s.values.pop_back(); }, ErrorKind::precondition, "values"},
           Case{[](HostShare& s) { s.values[3] = std::numeric_limits<double>::quiet_NaN(); },
                ErrorKind::bad_input, "NaN"},
           Case{[](HostShare& s) { s.values[3] = std::numeric_limits<double>::infinity(); },
                ErrorKind::bad_input, "infinit"},
       }) {
    SCOPED_TRACE(c.says);
    expect_error(error_with(c.change), c.kind, {c.says});
  }
}

TEST(DistributedFaults, VectorsThatDoNotFitAreRefusedByAll) {
  const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 20});
  const Share share(problem.host);
  const Space exec;
  DistributedSolver solver(all_processes());
  const int rows = problem.num_rows();
  const bool is_last = process() == num_processes() - 1;
  expect_error(error_of([&] { solver.solve(exec, zeros(rows), zeros(rows)); }),
               ErrorKind::precondition, {"setup"});
  expect_error(error_of([&] { solver.update_values(exec, share.values); }), ErrorKind::precondition,
               {"setup"});
  expect_error(
      error_of([&] { solver.setup(exec, share.rows(), zeros(is_last ? rows + 1 : rows)); }),
      ErrorKind::precondition, {"near-nullspace"});
  if (num_processes() > 1)
    expect_error(error_of([&] { solver.setup(exec, share.rows(), zeros(rows, is_last ? 2 : 1)); }),
                 ErrorKind::precondition, {"near-nullspace"});
  solver.setup(exec, share.rows());
  expect_error(error_of([&] { solver.solve(exec, zeros(is_last ? 1 : rows), zeros(rows)); }),
               ErrorKind::precondition, {"expected"});
  if (num_processes() > 1) {
    const int columns = is_last ? 2 : 1;
    expect_error(error_of([&] { solver.solve(exec, zeros(rows, columns), zeros(rows, columns)); }),
                 ErrorKind::precondition, {"right-hand sides"});
  }
  const Vectors both = zeros(rows);
  expect_error(error_of([&] { solver.solve(exec, both, both); }), ErrorKind::precondition,
               {"overlap"});
  const std::vector<double> fewer(share.values.extent(0) - (is_last ? 1 : 0), 1.0);
  expect_error(error_of([&] { solver.update_values(exec, on_device(fewer)); }),
               ErrorKind::precondition, {"values"});
  // What was refused has changed nothing.
  const Vectors x = zeros(rows);
  EXPECT_TRUE(solver.solve(exec, waves(problem.first, rows), x).converged());
  expect_error(error_of([&] { DistributedSolver(nullptr); }), ErrorKind::precondition, {"null"});
  DistributedSolver taken = std::move(solver);
  EXPECT_TRUE(taken.solve(exec, waves(problem.first, rows), x).converged());
  expect_error(error_of([&] { solver.solve(exec, x, both); }), ErrorKind::precondition, {"moved"});
}

/// New values that are no numbers, and then good ones.
TEST(DistributedFaults, RecoversFromBadValues) {
  const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 20});
  const Share share(problem.host);
  const Space exec;
  auto bad = problem.host.values;
  if (process() == num_processes() - 1) bad.back() = std::numeric_limits<double>::quiet_NaN();
  for (const auto reuse : {amg::Reuse::none, amg::Reuse::symbolic}) {
    for (const int gather_rows : {10, 10000}) {
      Parameters p;
      p.gather_rows = gather_rows;
      p.solve.amg.reuse = reuse;
      DistributedSolver solver(all_processes(), p);
      solver.setup(exec, share.rows());
      const Vectors x = zeros(problem.num_rows());
      expect_error(error_of([&] { solver.update_values(exec, on_device(bad)); }),
                   ErrorKind::bad_input, {"NaN"});
      expect_error(error_of([&] { solver.solve(exec, waves(0, problem.num_rows()), x); }),
                   ErrorKind::precondition, {"succeeds"});
      solver.update_values(exec, share.values);
      EXPECT_TRUE(solver.solve(exec, waves(problem.first, problem.num_rows()), x).converged());
    }
  }
}

/// A row of ones on the first, the last or no process, and nothing at all.
TEST(DistributedFaults, SharesMayBeEmpty) {
  const Space exec;
  for (const int owner : {0, num_processes() - 1, -1}) {
    for (const auto kind : {PreconditionerKind::amg, PreconditionerKind::direct,
                            PreconditionerKind::jacobi, PreconditionerKind::none}) {
      if (kind == PreconditionerKind::direct && !direct::available()) continue;
      SCOPED_TRACE(owner);
      HostShare host;
      if (process() == owner) {
        host.push(0, 4);
        host.end_row();
      }
      const Share share(host);
      Parameters p;
      p.solve.preconditioner = kind;
      DistributedSolver solver(all_processes(), p);
      solver.setup(exec, share.rows());
      EXPECT_EQ(solver.num_rows(), owner < 0 ? 0 : 1);
      const Vectors b("b", host.num_rows(), 1);
      Kokkos::deep_copy(b, 2.0);
      const Vectors x = zeros(host.num_rows());
      EXPECT_TRUE(solver.solve(exec, b, x).converged());
      if (process() == owner) {
        EXPECT_NEAR(on_host(x)[0], 0.5, 1e-8);
      }
      solver.update_values(exec, share.values);
      EXPECT_TRUE(solver.solve(exec, b, x).converged());
    }
  }
  // Without offsets there are no rows, either.
  DistributedSolver solver(all_processes());
  solver.setup(exec, {});
  EXPECT_TRUE(solver.solve(exec, zeros(0), zeros(0)).converged());
  EXPECT_TRUE(solver.solve(exec, zeros(0, 0), zeros(0, 0)).converged());
}

/// All rows on one process, and a single row on some, as levels that stay distributed.
TEST(DistributedFaults, SharesMayBeUneven) {
  const SharedProblem whole({.problem = ProblemKind::poisson2d, .n = 20}, 1, 0);
  const int size = num_processes();
  const Space exec;
  for (const int few : {0, 1}) {
    // The first process has what the others leave.
    const int rest = 400 - few * (size - 1);
    const int first = process() == 0 ? 0 : rest + few * (process() - 1);
    const int count = process() == 0 ? rest : few;
    HostShare host;
    for (int i = first; i < first + count; ++i) {
      for (auto e = whole.host.offsets[i]; e < whole.host.offsets[i + 1]; ++e)
        host.push(whole.host.columns[e], whole.host.values[e]);
      host.end_row();
    }
    const Share share(host);
    Parameters p;
    p.gather_rows = 20;
    DistributedSolver solver(all_processes(), p);
    solver.setup(exec, share.rows());
    const Vectors x = zeros(count);
    const auto result = solver.solve(exec, waves(first, count), x);
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    EXPECT_LE(result.iterations, 25);
  }
}

/// The last process's rows are zero but for what couples them to others, or zero throughout.
TEST(DistributedFaults, SharesMayBeSingular) {
  const Space exec;
  for (const bool all_zero : {false, true}) {
    for (const auto kind : {PreconditionerKind::amg, PreconditionerKind::direct,
                            PreconditionerKind::jacobi, PreconditionerKind::automatic}) {
      if (kind == PreconditionerKind::direct && !direct::available()) continue;
      SCOPED_TRACE(all_zero);
      SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 16});
      const bool is_last = process() == num_processes() - 1;
      for (std::size_t e = 0; is_last && e < problem.host.values.size(); ++e) {
        const auto column = problem.host.columns[e];
        const bool is_own = column >= problem.first && column < problem.first + problem.num_rows();
        if (all_zero || is_own) problem.host.values[e] = 0;
      }
      const Share share(problem.host);
      Parameters p;
      p.gather_rows = 30;
      p.solve.preconditioner = kind;
      p.solve.solver.max_iterations = 100;
      DistributedSolver solver(all_processes(), p);
      solver.setup(exec, share.rows());
      const Vectors x = zeros(problem.num_rows());
      const auto result = solver.solve(exec, waves(problem.first, problem.num_rows()), x);
      // The matrix is singular, and b is not in its range.
      EXPECT_FALSE(result.converged()) << result.true_relative_residual;
      const double residual = result.true_relative_residual;
      EXPECT_EQ(all_processes()->maximum_of(residual), residual);
    }
  }
}

}  // namespace tessera::test::faults_test
