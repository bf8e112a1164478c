// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Where incomplete factors that were picked fail at a flow, a reduction takes their place on any
/// number of processes, as it does on one.
#include "distributed/reduction_cases.hpp"
#include "support/notes.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/solve.hpp"

#include <string>

namespace tessera::test::reduction_after_factors_test {

using namespace reduction_cases;

constexpr bool on_host_space = kernels::is_host_space<Space>;

/// The same by central differences, beside which incomplete factors are slow.
WholeRows central_vortex(int n, double peclet) {
  WholeRows made = vortex(n, 0);
  const double h = 1.0 / (n + 1);
  for (int i = 0; i < n * n; ++i) {
    const double x = (i % n + 1) * h, y = (i / n + 1) * h;
    const double u = peclet * 2 * x * (x - 1) * (1 - 2 * y) * h;
    const double v = -peclet * 2 * y * (y - 1) * (1 - 2 * x) * h;
    Row& row = made.rows[static_cast<std::size_t>(i)];
    if (i % n > 0) row[i - 1] -= u;
    if (i % n + 1 < n) row[i + 1] += u;
    if (i >= n) row[i - n] -= v;
    if (i + n < n * n) row[i + n] += v;
  }
  return made;
}

/// Only the coarsening is open, and what smooths. Without sparse factors, which would be sooner.
Parameters open_choices(int restart) {
  Parameters p = reducing();
  p.solve.amg.coarsening = amg::CoarseningKind::automatic;
  p.solve.solver.gmres.restart = restart;
  p.solve.solver.tolerance = 1e-8;
  return p;
}

struct Ended {
  SolveResult result;
  HierarchyInfo hierarchy;
};

/// tessera::Solver's, which knows of no processes.
Ended solved_by_one(const WholeRows& whole, const Parameters& p) {
  const auto n = static_cast<int>(whole.rows.size());
  const Share rows(whole.share({0, n}));
  const Space exec;
  const auto A = distributed::numbered(exec, distributed::alone(), rows.rows()).matrix;
  Solver<double, Space, std::int64_t> solver(p.solve);
  solver.setup(exec, A.rows);
  const Vectors x = zeros(n);
  auto result = solver.solve(exec, waves(0, n), x);
  return {std::move(result), solver.hierarchy()};
}

/// How many iterations were by a reduction, which the notes tell of; none where it did not follow.
int iterations_by_reduction(const SolveResult& result, const HierarchyInfo& hierarchy) {
  const std::string begin = "coarsening reduction: after ";
  for (const std::string& note : hierarchy.notes)
    if (note.starts_with(begin) && note.ends_with(" more than 200 further ones were estimated"))
      return result.iterations - std::stoi(note.substr(begin.size()));
  return 0;
}

/// So short a restart leaves incomplete factors too many iterations on a vortex, unless shares are
/// small, and a reduction few.
TEST(DistributedReduction, FollowsOnFactorsAsOnOneProcess) {
  if (!on_host_space) GTEST_SKIP() << "incomplete factors are picked on hosts";
  if (num_processes() > 4) GTEST_SKIP() << "factors of smaller shares hold";
  const WholeRows whole = central_vortex(60, 1000);
  const Parameters p = open_choices(2);
  const Ended by_one = solved_by_one(whole, p);
  ASSERT_TRUE(by_one.result.converged()) << to_string(by_one.result.status);
  const int expected = iterations_by_reduction(by_one.result, by_one.hierarchy);
  ASSERT_GT(expected, 0);
  ::testing::Test::RecordProperty("iterations of one", by_one.result.iterations);
  for (const ShareOf share : all_shares) {
    const Solved together = solved_rows(all_processes(), whole, share, p);
    ASSERT_TRUE(together.result.converged()) << to_string(together.result.status);
    EXPECT_EQ(together.hierarchy.levels.front().smoother, "polynomial on fine points");
    EXPECT_NEAR(iterations_by_reduction(together.result, together.hierarchy), expected, 1);
  }
}

/// A solve that goes well has none, nor one whose coarsening was named.
TEST(DistributedReduction, FollowsOnNothingElse) {
  const WholeRows whole = vortex(40, 1e6);
  const Parameters p = open_choices(30);
  EXPECT_FALSE(noted(solved_by_one(whole, p).hierarchy, "coarsening reduction"));
  const Solved together = solved_rows(all_processes(), whole, odd_share, p);
  EXPECT_TRUE(together.result.converged()) << to_string(together.result.status);
  EXPECT_FALSE(noted(together.hierarchy, "coarsening reduction"));
  EXPECT_FALSE(noted(together.hierarchy, "smoother jacobi"));
  Parameters named = open_choices(2);
  named.solve.amg.coarsening = amg::CoarseningKind::smoothed_aggregation;
  named.solve.solver.max_iterations = 50;
  const Solved by_name = solved_rows(all_processes(), central_vortex(60, 1000), odd_share, named);
  EXPECT_FALSE(noted(by_name.hierarchy, "coarsening reduction"));
}

}  // namespace tessera::test::reduction_after_factors_test
