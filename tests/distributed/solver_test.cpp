// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves by several processes against those by one.
#include "distributed/shares.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace tessera::test::solver_test {

using distributed::Parameters;

struct Solved {
  SolveResult result;
  Vectors x;
  std::int64_t first = 0;
  Parameters parameters;
  HierarchyInfo hierarchy;
};

Solved solved_by(const std::shared_ptr<const distributed::Communicator>& processes,
                 const GalleryParameters& gallery, const Parameters& parameters, int columns = 1) {
  const SharedProblem problem(gallery, processes->size(), processes->rank());
  const Share share(problem.host);
  DistributedSolver solver(processes, parameters);
  const Space exec;
  solver.setup(exec, share.rows(), problem.near_nullspace());
  const Vectors x = zeros(problem.num_rows(), columns);
  const auto b =
      problem.own.singular ? problem.b() : waves(problem.first, problem.num_rows(), columns);
  auto result = solver.solve(exec, b, x);
  return {std::move(result), x, problem.first, solver.parameters(), solver.hierarchy()};
}

struct Case {
  ProblemKind kind;
  int n;
  double peclet = 100;
};

Parameters accurate(const GalleryParameters& gallery) {
  Parameters p;
  p.gather_rows = 200;
  p.solve.solver.tolerance = 1e-12;
  if (gallery.problem == ProblemKind::elasticity3d) p.block_size = 3;
  relax_all_rows(p, gallery);
  return p;
}

/// The solution is that of one process to 1e-10, in as many iterations.
TEST(DistributedSolver, SolvesAsOneProcess) {
  for (const Case& c : {Case{ProblemKind::poisson2d, 60}, Case{ProblemKind::poisson3d, 16},
                        Case{ProblemKind::elasticity3d, 7}, Case{ProblemKind::convdiff2d, 50},
                        Case{ProblemKind::anisotropic2d, 40}}) {
    const GalleryParameters gallery{.problem = c.kind, .n = c.n, .peclet = c.peclet};
    SCOPED_TRACE(to_string(c.kind));
    const Parameters parameters = accurate(gallery);
    const Solved alone = solved_by(distributed::alone(), gallery, parameters);
    const Solved together = solved_by(all_processes(), gallery, parameters);
    ASSERT_TRUE(alone.result.converged());
    ASSERT_TRUE(together.result.converged()) << to_string(together.result.status);
    EXPECT_LE(together.result.true_relative_residual, 1e-12);
    EXPECT_LT(distance(together.x, together.first, on_host(alone.x)), 1e-10);
    EXPECT_EQ(together.result.iterations, alone.result.iterations);
    RecordProperty(std::string(to_string(c.kind)) + "_alone", alone.result.iterations);
    RecordProperty(std::string(to_string(c.kind)) + "_together", together.result.iterations);
    EXPECT_GE(together.hierarchy.levels.size(), 2U);
    const bool is_cg = together.parameters.solve.solver.name == SolverName::cg;
    EXPECT_EQ(is_cg, c.kind != ProblemKind::convdiff2d);
  }
}

TEST(DistributedSolver, HasItsMethodsAndPreconditioners) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 30};
  const Solved alone = solved_by(distributed::alone(), gallery, accurate(gallery), 3);
  for (const auto method :
       {SolverName::cg, SolverName::bicgstab, SolverName::gmres, SolverName::fgmres}) {
    for (const auto kind :
         {PreconditionerKind::amg, PreconditionerKind::ilu, PreconditionerKind::block_jacobi,
          PreconditionerKind::jacobi, PreconditionerKind::none}) {
      SCOPED_TRACE(static_cast<int>(method));
      SCOPED_TRACE(static_cast<int>(kind));
      Parameters p = accurate(gallery);
      p.solve.solver.name = method;
      p.solve.preconditioner = kind;
      const Solved made = solved_by(all_processes(), gallery, p, 3);
      ASSERT_TRUE(made.result.converged()) << to_string(made.result.status);
      ASSERT_EQ(made.result.columns.size(), 3U);
      const auto whole = on_host(alone.x);
      for (int j = 0; j < 3; ++j) {
        const Vectors column("column", made.x.extent(0), 1);
        Kokkos::deep_copy(Kokkos::subview(column, Kokkos::ALL, 0),
                          Kokkos::subview(made.x, Kokkos::ALL, j));
        const std::vector<double> expected(whole.begin() + 900 * j, whole.begin() + 900 * (j + 1));
        EXPECT_LT(distance(column, made.first, expected), 1e-9);
      }
      EXPECT_EQ(made.result.residual_history.size(),
                static_cast<std::size_t>(made.result.iterations) + 1);
    }
  }
}

