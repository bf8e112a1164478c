// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is picked of multigrid: the strength of couplings.
#include "solve/matrix_facts.hpp"
#include "support/own_coarsening.hpp"

#include <gtest/gtest.h>

namespace tessera::test::select_multigrid_test {

TEST(SelectMultigrid, TheThresholdOfStrengthDependsOnTheUnknownsOfANode) {
  const MatrixFacts facts = facts_of_grid(9000, 1);
  const auto threshold_of = [&](int block_size, SolveParameters p = {}) {
    select_parameters(p, facts, true, block_size);
    return p.amg.smoothed_aggregation.strength_threshold;
  };
  EXPECT_EQ(threshold_of(1), 0.25);
  EXPECT_EQ(threshold_of(2), 0.25);
  EXPECT_EQ(threshold_of(3), 0.08);
  EXPECT_EQ(threshold_of(6), 0.08);
  SolveParameters given;
  given.amg.smoothed_aggregation.strength_threshold = 0.3;
  EXPECT_EQ(threshold_of(3, given), 0.3);
}

TEST(SelectMultigrid, SaysNothingOfStrengthWhereNothingGoesByIt) {
  for (const auto coarsening :
       {amg::CoarseningKind::smoothed_aggregation, amg::CoarseningKind::pairwise,
        amg::CoarseningKind::classical, amg::CoarseningKind::reduction, own_groups()}) {
    const bool smoothed = coarsening == amg::CoarseningKind::smoothed_aggregation;
    MatrixFacts facts = facts_of_positive_couplings();
    facts.smallest_diagonal = 1;
    facts.largest_diagonal = 100;
    SolveParameters p;
    p.amg.coarsening = coarsening;
    const auto picks = select_parameters(p, facts, true, 1);
    EXPECT_EQ(has(picks, "amg.smoothed_aggregation.strength_threshold=0.5"), smoothed);
    EXPECT_EQ(has(picks, "amg.smoothed_aggregation.strength_scaling=0.8"), smoothed);
    EXPECT_TRUE(has(picks, "amg.smoother.type=chebyshev"));
    EXPECT_GE(p.amg.smoothed_aggregation.strength_threshold, 0) << "nothing stays open";
    EXPECT_GE(p.amg.smoothed_aggregation.strength_scaling, 0);

    facts.symmetric = false;
    SolveParameters q;
    q.amg.coarsening = coarsening;
    EXPECT_EQ(has(select_parameters(q, facts, true, 1), "amg.symmetry=general"), smoothed);
    EXPECT_EQ(q.amg.symmetry, amg::AssumedSymmetry::general);
  }
}

TEST(SelectMultigrid, TheThresholdBesidePositiveCouplingsGoesByTheirShareAndTheRows) {
  struct Case {
    double share, entries, threshold;
  };
  for (const Case& c : {Case{0.05, 9, 0.25},
                        {0.09, 9, 0.35},
                        {0.16, 12, 0.35},
                        {0.17, 9, 0.5},
                        {0.09, 13, 0.5},
                        {0.09, 31, 0.25},
                        {0.3, 31, 0.25}}) {
    MatrixFacts facts = facts_of_positive_couplings();
    facts.positive_couplings = c.share;
    facts.entries = c.entries * facts.rows;
    SolveParameters p;
    p.preconditioner = PreconditionerKind::amg;
    select_parameters(p, facts, true, 1);
    EXPECT_EQ(p.amg.smoothed_aggregation.strength_threshold, c.threshold)
        << c.share << ", " << c.entries;
  }
}

TEST(SelectMultigrid, JumpingRowsTakeALowerThreshold) {
  const auto threshold_of = [](double share, double jumping, SolveParameters p = {}) {
    MatrixFacts facts = facts_of_positive_couplings();
    facts.positive_couplings = share;
    facts.entries = 16.0 * facts.rows;
    facts.smallest_diagonal = 0.1;
    facts.jumping_rows = jumping;
    p.preconditioner = PreconditionerKind::amg;
    select_parameters(p, facts, true, 1);
    return p.amg.smoothed_aggregation.strength_threshold;
  };
  EXPECT_EQ(threshold_of(0.3, 0.01), 0.5);
  EXPECT_EQ(threshold_of(0.3, 0.02), 0.25);
  EXPECT_EQ(threshold_of(0.09, 0.5), 0.25);
  SolveParameters given;
  given.amg.smoothed_aggregation.strength_threshold = 0.4;
  EXPECT_EQ(threshold_of(0.3, 0.5, given), 0.4);
  SolveParameters scaled;
  scaled.equilibration = Equilibration::unit_diagonal;
  EXPECT_EQ(threshold_of(0.3, 0.5, scaled), 0.5) << "no entry of the diagonal differs then";
}

TEST(SelectMultigrid, CellsOfDiscontinuousElementsHaveAThresholdOfTheirOwn) {
  MatrixFacts cells = facts_of_positive_couplings();
  cells.symmetric = false;
  cells.full_blocks = 4;
  cells.same_unknown_share = 0.3;
  const auto threshold_of = [](const MatrixFacts& facts, SolveParameters p = {}) {
    p.preconditioner = PreconditionerKind::amg;
    select_parameters(p, facts, true, 1);
    return p.amg.smoothed_aggregation.strength_threshold;
  };
  EXPECT_EQ(threshold_of(cells), 0.55);
  SolveParameters given;
  given.amg.smoothed_aggregation.strength_threshold = 0.3;
  EXPECT_EQ(threshold_of(cells, given), 0.3);
  SolveParameters diagonal;
  diagonal.amg.smoothed_aggregation.strength_measure = StrengthMeasure::diagonal;
  EXPECT_LT(threshold_of(cells, diagonal), 0.25);
  MatrixFacts other = cells;
  other.full_blocks = 1;
  EXPECT_EQ(threshold_of(other), 0.25);
  other = cells;
  other.same_unknown_share = 0.9;
  EXPECT_EQ(threshold_of(other), 0.25) << "nodes";
  other = cells;
  other.positive_couplings = 0.01;
  EXPECT_EQ(threshold_of(other), 0.25) << "an M-matrix";
}

}  // namespace tessera::test::select_multigrid_test
