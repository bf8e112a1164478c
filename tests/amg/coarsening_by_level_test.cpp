// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A coarsening of its own for each level.
#include "support/error_of.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/multigrid.hpp"

#include <vector>

namespace tessera::test::coarsening_by_level_test {

using amg::CoarseningKind;
using amg::LevelFacts;
using amg::LevelParameters;

template <class Param>
class CoarseningByLevel : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;

  Problem<double, Space> problem(int n) { return gallery_problem(exec, ProblemKind::poisson2d, n); }

  static amg::Parameters by_level(const std::vector<CoarseningKind>& kinds) {
    amg::Parameters p;
    p.coarse_size = 30;
    p.levels.assign(kinds.size(), amg::uniform_choice(p));
    for (std::size_t i = 0; i < kinds.size(); ++i)
      p.levels[i].coarsening.type = kinds[i];
    return p;
  }

  HierarchyInfo levels_of(const amg::Parameters& p, int n = 60) {
    amg::Multigrid<double, Space> grid(p);
    grid.setup(exec, problem(n).A);
    return grid.info();
  }
};
TYPED_TEST_SUITE(CoarseningByLevel, Spaces, TypeNames);

void expect_alike(const HierarchyInfo& a, const HierarchyInfo& b) {
  ASSERT_EQ(a.levels.size(), b.levels.size());
  for (std::size_t i = 0; i < a.levels.size(); ++i) {
    EXPECT_EQ(a.levels[i].rows, b.levels[i].rows) << i;
    EXPECT_EQ(a.levels[i].entries, b.levels[i].entries) << i;
    EXPECT_EQ(a.levels[i].coarsening, b.levels[i].coarsening) << i;
    EXPECT_EQ(a.levels[i].aggregation, b.levels[i].aggregation) << i;
  }
}

TYPED_TEST(CoarseningByLevel, OneForAllIsThatOfTheParameters) {
  amg::Parameters p;
  p.coarse_size = 30;
  const auto same = this->levels_of(p);
  EXPECT_EQ(same.levels.front().coarsening, "smoothed_aggregation");
  EXPECT_EQ(same.levels.back().coarsening, "") << "the coarsest";
  expect_alike(this->levels_of(this->by_level({CoarseningKind::same})), same);
  expect_alike(this->levels_of(this->by_level({CoarseningKind::smoothed_aggregation})), same);
  p.smoothed_aggregation.prolongator_omega = 0;
  const auto plain = this->levels_of(p);
  EXPECT_EQ(plain.levels.front().coarsening, "plain_aggregation");
  EXPECT_LT(plain.levels[1].entries, same.levels[1].entries);
  expect_alike(this->levels_of(this->by_level({CoarseningKind::plain_aggregation})), plain);
  p.coarsening = CoarseningKind::pairwise;
  const auto pairs = this->levels_of(p);
  EXPECT_EQ(pairs.levels.front().coarsening, "pairwise");
  expect_alike(this->levels_of(this->by_level({CoarseningKind::pairwise})), pairs);
}

TYPED_TEST(CoarseningByLevel, EachLevelItsOwnAndTheLastRepeats) {
  const auto info = this->levels_of(
      this->by_level({CoarseningKind::smoothed_aggregation, CoarseningKind::plain_aggregation,
                      CoarseningKind::pairwise}));
  ASSERT_GE(info.levels.size(), 5U);
  EXPECT_EQ(info.levels[0].coarsening, "smoothed_aggregation");
  EXPECT_EQ(info.levels[1].coarsening, "plain_aggregation");
  for (std::size_t i = 2; i + 1 < info.levels.size(); ++i) {
    EXPECT_EQ(info.levels[i].coarsening, "pairwise");
    EXPECT_EQ(info.levels[i].aggregation, "pairs");
    const double ratio =
        static_cast<double>(info.levels[i].rows) / static_cast<double>(info.levels[i + 1].rows);
    EXPECT_GT(ratio, 1.5);
    EXPECT_LT(ratio, 2.5);
  }
  EXPECT_GT(info.levels[0].rows, 4 * info.levels[1].rows);
}

