// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Real matrices take as many iterations on several processes as on one.
#include "distributed/shares_in_parts.hpp"
#include "support/notes.hpp"
#include "support/real_systems.hpp"
#include "tessera/kernels/execution/host_space.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace tessera::test::real_matrices_test {

using Communicator = std::shared_ptr<const distributed::Communicator>;

struct Solved {
  SolveResult result;
  HierarchyInfo hierarchy;
};

Solved solved_by(const Communicator& processes, const kernels::Csr<double, HostSpace>& A,
                 SmootherType smoother = SmootherType::automatic,
                 amg::CoarseningKind coarsening = amg::CoarseningKind::automatic,
                 bool in_parts = false) {
  const RowRange range = odd_share(A.num_rows, processes->size(), processes->rank());
  HostShare host;
  for (Ordinal i = range.first; i < range.first + range.count; ++i) {
    for (auto e = A.offsets(i); e < A.offsets(i + 1); ++e)
      host.push(A.columns(e), A.values(e));
    host.end_row();
  }
  const Share share(host);
  distributed::Parameters p;
  p.gather_rows = 100;
  p.block_size = 1;
  p.solve.preconditioner = PreconditionerKind::amg;  // factors would take over on some
  p.solve.amg.smoother.type = smoother;
  p.solve.amg.coarsening = coarsening;
  DistributedSolver solver(processes, p);
  const Space exec;
  const SharedParts parts(host, range.first, RowOrder::diagonal_first);
  if (in_parts)
    solver.setup_parts(exec, parts.rows);
  else
    solver.setup(exec, share.rows());
  auto result = solver.solve(exec, waves(range.first, range.count), zeros(range.count));
  return {std::move(result), solver.hierarchy()};
}

constexpr std::string_view nonsymmetric[] = {"orsreg_1", "pde900", "rdb1250l",
                                             "rdb2048",  "cage8",  "jpwh_991"};

class DistributedRealMatrices : public ::testing::TestWithParam<const char*> {};

void expect_iterations_of_one_process(const std::string& name, amg::CoarseningKind coarsening) {
  const auto A = read_real_matrix(HostSpace(), name);
  // Without symmetry factors within each process would be picked, and depend on the shares.
  const bool is_flow = std::ranges::count(nonsymmetric, std::string_view(name)) > 0;
  const auto smoother = is_flow ? SmootherType::jacobi : SmootherType::automatic;
  const Solved alone = solved_by(distributed::alone(), A, smoother, coarsening);
  const Solved together = solved_by(all_processes(), A, smoother, coarsening);
  ASSERT_TRUE(alone.result.converged()) << to_string(alone.result.status);
  EXPECT_TRUE(together.result.converged()) << to_string(together.result.status);
  EXPECT_EQ(together.result.iterations, alone.result.iterations);
  ASSERT_EQ(together.hierarchy.levels.size(), alone.hierarchy.levels.size());
  for (std::size_t l = 0; l < alone.hierarchy.levels.size(); ++l)
    EXPECT_EQ(together.hierarchy.levels[l].rows, alone.hierarchy.levels[l].rows) << l;
  ::testing::Test::RecordProperty("iterations", alone.result.iterations);
}

TEST_P(DistributedRealMatrices, TakeTheIterationsOfOneProcess) {
  if (const auto why = why_unreadable(GetParam()); !why.empty()) GTEST_SKIP() << why;
  expect_iterations_of_one_process(GetParam(), amg::CoarseningKind::automatic);
}

TEST_P(DistributedRealMatrices, TakeTheIterationsOfOneProcessByClassicalCoarsening) {
  if (const auto why = why_unreadable(GetParam()); !why.empty()) GTEST_SKIP() << why;
  expect_iterations_of_one_process(GetParam(), amg::CoarseningKind::classical);
}

TEST_P(DistributedRealMatrices, TakeTheIterationsOfOneProcessByPairs) {
  if (const auto why = why_unreadable(GetParam()); !why.empty()) GTEST_SKIP() << why;
  if (std::string_view(GetParam()) == "rdb1250l")
    GTEST_SKIP() << "V-cycles of pairs take too many iterations";
  expect_iterations_of_one_process(GetParam(), amg::CoarseningKind::pairwise);
}

/// By the smoother that is picked: within each process factors, or Jacobi where these and a
/// reduction come to nothing.
TEST_P(DistributedRealMatrices, AreSolvedByTheDefaults) {
  if (const auto why = why_unreadable(GetParam()); !why.empty()) GTEST_SKIP() << why;
  for (const bool in_parts : {false, true}) {
    const Solved made =
        solved_by(all_processes(), read_real_matrix(HostSpace(), GetParam()),
                  SmootherType::automatic, amg::CoarseningKind::automatic, in_parts);
    EXPECT_TRUE(made.result.converged()) << to_string(made.result.status);
    if (std::string_view(GetParam()) != "rdb1250l" || !kernels::is_host_space<Space>) continue;
    EXPECT_TRUE(noted(made.hierarchy, "coarsening reduction: "));
    EXPECT_TRUE(noted(made.hierarchy, "coarsening smoothed_aggregation, smoother jacobi: "));
  }
}

/// Factors of one process do on this one. Those of shares are slow, and a reduction follows on
/// them.
TEST(DistributedRealMatrix, LeavesSlowFactorsForAReduction) {
  if (const auto why = why_unreadable("epb0"); !why.empty()) GTEST_SKIP() << why;
  if (!kernels::is_host_space<Space>) GTEST_SKIP() << "incomplete factors are picked on hosts";
  const Solved made = solved_by(all_processes(), read_real_matrix(HostSpace(), "epb0"));
  EXPECT_TRUE(made.result.converged()) << to_string(made.result.status);
  EXPECT_LT(made.result.iterations, 150);
  EXPECT_EQ(noted(made.hierarchy, "coarsening reduction: after "), num_processes() > 1);
  EXPECT_FALSE(noted(made.hierarchy, "smoother jacobi: "));
  ::testing::Test::RecordProperty("iterations", made.result.iterations);
}

INSTANTIATE_TEST_SUITE_P(All, DistributedRealMatrices,
                         ::testing::Values("gr_30_30", "nos3", "Chem97ZtZ", "494_bus", "662_bus",
                                           "685_bus", "1138_bus", "orsreg_1", "pde900", "rdb1250l",
                                           "rdb2048", "cage8", "jpwh_991"));

}  // namespace tessera::test::real_matrices_test
