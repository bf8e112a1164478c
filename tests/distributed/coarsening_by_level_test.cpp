// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A coarsening of its own for each level over processes: levels and iterations of one process.
#include "distributed/reduction_cases.hpp"
#include "support/error_of.hpp"

#include <string>
#include <vector>

namespace tessera::test::coarsening_by_level_test {

using namespace reduction_cases;
using enum amg::CoarseningKind;
using Kinds = std::vector<amg::CoarseningKind>;

/// Jacobi on all levels.
Parameters by_level(const Kinds& kinds) {
  Parameters p = reducing();
  p.block_size = 1;
  p.solve.amg.coarsening = smoothed_aggregation;
  p.solve.amg.smoother.type = SmootherType::jacobi;
  p.solve.amg.levels.assign(kinds.size(), amg::uniform_choice(p.solve.amg));
  for (std::size_t l = 0; l < kinds.size(); ++l)
    p.solve.amg.levels[l].coarsening.type = kinds[l];
  return p;
}

std::string words(const Kinds& kinds) {
  std::string all;
  for (const auto kind : kinds)
    all += amg::coarsening_name(kind) + " ";
  return all;
}

/// Without gathering on one process, with it, and however rows are shared out.
void expect_those_of_one(const GalleryParameters& gallery, Parameters p, std::size_t levels = 3) {
  SCOPED_TRACE(name_of(gallery));
  const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
  ASSERT_TRUE(alone.result.converged()) << to_string(alone.result.status);
  const int gathered = p.gather_rows;
  p.gather_rows = 1000000;
  const Solved whole = solved_by(distributed::alone(), gallery, odd_share, p);
  p.gather_rows = gathered;
  EXPECT_GE(alone.hierarchy.levels.size(), levels);
  EXPECT_EQ(level_rows_of(alone.hierarchy), level_rows_of(whole.hierarchy));
  EXPECT_EQ(alone.result.iterations, whole.result.iterations);
  for (std::size_t l = 0;
       l < std::min(alone.hierarchy.levels.size(), whole.hierarchy.levels.size()); ++l)
    EXPECT_EQ(alone.hierarchy.levels[l].coarsening, whole.hierarchy.levels[l].coarsening) << l;
  for (const ShareOf share : all_shares) {
    const Solved together = solved_by(all_processes(), gallery, share, p);
    ASSERT_TRUE(together.result.converged()) << to_string(together.result.status);
    EXPECT_EQ(together.result.iterations, alone.result.iterations);
    EXPECT_LT(distance(together.x, together.first, on_host(alone.x)), 1e-7);
    expect_residuals(together, alone);
    // Of levels that are gathered process 0 knows.
    if (process() == 0) {
      EXPECT_EQ(level_rows_of(together.hierarchy), level_rows_of(alone.hierarchy));
    }
  }
}

TEST(DistributedCoarseningByLevel, GivesTheLevelsAndIterationsOfOneProcess) {
  const std::vector<Kinds> mixes = {{smoothed_aggregation, classical},
                                    {classical, smoothed_aggregation},
                                    {plain_aggregation, smoothed_aggregation},
                                    {pairwise, classical},
                                    {classical, plain_aggregation, classical},
                                    {classical, reduction},
                                    {reduction, classical},
                                    {same, classical, same}};
  for (const Kinds& kinds : mixes) {
    SCOPED_TRACE(words(kinds));
    expect_those_of_one({.problem = ProblemKind::unstructured3d, .n = 14}, by_level(kinds));
    expect_those_of_one({.problem = ProblemKind::poisson2d, .n = 50}, by_level(kinds));
  }
}

/// A matrix without symmetry, whose aggregates bring the transpose and points do not.
TEST(DistributedCoarseningByLevel, TakesFlows) {
  for (const Kinds& kinds :
       {Kinds{smoothed_aggregation, classical}, Kinds{classical, smoothed_aggregation},
        Kinds{reduction, reduction, smoothed_aggregation}}) {
    SCOPED_TRACE(words(kinds));
    expect_those_of_one({.problem = ProblemKind::convdiff2d, .n = 40, .peclet = 1e2},
                        by_level(kinds));
  }
}

/// Parameters that the level has of its own.
TEST(DistributedCoarseningByLevel, TakesParametersOfALevel) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson3d, .n = 14};
  const Solved plain =
      solved_by(all_processes(), gallery, odd_share, by_level({smoothed_aggregation, classical}));
  Parameters p = by_level({smoothed_aggregation, classical});
  auto& levels = p.solve.amg.levels;
  levels[0].coarsening.smoothed_aggregation.aggregation = amg::Aggregation::mis2;
  levels[0].coarsening.smoothed_aggregation.strength_threshold = 0.02;
  levels[1].coarsening.classical.strength_threshold = 0.6;
  expect_those_of_one(gallery, p);
  EXPECT_NE(level_rows_of(solved_by(all_processes(), gallery, odd_share, p).hierarchy),
            level_rows_of(plain.hierarchy));
  p = by_level({classical, classical, classical});
  p.solve.amg.levels[1].coarsening.classical.aggressive_levels = 2;
  p.solve.amg.levels[1].coarsening.classical.interpolation = amg::Interpolation::extended_i;
  expect_those_of_one(gallery, p);
}