TYPED_TEST(CoarseningByLevel, WithParametersOfItsOwn) {
  auto p = this->by_level({CoarseningKind::pairwise, CoarseningKind::pairwise});
  p.levels[0].coarsening.pairwise.passes = 3;
  const auto pairs = this->levels_of(p);
  EXPECT_EQ(pairs.levels[0].aggregation, "pairs of pairs, 8 in all");
  EXPECT_EQ(pairs.levels[1].aggregation, "pairs");

  // No coupling of a 5-point stencil is as strong as all of its row.
  auto weak = this->by_level({CoarseningKind::smoothed_aggregation});
  weak.levels[0].coarsening.smoothed_aggregation.aggregation = amg::Aggregation::mis2;
  EXPECT_EQ(this->levels_of(weak).levels[0].aggregation, "mis2");
  weak.smoothed_aggregation.strength_measure = StrengthMeasure::diagonal;
  weak.levels[0].coarsening.smoothed_aggregation.strength_threshold = 0.9;
  EXPECT_EQ(this->levels_of(weak).levels.size(), 1U) << "every node by itself: stalled";

  auto unsmoothed = this->by_level({CoarseningKind::smoothed_aggregation});
  unsmoothed.levels[0].coarsening.smoothed_aggregation.prolongator_omega = 0;
  EXPECT_EQ(this->levels_of(unsmoothed).levels[0].coarsening, "plain_aggregation");
}

TYPED_TEST(CoarseningByLevel, ACallbackMayChooseIt) {
  amg::Parameters p;
  p.coarse_size = 30;
  p.choose_level = [](const LevelFacts& facts, LevelParameters chosen) {
    if (facts.rows < 1000) chosen.coarsening.type = CoarseningKind::pairwise;
    return chosen;
  };
  const auto info = this->levels_of(p);
  ASSERT_GE(info.levels.size(), 3U);
  for (std::size_t i = 0; i + 1 < info.levels.size(); ++i)
    EXPECT_EQ(info.levels[i].coarsening == "pairwise", info.levels[i].rows < 1000) << i;
}

TYPED_TEST(CoarseningByLevel, AMixSolvesAndIsKeptForNewValues) {
  const auto p = this->problem(100);
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::amg;
  parameters.amg = this->by_level({CoarseningKind::smoothed_aggregation, CoarseningKind::pairwise});
  parameters.amg.cycle = amg::CycleType::k;
  parameters.amg.reuse = amg::Reuse::symbolic;
  auto solver = set_up(this->exec, p.A, parameters);
  const auto first = solve_waves(this->exec, solver, p.A.num_rows);
  EXPECT_TRUE(first.converged());
  EXPECT_LE(first.iterations, 14);
  const auto before = solver.hierarchy();
  solver.update_values(this->exec, p.A);
  expect_alike(solver.hierarchy(), before);
  EXPECT_EQ(solve_waves(this->exec, solver, p.A.num_rows).iterations, first.iterations);
}

TYPED_TEST(CoarseningByLevel, WhatALevelCannotHaveIsAnError) {
  TESSERA_TEST_TYPES(TypeParam);
  auto p = this->by_level({CoarseningKind::pairwise});
  const auto blocks = gallery_problem(this->exec, ProblemKind::elasticity2d, 10);
  amg::Multigrid<double, Space> grid(p);
  expect_error(
      error_of([&] { grid.setup(this->exec, blocks.A, blocks.near_nullspace, blocks.block_size); }),
      ErrorKind::configuration, {"pairwise takes one unknown per node"});
  p.levels[0].coarsening.smoothed_aggregation.prolongator_omega = 3;
  expect_error(error_of([&] { amg::Multigrid<double, Space>{p}; }), ErrorKind::configuration,
               {"amg.levels.0.coarsening.smoothed_aggregation.prolongator_omega"});
}

}  // namespace tessera::test::coarsening_by_level_test
