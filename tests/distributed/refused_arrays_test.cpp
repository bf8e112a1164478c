// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One process has no memory for one array: all end with an error of kind out_of_memory, none waits
/// for another, and the solver is of use afterwards. The test program's limit of time makes a hang
/// a failure.
#include "distributed/shares.hpp"
#include "support/refused_array.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace tessera::test::refused_arrays_test {

using distributed::Parameters;

/// A system, a solver for it, and how it is asked to solve.
struct Task {
  SharedProblem problem;
  Share rows;
  Vectors vectors, b;
  Parameters parameters;

  Task(const GalleryParameters& gallery, const Parameters& p, int columns, bool gives_vectors)
      : problem(gallery),
        rows(problem.host),
        vectors(gives_vectors ? problem.near_nullspace() : Vectors()),
        b(waves(problem.first, problem.num_rows(), columns)),
        parameters(p) {}

  Vectors guess() const { return zeros(problem.num_rows(), static_cast<int>(b.extent(1))); }
  void set_up(DistributedSolver& solver) const { solver.setup(Space(), rows.rows(), vectors); }
};

/// Refuses arrays of `culprit`'s, `points` of all, of a setup and then of a solve.
void expect_errors(const Task& task, int culprit, long points) {
  const Space exec;
  const bool is_culprit = process() == culprit;
  // The same on all.
  const auto told = [](long count) {
    return static_cast<long>(all_processes()->maximum_of(static_cast<double>(count)));
  };
  long of_setup = 0, of_solve = 0;
  {
    DistributedSolver solver(all_processes(), task.parameters);
    RefusedArray<Space> none(0);
    task.set_up(solver);
    of_setup = told(is_culprit ? none.count() : 0);
    const Vectors x = task.guess();
    ASSERT_TRUE(solver.solve(exec, task.b, x).converged());
    of_solve = told(is_culprit ? none.count() : 0) - of_setup;
  }
  ASSERT_GT(of_setup, points);
  ASSERT_GT(of_solve, 0);
  DistributedSolver solver(all_processes(), task.parameters);
  for (long i = 0; i < points; ++i) {
    const long number = 1 + (i * of_setup + i % 7 * (of_setup / points) / 7) / points;
    std::optional<Error> error;
    std::string label;
    {
      const RefusedArray<Space> refused(is_culprit ? number : 0);
      error = error_of([&] { task.set_up(solver); });
      label = refused.label();
    }
    expect_out_of_memory(error, "setup, array " + std::to_string(number) + ' ' + label);
  }
  for (long i = 0; i < std::min(points, of_solve); ++i) {
    const long number = 1 + i * of_solve / std::min(points, of_solve);
    task.set_up(solver);
    const Vectors x = task.guess();
    std::optional<Error> error;
    std::string label;
    {
      const RefusedArray<Space> refused(is_culprit ? number : 0);
      error = error_of([&] { solver.solve(exec, task.b, x); });
      label = refused.label();
    }
    expect_out_of_memory(error, "solve, array " + std::to_string(number) + ' ' + label);
    const Vectors again = task.guess();
    EXPECT_TRUE(solver.solve(exec, task.b, again).converged()) << number;
  }
}

Parameters aggregating() {
  Parameters p;
  p.solve.preconditioner = PreconditionerKind::amg;
  p.solve.amg.coarsening = amg::CoarseningKind::smoothed_aggregation;
  p.solve.amg.pool_memory = false;
  p.gather_rows = 60;
  return p;
}

class DistributedRefusedArrays : public ::testing::Test {
 protected:
  void SetUp() override {
    if (num_processes() == 1) GTEST_SKIP() << "one process passes on what an allocation throws";
  }
  static int last() { return num_processes() - 1; }
};

TEST_F(DistributedRefusedArrays, EndAllOfAnAggregation) {
  const Task task({.problem = ProblemKind::poisson2d, .n = 24}, aggregating(), 1, false);
  expect_errors(task, 0, 24);
  expect_errors(task, last(), 24);
}

TEST_F(DistributedRefusedArrays, EndAllOfAnUnstructuredOne) {
  Parameters p = aggregating();
  p.solve.solver.name = SolverName::fgmres;
  const Task task({.problem = ProblemKind::unstructured3d, .n = 8}, p, 2, false);
  expect_errors(task, last(), 24);
}

TEST_F(DistributedRefusedArrays, EndAllOfStiffness) {
  Parameters p = aggregating();
  p.block_size = 3;
  p.solve.solver.name = SolverName::bicgstab;
  const Task task({.problem = ProblemKind::elasticity3d, .n = 5}, p, 1, true);
  expect_errors(task, 0, 16);
}

TEST_F(DistributedRefusedArrays, EndAllOfAFlow) {
  Parameters p = aggregating();
  p.solve.amg.smoother.type = SmootherType::gauss_seidel;
  const Task task({.problem = ProblemKind::convdiff2d, .n = 20}, p, 1, false);
  expect_errors(task, last(), 16);
}

}  // namespace tessera::test::refused_arrays_test
