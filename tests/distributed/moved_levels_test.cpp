// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Levels that move onto fewer processes: nothing but who has their rows changes.
#include "distributed/shares.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tessera::test::moved_levels_test {

using distributed::Parameters;

Parameters parameters_of(int rows_per_process, int block_size = 0) {
  Parameters p;
  p.gather_rows = 20;
  p.rows_per_process = rows_per_process;
  p.block_size = block_size;
  p.solve.solver.tolerance = 1e-12;
  p.solve.amg.reuse = amg::Reuse::symbolic;
  return p;
}

struct Solved {
  SolveResult result;
  Vectors x;
  SolveResult again;  ///< of other values
  Vectors x_again;
  HierarchyInfo hierarchy;
};

Solved solved_by(const std::shared_ptr<const distributed::Communicator>& processes,
                 const SharedProblem& problem, const Parameters& parameters) {
  const Share share(problem.host);
  const Space exec;
  DistributedSolver solver(processes, parameters);
  solver.setup(exec, share.rows(), problem.near_nullspace());
  Solved made;
  made.x = zeros(problem.num_rows(), 2);
  const auto b = waves(problem.first, problem.num_rows(), 2);
  made.result = solver.solve(exec, b, made.x);
  made.hierarchy = solver.hierarchy();
  std::vector<double> values = problem.host.values;
  for (double& value : values)
    value *= 3;
  solver.update_values(exec, on_device(values));
  made.x_again = zeros(problem.num_rows(), 2);
  made.again = solver.solve(exec, b, made.x_again);
  return made;
}

/// On any number of processes, levels that stay and levels that move on to few or to one.
TEST(MovedLevels, SolveAsThoseThatStay) {
  struct Case {
    ProblemKind kind;
    int n;
    int block_size;
  };
  for (const Case& c :
       {Case{ProblemKind::poisson2d, 60, 1}, Case{ProblemKind::elasticity3d, 6, 3},
        Case{ProblemKind::convdiff2d, 50, 1}, Case{ProblemKind::unstructured3d, 12, 1}}) {
    SCOPED_TRACE(to_string(c.kind));
    const GalleryParameters gallery{.problem = c.kind, .n = c.n};
    const auto parameters = [&](int rows) {
      Parameters p = parameters_of(rows, c.block_size);
      relax_all_rows(p, gallery);
      return p;
    };
    for (const auto share : {odd_share, share_of_pairs, growing_share}) {
      const SharedProblem whole(gallery, 1, 0);
      const SharedProblem problem(gallery, num_processes(), process(), share);
      const Solved alone = solved_by(distributed::alone(), whole, parameters(1));
      for (const int rows : {1, 60, 400, 100000000}) {
        SCOPED_TRACE(rows);
        const Solved made = solved_by(all_processes(), problem, parameters(rows));
        ASSERT_TRUE(made.result.converged()) << to_string(made.result.status);
        EXPECT_EQ(made.result.iterations, alone.result.iterations);
        EXPECT_EQ(made.again.iterations, alone.again.iterations);
        const auto column = [](const Vectors& x, int j) {
          const Vectors copy("column", x.extent(0), 1);
          Kokkos::deep_copy(Kokkos::subview(copy, Kokkos::ALL, 0),
                            Kokkos::subview(x, Kokkos::ALL, j));
          return copy;
        };
        for (int j = 0; j < 2; ++j) {
          EXPECT_LT(distance(column(made.x, j), problem.first, on_host(column(alone.x, j))), 1e-9);
          EXPECT_LT(
              distance(column(made.x_again, j), problem.first, on_host(column(alone.x_again, j))),
              1e-9);
        }
        // Process 0 has all levels.
        if (process() != 0) continue;
        ASSERT_EQ(made.hierarchy.levels.size(), alone.hierarchy.levels.size());
        for (std::size_t l = 0; l < made.hierarchy.levels.size(); ++l) {
          const LevelInfo& level = made.hierarchy.levels[l];
          EXPECT_EQ(level.rows, alone.hierarchy.levels[l].rows) << l;
          EXPECT_EQ(level.entries, alone.hierarchy.levels[l].entries) << l;
          // Of other shares, and of two, one process may have all rows by itself: nothing moves.
          if (share == odd_share && num_processes() > 2 && l > 0 && rows > 1) {
            EXPECT_LE(level.processes, std::max<std::int64_t>(1, level.rows / rows)) << l;
          }
        }
      }
    }
  }
}

/// In float, by other cycles, and with one process that has everything from level 1 on.
TEST(MovedLevels, HaveTheCyclesChoices) {
  const SharedProblem problem(GalleryParameters{.problem = ProblemKind::poisson3d, .n = 14});
  const auto iterations = [&](int rows, const auto& change) {
    Parameters p = parameters_of(rows);
    p.solve.solver.tolerance = 1e-8;
    change(p.solve);
    const Solved made = solved_by(all_processes(), problem, p);
    EXPECT_TRUE(made.result.converged()) << to_string(made.result.status);
    return made.result.iterations;
  };
  for (const auto& change : std::initializer_list<void (*)(SolveParameters&)>{
           [](SolveParameters& p) { p.precision = Precision::single; },
           [](SolveParameters& p) { p.amg.cycle = amg::CycleType::w; },
           [](SolveParameters& p) { p.amg.smoother.type = SmootherType::chebyshev; },
           [](SolveParameters& p) { p.amg.reuse = amg::Reuse::interpolation; }})
    EXPECT_EQ(iterations(100000000, change), iterations(1, change));
}

/// Fewer processes send fewer messages.
TEST(MovedLevels, SaveMessages) {
  if (num_processes() < 4) GTEST_SKIP() << "of few processes, each has few neighbours";
  for (const auto& [kind, n] :
       {std::pair(ProblemKind::poisson3d, 40), std::pair(ProblemKind::unstructured3d, 20)}) {
    const GalleryParameters gallery{.problem = kind, .n = n};
    const SharedProblem problem(gallery, num_processes(), process());
    const Share share(problem.host);
    const Space exec;
    const auto traffic = [&](int rows_per_process) {
      Parameters p;
      p.gather_rows = 50;
      p.rows_per_process = rows_per_process;
      DistributedSolver solver(all_processes(), p);
      solver.setup(exec, share.rows());
      const auto counted = solver.cycle_traffic(exec);
      const std::string name =
          std::string(to_string(kind)) + "_" + std::to_string(rows_per_process);
      RecordProperty(name + "_messages", static_cast<int>(counted.messages));
      RecordProperty(name + "_bytes", static_cast<int>(counted.bytes));
      return counted;
    };
    const auto stay = traffic(1);
    EXPECT_LT(traffic(1000).messages, stay.messages);
    EXPECT_LT(traffic(100000000).messages, stay.messages);
  }
}

}  // namespace tessera::test::moved_levels_test
