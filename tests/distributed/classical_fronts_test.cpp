// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Fronts that advance over the points of all processes split them as one process does.
#include "distributed/classical_prolongators.hpp"
#include "tessera/distributed/counting_communicator.hpp"
#include "tessera/distributed/point_splitting.hpp"

#include <string>

namespace tessera::test::classical_fronts_test {

using namespace classical_cases;

constexpr auto fronts = amg::PointSplitting::advancing_front;

Parameters by_fronts(const GalleryParameters& gallery = {}) {
  Parameters p = classical(gallery);
  p.solve.amg.classical.splitting = fronts;
  return p;
}

TEST(DistributedFronts, SplitAsOneProcess) {
  for (const GalleryParameters& gallery : gallery_problems()) {
    for (const int levels : {0, 1}) {
      SCOPED_TRACE(std::string(to_string(gallery.problem)) + ", " + std::to_string(levels));
      const WholeRows whole = rows_of(gallery);
      const amg::ClassicalParameters p{.splitting = fronts, .aggressive_levels = levels};
      const Interpolated expected = by_one_process(whole, p);
      EXPECT_GT(expected.num_coarse, 1);
      for (const ShareOf share : all_shares)
        expect_same(whole, p, share, expected);
      expect_same(whole, p, odd_share, expected, true);
    }
  }
}

/// Rows that stay, a hub, and dependences in one direction alone.
TEST(DistributedFronts, SplitAnyRowsAsOneProcess) {
  unsigned seed = 120;
  for (const auto strong : {amg::StrongCouplings::by_sign, amg::StrongCouplings::by_magnitude}) {
    for (const int levels : {0, 1}) {
      for (const int kind : {0, 1, 2}) {
        SCOPED_TRACE(++seed);
        const int unknowns = kind == 0 ? 1 : 2;
        const WholeRows whole = random_rows(seed, 1600 * unknowns);
        const amg::ClassicalParameters p{
            .strong_couplings = strong,
            .max_row_sum = 0.99,
            .splitting = fronts,
            .aggressive_levels = levels,
            .systems = kind == 2 ? amg::SystemSplitting::unknowns : amg::SystemSplitting::nodes};
        const Interpolated expected = by_one_process(whole, p, unknowns);
        EXPECT_GT(expected.num_coarse, unknowns);
        for (const ShareOf share : all_shares)
          expect_same(whole, p, share, expected, false, unknowns);
      }
    }
  }
}

/// The same levels and iterations where the last levels are one process's, and where all are.
TEST(DistributedFronts, TakeTheIterationsOfOneProcess) {
  for (const GalleryParameters& gallery : gallery_problems()) {
    SCOPED_TRACE(to_string(gallery.problem));
    expect_iterations_of_one(gallery, by_fronts(gallery), std::string(to_string(gallery.problem)));
  }
}

TEST(DistributedFronts, TakeSystems) { expect_iterations_of_one_on_nodes(by_fronts()); }

TEST(DistributedFronts, MoveTheirLevels) {
  const GalleryParameters gallery{.problem = ProblemKind::unstructured3d, .n = 14};
  Parameters p = by_fronts();
  const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
  p.rows_per_process = 300;
  const Solved moved = solved_by(all_processes(), gallery, odd_share, p);
  EXPECT_EQ(moved.result.iterations, alone.result.iterations);
  EXPECT_EQ(level_rows_of(moved.hierarchy), level_rows_of(alone.hierarchy));
}

TEST(DistributedFronts, TakeNewValues) {
  for (const ProblemKind kind : {ProblemKind::unstructured3d, ProblemKind::convdiff2d}) {
    const GalleryParameters gallery{.problem = kind,
                                    .n = kind == ProblemKind::convdiff2d ? 40 : 12};
    SCOPED_TRACE(to_string(kind));
    expect_a_third_by_new_values(
        gallery, by_fronts(gallery),
        {amg::Reuse::symbolic, amg::Reuse::interpolation, amg::Reuse::hierarchy});
  }
}

TEST(DistributedFronts, HaveTheBitsOfOneProcess) {
  for (const ProblemKind kind : {ProblemKind::poisson3d, ProblemKind::unstructured3d}) {
    SCOPED_TRACE(to_string(kind));
    Parameters p = by_fronts();
    p.reproducible = true;
    expect_bits_of_one_process({.problem = kind, .n = 12}, p);
  }
}

/// One row, and fewer rows than processes.
TEST(DistributedFronts, TakeFewRows) {
  for (const int n : {1, 2, 3, 5}) {
    SCOPED_TRACE(n);
    Parameters p = by_fronts();
    p.gather_rows = 1;
    for (const ShareOf share : all_shares)
      EXPECT_TRUE(solved_by(all_processes(), {.problem = ProblemKind::poisson2d, .n = n}, share, p)
                      .result.converged());
  }
}

/// For how many reductions a splitting by all couplings asks: one in each round, two before.
std::int64_t reductions_of(int n, amg::PointSplitting how) {
  const Space exec;
  const auto processes = std::make_shared<const distributed::CountingCommunicator>(all_processes());
  const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = n});
  const Share own(problem.host);
  const auto A = distributed::numbered(exec, processes, own.rows()).matrix;
  const auto points = distributed::node_graph(exec, distributed::level_rows(A, 1), {});
  const Array<std::int8_t, Space> stays("stays", static_cast<std::size_t>(points.num_own()));
  const auto before = processes->counted().reductions;
  distributed::split_points(exec, points, stays, how);
  return processes->counted().reductions - before;
}

/// Seeds double every four rounds, until the widest gaps between fronts are a few points wide.
TEST(DistributedFronts, TakeFewMoreRoundsForManyMorePoints) {
  const auto few = reductions_of(30, fronts);
  const auto many = reductions_of(120, fronts);
  EXPECT_GT(few, reductions_of(30, amg::PointSplitting::pmis));
  EXPECT_LE(many, few + 16);
  EXPECT_LE(many, 50);
}

}  // namespace tessera::test::classical_fronts_test
