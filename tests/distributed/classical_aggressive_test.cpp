// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Aggressive coarsening over processes is that of one process.
#include "distributed/classical_prolongators.hpp"

#include <string>

namespace tessera::test::classical_aggressive_test {

using namespace classical_cases;

TEST(DistributedAggressive, InterpolatesAsOneProcess) {
  for (const GalleryParameters& gallery : gallery_problems()) {
    for (const int paths : {1, 2}) {
      SCOPED_TRACE(std::string(to_string(gallery.problem)) + ", " + std::to_string(paths));
      const WholeRows whole = rows_of(gallery);
      const amg::ClassicalParameters p{.aggressive_levels = 1, .aggressive_paths = paths};
      const Interpolated expected = by_one_process(whole, p);
      EXPECT_GT(expected.num_coarse, 1);
      for (const ShareOf share : all_shares)
        expect_same(whole, p, share, expected);
      expect_same(whole, p, odd_share, expected, true);
    }
  }
}

TEST(DistributedAggressive, InterpolatesAnyRowsAsOneProcess) {
  using enum amg::Interpolation;
  unsigned seed = 80;
  for (const auto interpolation : {extended_i, extended_e}) {
    for (const int entries : {0, 3}) {
      for (const int kind : {0, 1, 2}) {
        SCOPED_TRACE(++seed);
        const int unknowns = kind == 0 ? 1 : 2;
        const WholeRows whole = random_rows(seed, 1600 * unknowns);
        const amg::ClassicalParameters p{
            .max_row_sum = 0.99,
            .interpolation = interpolation,
            .max_row_entries = entries,
            .aggressive_levels = 1,
            .systems = kind == 2 ? amg::SystemSplitting::unknowns : amg::SystemSplitting::nodes};
        const Interpolated expected = by_one_process(whole, p, unknowns);
        EXPECT_GT(expected.num_coarse, unknowns);
        for (const ShareOf share : all_shares)
          expect_same(whole, p, share, expected, false, unknowns);
      }
    }
  }
}

Parameters aggressive(const GalleryParameters& gallery, int levels) {
  Parameters p = classical(gallery);
  p.solve.amg.classical.aggressive_levels = levels;
  return p;
}

/// The same levels and iterations where the first levels alone are coarsened twice, and where
/// others below the gathered one are.
TEST(DistributedAggressive, TakesTheIterationsOfOneProcess) {
  for (const GalleryParameters& gallery : gallery_problems()) {
    for (const int levels : {1, 3}) {
      SCOPED_TRACE(std::string(to_string(gallery.problem)) + ", " + std::to_string(levels));
      Parameters p = aggressive(gallery, levels);
      p.solve.amg.coarse_size = 10;  // more than one gathered level
      p.gather_rows = 1000000;
      const Solved whole = solved_by(distributed::alone(), gallery, odd_share, p);
      p.gather_rows = levels == 1 ? 200 : 30;
      const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
      ASSERT_TRUE(alone.result.converged()) << to_string(alone.result.status);
      RecordProperty(std::string(to_string(gallery.problem)) + std::to_string(levels),
                     alone.result.iterations);
      EXPECT_GE(alone.hierarchy.levels.size(), 2U);
      const auto whole_rows = level_rows_of(whole.hierarchy);
      const auto rows = level_rows_of(alone.hierarchy);
      for (std::size_t l = 0; l < std::min(rows.size(), whole_rows.size()); ++l)
        EXPECT_EQ(rows[l], whole_rows[l]) << l;
      if (gallery.problem != ProblemKind::convdiff2d) {
        EXPECT_LE(std::abs(alone.result.iterations - whole.result.iterations), 1);
      }
      for (const ShareOf share : all_shares) {
        const Solved together = solved_by(all_processes(), gallery, share, p);
        ASSERT_TRUE(together.result.converged()) << to_string(together.result.status);
        EXPECT_EQ(together.result.iterations, alone.result.iterations);
        if (process() != 0) continue;  // gathered levels are process 0's
        EXPECT_EQ(level_rows_of(together.hierarchy), rows);
      }
    }
  }
}

/// Several unknowns per node, split twice.
TEST(DistributedAggressive, TakesSystems) {
  const GalleryParameters gallery{.problem = ProblemKind::elasticity2d, .n = 24};
  Parameters p = aggressive(gallery, 1);
  p.block_size = 2;
  p.solve.amg.smoother.type = SmootherType::l1_jacobi;
  p.solve.amg.classical.strength_threshold = 0.5;
  for (const auto& systems : amg::system_splitting_names) {
    SCOPED_TRACE(systems.name);
    p.solve.amg.classical.systems = systems.value;
    const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
    ASSERT_TRUE(alone.result.converged()) << to_string(alone.result.status);
    for (const ShareOf share : all_shares) {
      const Solved together = solved_by(all_processes(), gallery, share, p);
      EXPECT_EQ(together.result.iterations, alone.result.iterations);
      EXPECT_EQ(level_rows_of(together.hierarchy), level_rows_of(alone.hierarchy));
    }
  }
}

TEST(DistributedAggressive, TakesNewValues) {
  const GalleryParameters gallery{.problem = ProblemKind::unstructured3d, .n = 12};
  expect_a_third_by_new_values(gallery, aggressive(gallery, 1),
                               {amg::Reuse::symbolic, amg::Reuse::interpolation});
}

TEST(DistributedAggressive, HasTheBitsOfOneProcess) {
  for (const ProblemKind kind : {ProblemKind::poisson3d, ProblemKind::unstructured3d}) {
    SCOPED_TRACE(to_string(kind));
    const GalleryParameters gallery{.problem = kind, .n = 12};
    Parameters p = aggressive(gallery, 1);
    p.reproducible = true;
    expect_bits_of_one_process(gallery, p);
  }
}

/// Direct interpolation does not reach the coarse points of a second splitting.
TEST(DistributedAggressive, NeedsReach) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 20};
  Parameters p = aggressive(gallery, 1);
  p.solve.amg.classical.interpolation = amg::Interpolation::direct;
  EXPECT_NE(message_of(ErrorKind::configuration,
                       [&] { solved_by(all_processes(), gallery, odd_share, p); })
                .find("does not reach as far"),
            std::string::npos);
}

}  // namespace tessera::test::classical_aggressive_test