/// What cycles by several processes have.
TEST(DistributedSolver, HasTheCyclesChoices) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson3d, .n = 14};
  const auto iterations = [&](const auto& change) {
    Parameters p;
    p.gather_rows = 100;
    change(p.solve);
    const Solved made = solved_by(all_processes(), gallery, p);
    EXPECT_TRUE(made.result.converged()) << to_string(made.result.status);
    return made.result.iterations;
  };
  EXPECT_LE(iterations([](SolveParameters&) {}), 20);
  EXPECT_LE(iterations([](SolveParameters& p) { p.precision = Precision::single; }), 20);
  EXPECT_LE(iterations([](SolveParameters& p) { p.amg.cycle = amg::CycleType::w; }), 20);
  EXPECT_LE(iterations([](SolveParameters& p) { p.amg.smoother.type = SmootherType::chebyshev; }),
            20);
  EXPECT_LE(iterations([](SolveParameters& p) { p.amg.storage.scalar = StorageScalar::half; }), 25);
}

/// New values by each kind of reuse, and rows in an order of their own.
TEST(DistributedSolver, TakesNewValues) {
  const GalleryParameters gallery{.problem = ProblemKind::convdiff2d, .n = 40};
  const Space exec;
  SharedProblem problem(gallery);
  for (int i = 0; i < problem.num_rows(); ++i) {
    std::reverse(problem.host.columns.begin() + problem.host.offsets[i],
                 problem.host.columns.begin() + problem.host.offsets[i + 1]);
    std::reverse(problem.host.values.begin() + problem.host.offsets[i],
                 problem.host.values.begin() + problem.host.offsets[i + 1]);
  }
  const Share share(problem.host);
  auto values = problem.host.values;
  for (double& value : values)
    value *= 4;
  const auto scaled = on_device(values);
  const auto b = waves(problem.first, problem.num_rows());
  const Solved expected = solved_by(distributed::alone(), gallery, accurate(gallery));
  auto quarter = on_host(expected.x);
  for (double& entry : quarter)
    entry /= 4;
  for (const auto reuse :
       {amg::Reuse::none, amg::Reuse::symbolic, amg::Reuse::interpolation, amg::Reuse::hierarchy}) {
    SCOPED_TRACE(static_cast<int>(reuse));
    Parameters p = accurate(gallery);
    p.solve.amg.reuse = reuse;
    DistributedSolver solver(all_processes(), p);
    solver.setup(exec, share.rows());
    const Vectors x = zeros(problem.num_rows());
    ASSERT_TRUE(solver.solve(exec, b, x).converged());
    EXPECT_LT(distance(x, problem.first, on_host(expected.x)), 1e-10);
    solver.update_values(exec, scaled);
    ASSERT_TRUE(solver.solve(exec, b, x).converged());
    EXPECT_LT(distance(x, problem.first, quarter), 1e-10);
  }
}

TEST(DistributedSolver, ProjectsTheConstantOut) {
  const GalleryParameters gallery{.problem = ProblemKind::neumann2d, .n = 40};
  Parameters p;
  p.gather_rows = 200;
  const Solved made = solved_by(all_processes(), gallery, p);
  EXPECT_TRUE(made.result.converged()) << to_string(made.result.status);
  EXPECT_EQ(made.parameters.solve.solver.nullspace, NullspaceKind::constant);
  // Another right-hand side has no solution, and least squares are what is left.
  const SharedProblem problem(gallery);
  const Share share(problem.host);
  DistributedSolver solver(all_processes(), p);
  solver.setup(Space(), share.rows());
  const Vectors b("b", problem.num_rows(), 1);
  Kokkos::deep_copy(b, problem.b());
  const auto host = on_host(b);
  const auto shifted = on_device([&] {
    auto entries = host;
    for (double& entry : entries)
      entry += 1;
    return entries;
  }());
  const Vectors x = zeros(problem.num_rows());
  const auto result = solver.solve(Space(), as_multivector(shifted), x);
  EXPECT_EQ(result.status, SolveStatus::least_squares);
  EXPECT_GT(result.outside_range, 0);
}