/// Levels that are gathered go on with the list, and with the callback, where these are by then.
TEST(DistributedCoarseningByLevel, GoesOnWhereLevelsAreGathered) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 60};
  Parameters p = by_level({classical, reduction, classical, classical, reduction});
  p.solve.amg.levels[2].coarsening.classical.aggressive_levels = 3;
  p.solve.amg.levels[2].coarsening.classical.interpolation = amg::Interpolation::extended_i;
  for (const int rows : {100, 700, 1500}) {
    SCOPED_TRACE(rows);
    p.gather_rows = rows;
    expect_those_of_one(gallery, p, 4);
  }
  Parameters called = by_level({classical});
  called.solve.amg.choose_level = [](const amg::LevelFacts& level,
                                     const amg::LevelParameters& given) {
    amg::LevelParameters chosen = given;
    if (level.number % 2 == 1) chosen.coarsening.type = reduction;
    return chosen;
  };
  for (const int rows : {100, 700, 1500}) {
    SCOPED_TRACE(rows);
    called.gather_rows = rows;
    called.solve.solver.name = SolverName::fgmres;
    expect_those_of_one(gallery, called, 4);
  }
}

/// What the callback asks for holds on gathered levels as it does on others: how many are
/// aggressive, and that rounding decides nothing.
TEST(DistributedCoarseningByLevel, GoesOnAsTheCallbackSays) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 60};
  Parameters aggressive = by_level({});
  aggressive.solve.amg.choose_level = [](const amg::LevelFacts&,
                                         const amg::LevelParameters& given) {
    amg::LevelParameters chosen = given;
    chosen.coarsening.type = classical;
    chosen.coarsening.classical.aggressive_levels = 1;
    chosen.coarsening.classical.interpolation = amg::Interpolation::extended_i;
    return chosen;
  };
  for (const int rows : {100, 1500}) {
    SCOPED_TRACE(rows);
    aggressive.gather_rows = rows;
    expect_those_of_one(gallery, aggressive);
  }
  Parameters pairs = by_level({});
  pairs.gather_rows = 700;
  pairs.solve.amg.choose_level = [](const amg::LevelFacts& level,
                                    const amg::LevelParameters& given) {
    amg::LevelParameters chosen = given;
    if (level.number > 0) chosen.coarsening.type = pairwise;
    return chosen;
  };
  for (const auto kind : {ProblemKind::poisson2d, ProblemKind::anisotropic2d}) {
    const GalleryParameters problem{.problem = kind, .n = 60};
    const Solved alone = solved_by(distributed::alone(), problem, odd_share, pairs);
    for (const ShareOf share : all_shares) {
      const Solved together = solved_by(all_processes(), problem, share, pairs);
      EXPECT_EQ(together.result.iterations, alone.result.iterations);
      if (process() == 0) {
        EXPECT_EQ(level_rows_of(together.hierarchy), level_rows_of(alone.hierarchy));
      }
    }
  }
}

/// Where a callback throws on one process, or asks for what there is not, all say so.
TEST(DistributedCoarseningByLevel, SaysWhatIsWrongWithAChoice) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 40};
  Parameters p = by_level({});
  p.solve.amg.choose_level = [](const amg::LevelFacts&, const amg::LevelParameters& given) {
    if (process() == all_processes()->size() - 1)
      throw Error(ErrorKind::precondition, "no choice is known here");
    return given;
  };
  expect_error(error_of([&] { solved_by(all_processes(), gallery, odd_share, p); }),
               ErrorKind::precondition, {"no choice is known here"});
  p.solve.amg.choose_level = [](const amg::LevelFacts&, const amg::LevelParameters& given) {
    amg::LevelParameters chosen = given;
    chosen.coarsening.type = classical;
    chosen.coarsening.classical.strength_threshold = 2;
    return chosen;
  };
  expect_error(error_of([&] { solved_by(all_processes(), gallery, odd_share, p); }),
               ErrorKind::configuration, {"amg.choose_level of level 0: ", "strength_threshold"});
}

