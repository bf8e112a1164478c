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
      const std::string name = std::string(to_string(gallery.problem)) + std::to_string(levels);
      SCOPED_TRACE(name);
      Parameters p = aggressive(gallery, levels);
      p.solve.amg.coarse_size = 10;  // more than one gathered level
      p.gather_rows = levels == 1 ? 200 : 30;
      const int more = expect_iterations_of_one(gallery, p, name);
      if (gallery.problem != ProblemKind::convdiff2d) {
        EXPECT_LE(std::abs(more), 1);
      }
    }
  }
}

/// Several unknowns per node, split twice.
TEST(DistributedAggressive, TakesSystems) { expect_iterations_of_one_on_nodes(aggressive({}, 1)); }

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