/// Ends that are no solutions are the same on all processes, too.
TEST(DistributedSolver, EndsAsOneProcessDoes) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 30};
  Parameters p;
  p.gather_rows = 100;
  p.solve.solver.max_iterations = 2;
  EXPECT_EQ(solved_by(all_processes(), gallery, p).result.status, SolveStatus::max_iterations);
  EXPECT_EQ(solved_by(all_processes(), gallery, p).result.iterations, 2);
  p = {};
  p.solve.preconditioner = PreconditionerKind::none;
  p.solve.solver.tolerance = 0;
  p.solve.solver.max_iterations = 100000000;
  p.solve.solver.time_limit_s = 0.05;
  p.solve.solver.verify = true;
  const auto late = solved_by(all_processes(), gallery, p).result.status;
  EXPECT_TRUE(late == SolveStatus::time_limit || late == SolveStatus::stagnated) << to_string(late);

  const SharedProblem problem(gallery);
  const Share share(problem.host);
  const Space exec;
  DistributedSolver solver(all_processes());
  solver.setup(exec, share.rows());
  const Vectors x = zeros(problem.num_rows());
  // Zero, of any magnitude, not a number.
  auto result = solver.solve(exec, zeros(problem.num_rows()), x);
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.iterations, 0);
  const auto plain = solver.solve(exec, waves(problem.first, problem.num_rows()), x);
  EXPECT_TRUE(plain.converged());
  for (const double magnitude : {1e-200, 1e-30, 1e200}) {
    const Vectors b = waves(problem.first, problem.num_rows());
    const Vectors tiny = zeros(problem.num_rows());
    const auto scaled = on_device([&] {
      auto entries = on_host(b);
      for (double& entry : entries)
        entry *= magnitude;
      return entries;
    }());
    result = solver.solve(exec, as_multivector(scaled), tiny);
    EXPECT_TRUE(result.converged()) << magnitude << ' ' << to_string(result.status);
    EXPECT_EQ(result.iterations, plain.iterations) << magnitude;
    auto expected = on_host(x);
    auto found = on_host(tiny);
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(found[i] / magnitude, expected[i], 1e-6);
  }
  const Vectors b = waves(problem.first, problem.num_rows());
  if (process() == num_processes() - 1)
    Kokkos::deep_copy(Kokkos::subview(b, 0, 0), std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(solver.solve(exec, b, x).status, SolveStatus::not_a_number);

  // One process's logger stops all.
  int logged = 0;
  solver.set_logger([&](const IterationInfo& info) {
    ++logged;
    return process() != num_processes() - 1 || info.iteration < 2;
  });
  Kokkos::deep_copy(x, 0.0);
  result = solver.solve(exec, waves(problem.first, problem.num_rows()), x);
  EXPECT_EQ(result.status, SolveStatus::interrupted);
  EXPECT_EQ(result.iterations, 3);
  EXPECT_EQ(logged, 4);
}

/// A level that is gathered goes to the first process and comes back from it; one that is not has
/// messages of neighbours.
TEST(DistributedSolver, CountsWhatACycleSends) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 30};
  const SharedProblem problem(gallery);
  const Share share(problem.host);
  const Space exec;
  Parameters p;
  DistributedSolver gathered(all_processes(), p);
  expect_error(error_of([&] { gathered.cycle_traffic(exec); }), ErrorKind::precondition, {});
  gathered.setup(exec, share.rows());
  const auto once = gathered.cycle_traffic(exec);
  const std::int64_t elsewhere = 900 - odd_share(900, num_processes(), 0).count;
  EXPECT_EQ(once.messages, 2 * (num_processes() - 1));
  EXPECT_EQ(once.bytes, 2 * 8 * elsewhere);
  p.gather_rows = 200;
  DistributedSolver solver(all_processes(), p);
  solver.setup(exec, share.rows());
  const auto cycle = solver.cycle_traffic(exec);
  if (num_processes() == 1) {
    EXPECT_EQ(cycle.messages, 0);
    EXPECT_EQ(cycle.bytes, 0);
  } else {
    EXPECT_GT(cycle.messages, once.messages);
    EXPECT_EQ(cycle.bytes % 8, 0);
  }
  EXPECT_EQ(solver.cycle_traffic(exec).bytes, cycle.bytes);
}

/// An indefinite matrix, which the conjugate gradients that were picked break down of: with a
/// positive diagonal, A = 1 + couplings of 2 along a ring.
TEST(DistributedSolver, GoesOnAfterABreakdown) {
  const int n = 12;
  HostShare host;
  const std::int64_t all = static_cast<std::int64_t>(n) * num_processes();
  const std::int64_t first = static_cast<std::int64_t>(n) * process();
  for (std::int64_t i = first; i < first + n; ++i) {
    host.push((i + all - 1) % all, 2);
    host.push(i, 1);
    host.push((i + 1) % all, 2);
    host.end_row();
  }
  const Share share(host);
  Parameters p;
  p.solve.preconditioner = PreconditionerKind::jacobi;
  p.solve.solver.gmres.restart = 200;
  DistributedSolver solver(all_processes(), p);
  const Space exec;
  solver.setup(exec, share.rows());
  EXPECT_EQ(solver.parameters().solve.solver.name, SolverName::cg);
  const Vectors x = zeros(n);
  const auto result = solver.solve(exec, waves(first, n), x);
  EXPECT_TRUE(result.converged()) << to_string(result.status);
  EXPECT_EQ(solver.parameters().solve.solver.name, SolverName::fgmres);
}

}  // namespace tessera::test::solver_test
