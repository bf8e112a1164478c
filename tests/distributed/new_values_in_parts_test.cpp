// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// New values of rows in two parts: in the arrays of before and in others.
#include "distributed/shares_in_parts.hpp"

#include <limits>
#include <string>

namespace tessera::test::new_values_in_parts_test {

using distributed::Parameters;

constexpr amg::Reuse kinds_of_reuse[] = {amg::Reuse::none, amg::Reuse::symbolic,
                                         amg::Reuse::interpolation, amg::Reuse::hierarchy};

/// New values in the arrays of before, by each kind of reuse: as a solver that begins with them.
TEST(NewValuesInParts, TakeNewValuesInPlace) {
  const GalleryParameters gallery{.problem = ProblemKind::convdiff2d, .n = 40};
  const SharedProblem problem(gallery);
  const Space exec;
  const auto b = waves(problem.first, problem.num_rows());
  for (const RowOrder order : row_orders) {
    for (const auto reuse : kinds_of_reuse) {
      SCOPED_TRACE(std::to_string(static_cast<int>(order)) + " " +
                   std::to_string(static_cast<int>(reuse)));
      Parameters p = accurate_solve(gallery);
      p.solve.amg.reuse = reuse;
      const SharedParts parts(problem.host, problem.first, order);
      DistributedSolver solver(all_processes(), p);
      solver.setup_parts(exec, parts.rows);
      const Vectors x = zeros(problem.num_rows());
      ASSERT_TRUE(solver.solve(exec, b, x).converged());
      auto quarter = on_host(x);
      for (double& entry : quarter)
        entry /= 4;
      parts.scale(4);
      EXPECT_TRUE(solver.has_pattern(exec, parts.rows));
      solver.update_parts(exec, parts.rows);
      Kokkos::deep_copy(x, 0.0);
      const auto result = solver.solve(exec, b, x);
      ASSERT_TRUE(result.converged());
      expect_close(on_host(x), quarter);
      if (reuse != amg::Reuse::none && reuse != amg::Reuse::symbolic) continue;
      DistributedSolver fresh(all_processes(), p);
      fresh.setup_parts(exec, parts.rows);
      const Vectors y = zeros(problem.num_rows());
      EXPECT_EQ(fresh.solve(exec, b, y).iterations, result.iterations);
      EXPECT_EQ(on_host(y), on_host(x));
    }
  }
}

/// Nothing is read any more of arrays that an update has taken others for.
TEST(NewValuesInParts, LetGoOfTheArraysOfBefore) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 40};
  const SharedProblem problem(gallery);
  const Space exec;
  const auto b = waves(problem.first, problem.num_rows());
  for (const RowOrder order : row_orders) {
    for (const auto reuse : kinds_of_reuse) {
      Parameters p = accurate_solve(gallery);
      p.solve.amg.reuse = reuse;
      DistributedSolver solver(all_processes(), p);
      const SharedParts first(problem.host, problem.first, order);
      solver.setup_parts(exec, first.rows);
      const SharedParts second(problem.host, problem.first, order);
      solver.update_parts(exec, second.rows);
      // Of rows that are read still, every product is not a number.
      for (const auto* part : {&first.own, &first.ghost})
        Kokkos::deep_copy(part->values, std::numeric_limits<double>::quiet_NaN());
      const Vectors x = zeros(problem.num_rows());
      EXPECT_TRUE(solver.solve(exec, b, x).converged());
      // Once more from what is left.
      solver.update_parts(exec, second.rows);
      const Vectors again = zeros(problem.num_rows());
      solver.solve(exec, b, again);
      EXPECT_EQ(on_host(again), on_host(x));
    }
  }
}

/// Below a limit of memory all processes fail, or none does.
TEST(NewValuesInParts, KeepToALimitOfMemory) {
  const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 60});
  const SharedParts parts(problem.host, problem.first, RowOrder::diagonal_first);
  Parameters p;
  p.gather_rows = 200;
  p.solve.max_memory_mb = 1e-3;
  DistributedSolver small(all_processes(), p);
  EXPECT_EQ(error_of([&] { small.setup_parts(Space(), parts.rows); })->kind(),
            ErrorKind::out_of_memory);
  p.solve.max_memory_mb = 500;
  DistributedSolver large(all_processes(), p);
  large.setup_parts(Space(), parts.rows);
  large.update_parts(Space(), parts.rows);
  const Vectors x = zeros(problem.num_rows());
  EXPECT_TRUE(large.solve(Space(), waves(problem.first, problem.num_rows()), x).converged());
}

}  // namespace tessera::test::new_values_in_parts_test