/// Levels that go to fewer processes, new values, and equal bits.
TEST(DistributedCoarseningByLevel, MovesAndIsMadeAgain) {
  const GalleryParameters gallery{.problem = ProblemKind::unstructured3d, .n = 12};
  for (const Kinds& kinds : {Kinds{smoothed_aggregation, classical},
                             Kinds{classical, smoothed_aggregation}, Kinds{classical, reduction}}) {
    SCOPED_TRACE(words(kinds));
    Parameters p = by_level(kinds);
    const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
    p.rows_per_process = 300;
    expect_equal(solved_by(all_processes(), gallery, odd_share, p), alone);
    p.rows_per_process = 0;
    expect_a_third_by_new_values(gallery, p, {amg::Reuse::symbolic, amg::Reuse::interpolation});
    p.reproducible = true;
    for (const auto reuse : {amg::Reuse::none, amg::Reuse::symbolic}) {
      p.solve.amg.reuse = reuse;
      expect_bits_of_one_process(gallery, p);
    }
  }
}

/// Nodes of several unknowns: aggregates of nodes, whose coarse unknowns are split into points.
TEST(DistributedCoarseningByLevel, TakesNodes) {
  Parameters p = by_level({smoothed_aggregation, classical});
  p.block_size = 3;
  for (const auto split : {amg::SystemSplitting::unknowns, amg::SystemSplitting::nodes}) {
    p.solve.amg.levels[1].coarsening.classical.systems = split;
    const GalleryParameters gallery{.problem = ProblemKind::elasticity3d, .n = 7};
    const Solved alone = solved_by(distributed::alone(), gallery, odd_share, p);
    ASSERT_TRUE(alone.result.converged()) << to_string(alone.result.status);
    EXPECT_EQ(alone.hierarchy.levels[0].coarsening, "smoothed_aggregation");
    EXPECT_EQ(alone.hierarchy.levels[1].coarsening, "classical");
    for (const ShareOf share : all_shares)
      expect_equal(solved_by(all_processes(), gallery, share, p), alone);
  }
}

/// Fine and coarse points are relaxed apart where a level has them.
TEST(DistributedCoarseningByLevel, RelaxesPointsWhereThereAreSome) {
  Parameters p = by_level({smoothed_aggregation, classical});
  p.solve.amg.levels[1].smoother.points = RelaxationPoints::fc;
  const GalleryParameters gallery{.problem = ProblemKind::unstructured3d, .n = 14};
  expect_those_of_one(gallery, p);
  p.solve.amg.levels[0].smoother.points = RelaxationPoints::f;
  expect_error(error_of([&] { solved_by(all_processes(), gallery, odd_share, p); }),
               ErrorKind::configuration,
               {"amg.smoother.points = f on level 0, whose coarsening, smoothed_aggregation"});
}

/// The operator complexity counts all levels where there are points among them, and nodes of
/// several unknowns are refused by the level that cannot have them.
TEST(DistributedCoarseningByLevel, KeepsToTheLimits) {
  const GalleryParameters gallery{.problem = ProblemKind::poisson3d, .n = 12};
  Parameters p = by_level({smoothed_aggregation, classical});
  p.solve.amg.max_operator_complexity = 1.05;
  const Solved made = solved_by(all_processes(), gallery, odd_share, p);
  EXPECT_TRUE(made.result.converged());
  EXPECT_LE(made.hierarchy.operator_complexity, 1.05);
  p = by_level({});
  p.solve.amg.coarsening = pairwise;
  p.solve.amg.max_operator_complexity = 1.3;
  const Solved pairs = solved_by(all_processes(), gallery, odd_share, p);
  EXPECT_TRUE(pairs.result.converged());
  EXPECT_LE(pairs.hierarchy.operator_complexity, 1.3);
  p = by_level({smoothed_aggregation, reduction});
  p.block_size = 3;
  expect_error(error_of([&] {
                 solved_by(all_processes(), {.problem = ProblemKind::elasticity3d, .n = 10},
                           odd_share, p);
               }),
               ErrorKind::configuration,
               {"on several processes amg.levels.1.coarsening.type=reduction is for one unknown "
                "per node, and nodes have 3"});
}

}  // namespace tessera::test::coarsening_by_level_test
