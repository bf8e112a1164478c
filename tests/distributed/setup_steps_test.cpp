// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Times of a setup by step on each process.
#include "distributed/shares.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tessera::test::setup_steps_test {

double ms_of(const HierarchyInfo& info, const std::string& step) {
  const auto found = std::ranges::find_if(info.setup_phases_ms,
                                          [&](const auto& entry) { return entry.first == step; });
  return found == info.setup_phases_ms.end() ? -1 : found->second;
}

double sum_of(const HierarchyInfo& info) {
  double sum = 0;
  for (const auto& [step, ms] : info.setup_phases_ms)
    sum += ms;
  return sum;
}

TEST(DistributedSetupSteps, AreTimedWhereThatIsAsked) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson3d, .n = 14};
  const SharedProblem problem(gallery, num_processes(), process());
  const Share share(problem.host);
  const Space exec;
  distributed::Parameters p;
  p.gather_rows = 100;
  p.solve.amg.reuse = amg::Reuse::symbolic;
  {
    DistributedSolver solver(all_processes(), p);
    solver.setup(exec, share.rows());
    EXPECT_TRUE(solver.hierarchy().setup_phases_ms.empty());
  }
  p.solve.amg.measure_phases = true;
  DistributedSolver solver(all_processes(), p);
  solver.setup(exec, share.rows());
  const HierarchyInfo first = solver.hierarchy();
  const char* const everywhere[] = {"analyse",
                                    "spectral radius",
                                    "coarsening",
                                    "interpolation",
                                    "restriction",
                                    "Galerkin product",
                                    "storage, smoothers and coarse solver"};
  EXPECT_EQ(first.setup_phases_ms.front().first, "numbers of rows and columns");
  for (const char* step : everywhere)
    EXPECT_GE(ms_of(first, step), 0) << step;
  EXPECT_GT(sum_of(first), 0);
  EXPECT_LE(sum_of(first), solver.setup_ms());

  // New values number nothing again.
  solver.update_values(exec, share.rows().values);
  const HierarchyInfo again = solver.hierarchy();
  EXPECT_LT(ms_of(again, "numbers of rows and columns"), 0);
  EXPECT_LT(ms_of(again, "coarsening"), 0);
  EXPECT_GE(ms_of(again, "Galerkin product"), 0);
  EXPECT_LE(sum_of(again), solver.setup_ms());
}

}  // namespace tessera::test::setup_steps_test
