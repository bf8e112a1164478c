// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which method, precision and smoothers are picked.
#include "tessera/solve/select.hpp"

#include "solve/matrix_facts.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <gtest/gtest.h>

namespace tessera::test::select_test {

TEST(SelectParameters, GmresIsFlexibleAroundWhatRoundsVectors) {
  MatrixFacts facts{.rows = 10000, .entries = 50000, .positive_diagonal = true};
  facts.smallest_diagonal = facts.largest_diagonal = 4;
  const auto name_for = [&](SolveParameters p) {
    p.preconditioner = PreconditionerKind::amg;
    select_parameters(p, facts, true, 1);
    return p.solver.name;
  };
  SolveParameters in_double;
  in_double.precision = Precision::same;
  EXPECT_EQ(name_for({}), SolverName::fgmres) << "multigrid in float";
  EXPECT_EQ(name_for(in_double), SolverName::gmres);
  SolveParameters by_level = in_double;
  by_level.amg.levels.resize(2);
  by_level.amg.levels[1].vectors = amg::VectorScalar::float32;
  EXPECT_EQ(name_for(by_level), SolverName::fgmres);
  SolveParameters by_name;
  by_name.solver.name = SolverName::gmres;
  EXPECT_EQ(name_for(by_name), SolverName::gmres) << "asked for";
  SolveParameters from_the_left;
  from_the_left.solver.side = PreconditioningSide::left;
  EXPECT_EQ(name_for(from_the_left), SolverName::gmres) << "x is the combination of its vectors";
  facts.symmetric = true;
  EXPECT_EQ(name_for({}), SolverName::cg);
}

TEST(SelectParameters, FillsInTheOpenSmoothersOfTheLevels) {
  SolveParameters p;
  p.amg.levels.resize(3);
  p.amg.levels[0].smoother.type = SmootherType::l1_jacobi;
  p.amg.levels[1].smoother.chebyshev.degree = 5;
  const auto picks = select_parameters(p, facts_of_positive_couplings(), true, 1);
  EXPECT_EQ(p.amg.levels[0].smoother.type, SmootherType::l1_jacobi) << "that is the user's";
  EXPECT_EQ(p.amg.levels[1].smoother.type, SmootherType::chebyshev);
  EXPECT_EQ(p.amg.levels[1].smoother.chebyshev.degree, 5);
  EXPECT_EQ(p.amg.levels[1].smoother.chebyshev.eigenvalue_ratio,
            p.amg.smoother.chebyshev.eigenvalue_ratio);
  EXPECT_EQ(p.amg.levels[2].smoother.chebyshev.degree, p.amg.smoother.chebyshev.degree);
  EXPECT_FALSE(has(picks, "amg.smoother.type=chebyshev")) << "no level has it";
  EXPECT_FALSE(has(picks, "amg.levels.0.smoother.type=chebyshev"));
  EXPECT_TRUE(has(picks, "amg.levels.1.smoother.type=chebyshev"));
  const auto last = std::find_if(picks.begin(), picks.end(), [](const Selection& picked) {
    return picked.setting == "amg.levels.2.smoother.type=chebyshev";
  });
  ASSERT_NE(last, picks.end());
  EXPECT_EQ(last->note(),
            "smoother chebyshev of degree 3 from level 2 on: 30 % of the couplings are positive");

  SolveParameters without_vectors;
  without_vectors.amg.levels.resize(2);
  MatrixFacts facts = facts_of_positive_couplings();
  const auto longer = select_parameters(without_vectors, facts, true, 3, true);
  EXPECT_EQ(without_vectors.amg.levels[1].smoother.chebyshev.degree, 4);
  EXPECT_TRUE(has(longer, "amg.levels.0.smoother.chebyshev.degree=4"));
  EXPECT_TRUE(has(longer, "amg.levels.1.smoother.chebyshev.eigenvalue_ratio=30"));
  EXPECT_FALSE(has(longer, "amg.smoother.chebyshev.degree=4"));
}

TEST(SelectParameters, CgIsFlexibleWhereRestrictionAndProlongatorAreRoundedDifferently) {
  for (const bool differ : {false, true}) {
    SolveParameters p;
    p.precision = Precision::same;
    p.amg.levels.resize(2);
    p.amg.levels[1].P.scalar = StorageScalar::half;
    p.amg.levels[1].R.scalar = differ ? StorageScalar::same : StorageScalar::half;
    select_parameters(p, facts_of_positive_couplings(), true, 1);
    EXPECT_EQ(p.solver.name, SolverName::cg);
    EXPECT_EQ(p.solver.cg.flexible, differ);
  }
}

TEST(SelectParameters, CgIsFlexibleAroundCyclesThatAreNotSymmetric) {
  using amg::CycleType;
  for (const auto cycle : {CycleType::v, CycleType::w, CycleType::f, CycleType::k}) {
    SolveParameters p;
    p.precision = Precision::same;
    p.amg.cycle = cycle;
    select_parameters(p, facts_of_positive_couplings(), true, 1);
    EXPECT_EQ(p.solver.name, SolverName::cg);
    EXPECT_EQ(p.solver.cg.flexible, cycle == CycleType::f || cycle == CycleType::k)
        << static_cast<int>(cycle);
  }
}

/// The note on a K-cycle under a method that was named; empty where there is none.
std::string K_cycle_note(SolverName name, bool symmetric) {
  MatrixFacts facts = facts_of_positive_couplings();
  facts.symmetric = symmetric;
  SolveParameters p;
  p.preconditioner = PreconditionerKind::amg;
  p.solver.name = name;
  p.amg.cycle = amg::CycleType::k;
  for (const Selection& picked : select_parameters(p, facts, true, 1))
    if (picked.what.starts_with("K-cycle")) return picked.note();
  EXPECT_TRUE(name == SolverName::automatic || p.solver.name == name) << "the user's";
  return "";
}

TEST(SelectParameters, SaysWhichNamedMethodTakesAKCycleForLinear) {
  EXPECT_EQ(K_cycle_note(SolverName::gmres, false),
            "K-cycle under gmres: the K-cycle is not linear, and gmres takes it for linear; "
            "solver.name=fgmres does not");
  EXPECT_EQ(K_cycle_note(SolverName::bicgstab, true),
            "K-cycle under bicgstab: the K-cycle is not linear, and bicgstab takes it for linear; "
            "solver.name=cg does not");
  for (const auto name :
       {SolverName::automatic, SolverName::cg, SolverName::fgmres, SolverName::richardson}) {
    for (const bool symmetric : {false, true})
      EXPECT_EQ(K_cycle_note(name, symmetric), "") << static_cast<int>(name);
  }
}

/// A callback may ask for half, which the diagonal does not suit.
TEST(SelectParameters, EquilibratesWhereACallbackMayAskForHalf) {
  for (const double diagonal : {4.0, 1e6}) {
    for (const bool asks : {false, true}) {
      MatrixFacts facts = facts_of_positive_couplings();
      facts.smallest_diagonal = facts.largest_diagonal = diagonal;
      SolveParameters p;
      p.precision = Precision::same;
      if (asks) {
        p.amg.choose_level = [](const amg::LevelFacts&, const amg::LevelParameters& chosen) {
          return chosen;
        };
      }
      select_parameters(p, facts, true, 1);
      EXPECT_EQ(p.equilibration == Equilibration::powers_of_two, asks && diagonal > 1e4)
          << diagonal;
    }
  }
}

TEST(SelectParameters, WhatIsSingularInFloatStaysInDouble) {
  for (const double sum : {0.0, 1e-9, 1e-5, 0.5}) {
    MatrixFacts facts = facts_of_grid(10000);
    facts.zero_row_sums = sum == 0;
    facts.largest_row_sum = sum == 0 ? 1e-16 : sum;
    SolveParameters p;
    select_parameters(p, facts, true, 1);
    EXPECT_EQ(p.precision, sum == 1e-9 ? Precision::same : Precision::single) << sum;
  }
}

TEST(SelectParameters, FewRowsStayInDouble) {
  const Ordinal fewest = rules::min_rows_for_float;
  for (const Ordinal rows : {1, fewest - 1, fewest, 1000000}) {
    const MatrixFacts facts = facts_of_grid(rows);
    SolveParameters p;
    p.preconditioner = PreconditionerKind::amg;
    SolveParameters asked = p;
    asked.precision = Precision::single;
    const auto picks = select_parameters(p, facts, true, 1);
    const bool few = rows < fewest;
    EXPECT_EQ(p.precision, few ? Precision::same : Precision::single) << rows;
    EXPECT_EQ(p.solver.cg.flexible, !few) << rows;
    EXPECT_TRUE(has(picks, few ? "precision=same" : "precision=float")) << rows;
    select_parameters(asked, facts, true, 1);
    EXPECT_EQ(asked.precision, Precision::single) << "asked for";
  }
}

}  // namespace tessera::test::select_test
