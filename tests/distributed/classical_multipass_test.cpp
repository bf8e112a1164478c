// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Multipass interpolation over processes is that of one process.
#include "distributed/classical_prolongators.hpp"

#include <string>

namespace tessera::test::classical_multipass_test {

using namespace classical_cases;

constexpr auto multipass = amg::AggressiveInterpolation::multipass;

TEST(DistributedMultipass, InterpolatesAsOneProcess) {
  for (const GalleryParameters& gallery : gallery_problems()) {
    for (const int paths : {1, 2}) {
      SCOPED_TRACE(std::string(to_string(gallery.problem)) + ", " + std::to_string(paths));
      const WholeRows whole = rows_of(gallery);
      const amg::ClassicalParameters p{
          .aggressive_levels = 1, .aggressive_interpolation = multipass, .aggressive_paths = paths};
      const Interpolated expected = by_one_process(whole, p);
      EXPECT_GT(expected.num_coarse, 1);
      for (const ShareOf share : all_shares)
        expect_same(whole, p, share, expected);
      expect_same(whole, p, odd_share, expected, true);
    }
  }
}

/// Also where another interpolation is set that would not reach that far.
TEST(DistributedMultipass, InterpolatesAnyRowsAsOneProcess) {
  using enum amg::Interpolation;
  unsigned seed = 120;
  for (const auto interpolation : {direct, extended_i}) {
    for (const int entries : {0, 3}) {
      for (const int unknowns : {1, 2}) {
        SCOPED_TRACE(++seed);
        const WholeRows whole = random_rows(seed, 1600 * unknowns);
        const amg::ClassicalParameters p{.max_row_sum = 0.99,
                                         .interpolation = interpolation,
                                         .max_row_entries = entries,
                                         .aggressive_levels = 1,
                                         .aggressive_interpolation = multipass};
        const Interpolated expected = by_one_process(whole, p, unknowns);
        EXPECT_GT(expected.num_coarse, unknowns);
        for (const ShareOf share : all_shares)
          expect_same(whole, p, share, expected, false, unknowns);
      }
    }
  }
}

/// Pairs, whose points are all in the first two passes, and behind them a chain, each point of
/// which depends on the one before it: some processes have points for fewer passes than others.
TEST(DistributedMultipass, TakesAsManyPassesAsAnyProcess) {
  constexpr int n = 240;
  WholeRows whole;
  for (int i = 0; i < n; ++i) {
    const int other = i < n / 2 ? i / 2 * 2 + (i + 1) % 2 : i - 1;
    Row& row = whole.rows.emplace_back();
    row[i] = 1;
    row[other] = -1 + 0.001 * i;
  }
  const amg::ClassicalParameters p{.max_row_sum = 1,
                                   .aggressive_levels = 1,
                                   .aggressive_interpolation = multipass,
                                   .aggressive_paths = 1};
  const Interpolated expected = by_one_process(whole, p);
  for (const ShareOf share : all_shares)
    expect_same(whole, p, share, expected);
}

Parameters by_passes(const GalleryParameters& gallery, int levels) {
  Parameters p = classical(gallery);
  p.solve.amg.classical.aggressive_levels = levels;
  p.solve.amg.classical.aggressive_interpolation = multipass;
  return p;
}

/// The same levels and iterations where the first levels alone are coarsened twice, and where
/// others below the gathered one are.
TEST(DistributedMultipass, TakesTheIterationsOfOneProcess) {
  for (const GalleryParameters& gallery : gallery_problems()) {
    for (const int levels : {1, 3}) {
      const std::string name = std::string(to_string(gallery.problem)) + std::to_string(levels);
      SCOPED_TRACE(name);
      Parameters p = by_passes(gallery, levels);
      p.solve.amg.coarse_size = 10;  // more than one gathered level
      p.gather_rows = levels == 1 ? 200 : 30;
      expect_iterations_of_one(gallery, p, name);
    }
  }
}

/// Nodes of several unknowns.
TEST(DistributedMultipass, TakesSystems) { expect_iterations_of_one_on_nodes(by_passes({}, 1)); }

TEST(DistributedMultipass, TakesNewValues) {
  const GalleryParameters gallery{.problem = ProblemKind::unstructured3d, .n = 12};
  expect_a_third_by_new_values(gallery, by_passes(gallery, 1),
                               {amg::Reuse::symbolic, amg::Reuse::interpolation});
}

/// After new values, too.
TEST(DistributedMultipass, HasTheBitsOfOneProcess) {
  for (const ProblemKind kind : {ProblemKind::poisson3d, ProblemKind::unstructured3d}) {
    for (const auto reuse : {amg::Reuse::none, amg::Reuse::symbolic}) {
      SCOPED_TRACE(std::string(to_string(kind)) + ", " + std::to_string(static_cast<int>(reuse)));
      const GalleryParameters gallery{.problem = kind, .n = 12};
      Parameters p = by_passes(gallery, 1);
      p.reproducible = true;
      p.solve.amg.reuse = reuse;
      expect_bits_of_one_process(gallery, p);
    }
  }
}

}  // namespace tessera::test::classical_multipass_test
