// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves with pairwise aggregation over processes are those of one process.
#include "distributed/reduction_cases.hpp"

namespace tessera::test::pairwise_solves_test {

using namespace reduction_cases;

Parameters pairing(const GalleryParameters& gallery, int passes) {
  Parameters p = classical(gallery);
  p.block_size = 0;
  p.solve.solver.tolerance = 1e-8;  // in up to 90 iterations, along which rounding grows
  p.solve.amg.coarsening = amg::CoarseningKind::pairwise;
  p.solve.amg.pairwise.passes = passes;
  p.solve.amg.cycle = amg::CycleType::w;
  return p;
}

/// Levels and iterations are those of one process, also where ties are all that couplings have.
void expect_iterations_of_one(const GalleryParameters& gallery, const Parameters& p) {
  SCOPED_TRACE(name_of(gallery));
  const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
  ASSERT_TRUE(alone.result.converged()) << to_string(alone.result.status);
  ::testing::Test::RecordProperty(name_of(gallery), alone.result.iterations);
  EXPECT_GE(alone.hierarchy.levels.size(), 3U);
  for (const ShareOf share : all_shares)
    expect_equal(solved_by(all_processes(), gallery, share, p), alone);
}

TEST(DistributedPairwise, GivesTheIterationsOfOneProcess) {
  for (const GalleryParameters& gallery : gallery_problems())
    for (const int passes : {1, 2, 3}) {
      SCOPED_TRACE(passes);
      expect_iterations_of_one(gallery, pairing(gallery, passes));
    }
}

/// Where all is gathered levels are those of a solver for one process.
TEST(DistributedPairwise, HasTheFirstLevelOfOneProcess) {
  const GalleryParameters gallery{.problem = ProblemKind::lshape, .order = 2, .refine = 3};
  Parameters p = pairing(gallery, 2);
  const auto spread = level_rows_of(solved_by(all_processes(), gallery, odd_share, p).hierarchy);
  p.gather_rows = 1000000;
  const auto whole = level_rows_of(solved_by(all_processes(), gallery, odd_share, p).hierarchy);
  if (process() != 0) return;  // of levels that are gathered process 0 knows
  ASSERT_GE(std::min(spread.size(), whole.size()), 2U);
  EXPECT_EQ(spread[1], whole[1]);
}

/// V- and F-cycles, levels that go to fewer processes, and cycles in float.
TEST(DistributedPairwise, TakesOtherCycles) {
  const GalleryParameters gallery{.problem = ProblemKind::unstructured2d, .n = 50};
  Parameters p = pairing(gallery, 2);
  for (const auto cycle : {amg::CycleType::v, amg::CycleType::f}) {
    p.solve.amg.cycle = cycle;
    expect_iterations_of_one(gallery, p);
  }
  p.rows_per_process = 300;
  expect_iterations_of_one(gallery, p);
  p.solve.precision = Precision::single;
  expect_equal(solved_by(all_processes(), gallery, odd_share, p),
               solved_by(distributed::alone(), gallery, odd_share, p));
}

TEST(DistributedPairwise, TakesNewValues) {
  for (const auto kind : {ProblemKind::poisson2d, ProblemKind::convdiff2d}) {
    const GalleryParameters gallery{.problem = kind, .n = 30};
    const Parameters p = pairing(gallery, 2);
    expect_a_third_by_new_values(
        gallery, p, {amg::Reuse::symbolic, amg::Reuse::interpolation, amg::Reuse::hierarchy});
  }
}

/// Of another flow in the same pattern: aggregates stay, and operators are those of one process.
TEST(DistributedPairwise, TakesAnotherFlow) {
  const WholeRows before = vortex(30, 10), after = vortex(30, 200);
  for (const auto reuse : {amg::Reuse::symbolic, amg::Reuse::interpolation}) {
    const GalleryParameters flow{.problem = ProblemKind::convdiff2d};
    Parameters p = pairing(flow, 2);
    p.solve.amg.reuse = reuse;
    const Solved alone = solved_again(distributed::alone(), before, after, odd_share, p);
    for (const ShareOf share : all_shares)
      expect_equal(solved_again(all_processes(), before, after, share, p), alone);
  }
}

TEST(DistributedPairwise, HasTheBitsOfOneProcess) {
  for (const auto kind : {ProblemKind::poisson2d, ProblemKind::convdiff2d, ProblemKind::graph})
    for (const auto reuse : {amg::Reuse::none, amg::Reuse::symbolic}) {
      const GalleryParameters gallery{.problem = kind, .n = 30};
      Parameters p = pairing(gallery, 2);
      p.reproducible = true;
      p.solve.amg.reuse = reuse;
      expect_bits_of_one_process(gallery, p);
    }
}

TEST(DistributedPairwise, TakesFewRows) {
  for (const int n : {1, 2, 3, 5})
    for (const int passes : {1, 3}) {
      SCOPED_TRACE(n);
      const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = n};
      Parameters p = pairing(gallery, passes);
      p.gather_rows = 1;
      const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
      for (const ShareOf share : {all_shares[0], all_shares[1], all_shares[2], &one_row_each}) {
        const Solved made = solved_by(all_processes(), gallery, share, p);
        EXPECT_TRUE(made.result.converged());
        EXPECT_EQ(level_rows_of(made.hierarchy), level_rows_of(alone.hierarchy));
      }
    }
}

/// Nothing that is coarse: no rows at all, or none that is coupled to another.
TEST(DistributedPairwise, EndsWhereNothingIsCoarse) {
  const Parameters p = pairing({}, 2);
  EXPECT_TRUE(solved_rows(all_processes(), {}, odd_share, p).result.converged());
  WholeRows diagonal;
  for (int i = 0; i < 300; ++i)
    diagonal.rows.push_back({{i, 1.0 + i % 7}});
  EXPECT_TRUE(solved_rows(all_processes(), diagonal, odd_share, p).result.converged());
}

/// Unknowns one by one, where they are several per node, too; and one vector of the near-nullspace.
TEST(DistributedPairwise, TakesOneUnknownPerNode) {
  const GalleryParameters gallery{.problem = ProblemKind::elasticity2d, .n = 14};
  Parameters p = pairing(gallery, 2);
  expect_equal(solved_by(all_processes(), gallery, odd_share, p),
               solved_by(distributed::alone(), gallery, odd_share, p));
  const SharedProblem problem(gallery);
  const Share rows(problem.host);
  DistributedSolver solver(all_processes(), p);
  const auto why = message_of(ErrorKind::configuration, [&] {
    solver.setup(Space(), rows.rows(), problem.near_nullspace());
  });
  EXPECT_NE(why.find("coarsening = pairwise takes one unknown per node and one near-nullspace "
                     "vector; the matrix has 1 and 3"),
            std::string::npos)
      << why;
}

}  // namespace tessera::test::pairwise_solves_test
