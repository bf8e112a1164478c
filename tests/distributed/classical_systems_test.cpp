// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Classical coarsening of systems over processes, by unknowns and by nodes, is that of one
/// process.
#include "distributed/classical_prolongators.hpp"

#include <string>

namespace tessera::test::classical_systems_test {

using namespace classical_cases;

std::vector<GalleryParameters> systems() {
  return {{.problem = ProblemKind::elasticity2d, .n = 24},
          {.problem = ProblemKind::elasticity3d, .n = 7}};
}

int unknowns_per_node(const GalleryParameters& gallery) {
  return gallery.problem == ProblemKind::elasticity2d ? 2 : 3;
}

Parameters of_system(const GalleryParameters& gallery, amg::SystemSplitting systems) {
  Parameters p = classical();
  p.block_size = unknowns_per_node(gallery);
  p.solve.amg.classical.systems = systems;
  p.solve.amg.classical.strength_threshold = 0.5;
  p.solve.amg.smoother.type = SmootherType::l1_jacobi;
  return p;
}

/// Calls `test` with each system and each way to split it.
template <class Test>
void for_each_way(const Test& test) {
  for (const GalleryParameters& gallery : systems()) {
    for (const auto& way : amg::system_splitting_names) {
      SCOPED_TRACE(std::string(to_string(gallery.problem)) + " by " + std::string(way.name));
      test(gallery, way.value);
    }
  }
}

TEST(DistributedClassicalSystems, InterpolateAsOneProcess) {
  for_each_way([](const GalleryParameters& gallery, amg::SystemSplitting way) {
    const int unknowns = unknowns_per_node(gallery);
    const WholeRows whole = rows_of(gallery);
    const amg::ClassicalParameters p{.strength_threshold = 0.5, .systems = way};
    const Interpolated expected = by_one_process(whole, p, unknowns);
    EXPECT_GT(expected.num_coarse, unknowns);
    for (const ShareOf share : all_shares)
      expect_same(whole, p, share, expected, false, unknowns);
    expect_same(whole, p, odd_share, expected, true, unknowns);
  });
}

/// Blocks with entries left out, so that a process has columns of some unknowns of a node alone.
TEST(DistributedClassicalSystems, InterpolateAnyRowsAsOneProcess) {
  unsigned seed = 40;
  for (const auto& known : amg::interpolation_names) {
    for (const auto strong : {amg::StrongCouplings::by_sign, amg::StrongCouplings::by_magnitude}) {
      for (const auto& way : amg::system_splitting_names) {
        SCOPED_TRACE(++seed);
        const WholeRows whole = random_rows(seed, 3200);
        const amg::ClassicalParameters p{.strong_couplings = strong,
                                         .max_row_sum = 1,
                                         .interpolation = known.value,
                                         .systems = way.value};
        const Interpolated expected = by_one_process(whole, p, 2);
        EXPECT_GT(expected.num_coarse, 2);
        for (const ShareOf share : all_shares)
          expect_same(whole, p, share, expected, false, 2);
      }
    }
  }
}

/// The same levels and iterations where the last levels are of one process, which goes on with the
/// functions of those above, and where all are.
TEST(DistributedClassicalSystems, TakeTheIterationsOfOneProcess) {
  for_each_way([](const GalleryParameters& gallery, amg::SystemSplitting way) {
    Parameters p = of_system(gallery, way);
    // More than one gathered level. Norms of blocks have ties there, which rounding decides.
    if (way == amg::SystemSplitting::unknowns) p.solve.amg.coarse_size = 10;
    p.gather_rows = 1000000;
    const Solved whole = solved_by(distributed::alone(), gallery, odd_share, p);
    const auto whole_rows = level_rows_of(whole.hierarchy);
    ::testing::Test::RecordProperty(
        std::string(to_string(gallery.problem)) +
            (way == amg::SystemSplitting::nodes ? "_by_nodes" : "_by_unknowns"),
        whole.result.iterations);
    for (const int gathered : {60, 300}) {
      SCOPED_TRACE(gathered);
      p.gather_rows = gathered;
      const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
      ASSERT_TRUE(alone.result.converged()) << to_string(alone.result.status);
      ASSERT_GE(alone.hierarchy.levels.size(), 3U);
      EXPECT_EQ(alone.hierarchy.levels[1].unknowns_per_node,
                way == amg::SystemSplitting::nodes ? unknowns_per_node(gallery) : 1);
      const auto rows = level_rows_of(alone.hierarchy);
      EXPECT_EQ(rows, whole_rows);
      EXPECT_EQ(alone.result.iterations, whole.result.iterations);
      for (const ShareOf share : all_shares) {
        for (const auto reuse : {amg::Reuse::none, amg::Reuse::symbolic}) {
          p.solve.amg.reuse = reuse;
          const Solved together = solved_by(all_processes(), gallery, share, p);
          ASSERT_TRUE(together.result.converged()) << to_string(together.result.status);
          EXPECT_EQ(together.result.iterations, alone.result.iterations);
          if (process() != 0) continue;  // gathered levels are process 0's
          EXPECT_EQ(level_rows_of(together.hierarchy), rows);
        }
        p.solve.amg.reuse = amg::Reuse::none;
      }
    }
  });
}

/// Coarse levels that move keep their nodes, or their functions.
TEST(DistributedClassicalSystems, MoveTheirLevels) {
  for (const auto& way : amg::system_splitting_names) {
    SCOPED_TRACE(way.name);
    const GalleryParameters gallery = systems().front();
    Parameters p = of_system(gallery, way.value);
    p.gather_rows = 40;
    p.rows_per_process = 1;
    const Solved stays = solved_by(all_processes(), gallery, odd_share, p);
    p.rows_per_process = 400;
    const Solved moves = solved_by(all_processes(), gallery, odd_share, p);
    EXPECT_EQ(moves.result.iterations, stays.result.iterations);
    EXPECT_EQ(level_rows_of(moves.hierarchy), level_rows_of(stays.hierarchy));
  }
}

TEST(DistributedClassicalSystems, TakeNewValues) {
  for_each_way([](const GalleryParameters& gallery, amg::SystemSplitting way) {
    expect_a_third_by_new_values(
        gallery, of_system(gallery, way),
        {amg::Reuse::symbolic, amg::Reuse::interpolation, amg::Reuse::hierarchy});
  });
}

TEST(DistributedClassicalSystems, HaveTheBitsOfOneProcess) {
  for_each_way([](const GalleryParameters& gallery, amg::SystemSplitting way) {
    Parameters p = of_system(gallery, way);
    p.reproducible = true;
    expect_bits_of_one_process(gallery, p);
  });
}

/// A node whose rows two processes share is an error on all of them.
TEST(DistributedClassicalSystems, StayOnOneProcess) {
  if (num_processes() == 1) GTEST_SKIP() << "one process has all rows of a node";
  const GalleryParameters gallery = systems().front();
  const WholeRows whole = rows_of(gallery);
  const auto n = static_cast<int>(whole.rows.size());
  const int middle = n / 4 * 2 + 1;
  const RowRange range = process() == 0   ? RowRange{0, middle}
                         : process() == 1 ? RowRange{middle, n - middle}
                                          : RowRange{n, 0};
  const Share share(whole.share(range));
  DistributedSolver solver(all_processes(), of_system(gallery, amg::SystemSplitting::nodes));
  const auto error = error_of([&] { solver.setup(Space(), share.rows()); });
  ASSERT_TRUE(error.has_value());
  EXPECT_NE(std::string(error->what()).find("not a multiple of the block size 2"),
            std::string::npos)
      << error->what();
}

}  // namespace tessera::test::classical_systems_test
