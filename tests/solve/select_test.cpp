// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which preconditioner is picked by the signs and zeros of the diagonal.
#include "tessera/solve/select.hpp"

#include "support/device.hpp"
#include "support/typed_tests.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/solve.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tessera::test {
namespace pick_test {

bool has(const std::vector<Selection>& picks, const std::string& setting) {
  return std::any_of(picks.begin(), picks.end(),
                     [&](const Selection& picked) { return picked.setting == setting; });
}

MatrixFacts facts_of_saddle_point(Ordinal rows, Ordinal zeros) {
  MatrixFacts facts;
  facts.rows = rows;
  facts.symmetric = true;
  facts.coupled_zeros = zeros;
  facts.largest_diagonal = 4;
  return facts;
}

TEST(SelectParameters, LeavesMultigridWhereTheDiagonalHasManyZeros) {
  for (const Ordinal zeros : {0, 1, 25, 26, 5000}) {
    SolveParameters p;
    const auto picks = select_parameters(p, facts_of_saddle_point(10000, zeros), true, 1);
    const bool many = zeros > 25;
    EXPECT_EQ(p.preconditioner, many ? PreconditionerKind::none : PreconditionerKind::amg);
    EXPECT_EQ(has(picks, "preconditioner=none"), many);
    EXPECT_EQ(p.amg.coarse_size, 0) << "too large for one dense level";
  }
  SolveParameters longer;
  longer.solver.gmres.restart = 200;
  select_parameters(longer, facts_of_saddle_point(10000, 100), true, 1);
  EXPECT_EQ(longer.preconditioner, PreconditionerKind::amg) << "GMRES bears more with it";
}

TEST(SelectParameters, GmresIsFlexibleAroundWhatRoundsVectors) {
  MatrixFacts facts;
  facts.rows = 10000;
  facts.entries = 50000;
  facts.positive_diagonal = true;
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

TEST(SelectParameters, BothSignsAloneAreNoReasonToLeaveMultigrid) {
  MatrixFacts facts = facts_of_saddle_point(10000, 0);
  facts.coupled_signs_differ = true;
  SolveParameters p;
  select_parameters(p, facts, true, 1);
  EXPECT_EQ(p.preconditioner, PreconditionerKind::amg);
  EXPECT_EQ(p.precision, Precision::same);
}

TEST(SelectParameters, MakesOneDenseLevelOfASmallMatrixThatSmoothersDoNotSuit) {
  for (const Ordinal zeros : {0, 400}) {
    for (const Ordinal rows : {500, 2000, 2001}) {
      MatrixFacts facts = facts_of_saddle_point(rows, zeros);
      facts.coupled_signs_differ = zeros == 0;
      SolveParameters p;
      const auto picks = select_parameters(p, facts, true, 1);
      const bool small = rows <= p.amg.max_dense_size;
      EXPECT_EQ(p.amg.coarse_size, small ? rows : 0);
      EXPECT_EQ(has(picks, "amg.coarse_size=" + std::to_string(rows)), small);
      EXPECT_EQ(p.preconditioner,
                small || zeros == 0 ? PreconditionerKind::amg : PreconditionerKind::none);
      EXPECT_EQ(has(picks, "amg.spectral_radius=arnoldi"), !small && zeros == 0)
          << "said only where there are smoothers";
    }
  }
}

TEST(SelectParameters, KeepsTheUsersChoices) {
  const MatrixFacts large = facts_of_saddle_point(10000, 4000);
  const MatrixFacts small = facts_of_saddle_point(1000, 400);
  for (const auto kind :
       {PreconditionerKind::none, PreconditionerKind::jacobi, PreconditionerKind::amg}) {
    for (const MatrixFacts& facts : {large, small}) {
      SolveParameters p;
      p.preconditioner = kind;
      select_parameters(p, facts, true, 1);
      EXPECT_EQ(p.preconditioner, kind);
      EXPECT_EQ(p.amg.coarse_size, 0);
    }
  }
  SolveParameters coarsened;
  coarsened.amg.coarse_size = 300;
  select_parameters(coarsened, small, true, 1);
  EXPECT_EQ(coarsened.amg.coarse_size, 300);
  EXPECT_EQ(coarsened.preconditioner, PreconditionerKind::none) << "no dense level of 1000";
  SolveParameters sparse;
  sparse.amg.max_dense_size = 100;
  select_parameters(sparse, small, true, 1);
  EXPECT_EQ(sparse.preconditioner, PreconditionerKind::none);
}

MatrixFacts facts_of_positive_couplings() {
  MatrixFacts facts;
  facts.rows = 10000;
  facts.symmetric = facts.positive_diagonal = true;
  facts.smallest_diagonal = facts.largest_diagonal = 4;
  facts.positive_couplings = 0.3;
  return facts;
}

/// Matrices of one unknown per node and of higher order: with 16 entries per row (Dubcova1) factors
/// are sooner, with 109 (beam, order 3) they are not even worth an ordering.
TEST(SelectParameters, FactorsAreEstimatedByTheLengthOfRows) {
  MatrixFacts facts = facts_of_positive_couplings();
  facts.rows = 16129;
  facts.entries = 253009;
  facts.positive_couplings = 0.25;
  SolveParameters p;
  EXPECT_TRUE(may_pay_directly(p, facts, false));
  EXPECT_FALSE(may_pay_directly(p, facts, true)) << "multigrid knows what to do";
  const direct::Cost cheap{3e7, 5e5, true};
  select_parameters(p, facts, true, 1, false, &cheap);
  EXPECT_EQ(p.preconditioner, PreconditionerKind::direct);
  const direct::Cost dear{1e9, 5e6, true};
  SolveParameters q;
  select_parameters(q, facts, true, 1, false, &dear);
  EXPECT_EQ(q.preconditioner, PreconditionerKind::amg);

  facts.rows = 16393;
  facts.entries = 1789801;
  EXPECT_FALSE(may_pay_directly({}, facts, false));
  facts.positive_couplings = 0.4;
  EXPECT_TRUE(may_pay_directly({}, facts, false)) << "stiffness without its rigid body modes";
  facts.symmetric = false;
  EXPECT_TRUE(may_pay_directly({}, facts, false)) << "nothing that multigrid is made for";
}

TEST(SelectParameters, TheThresholdOfStrengthDependsOnTheUnknownsOfANode) {
  MatrixFacts facts;
  facts.rows = 9000;
  facts.symmetric = facts.positive_diagonal = true;
  facts.smallest_diagonal = facts.largest_diagonal = 1;
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

TEST(SelectParameters, SaysNothingOfStrengthWherePairsAreMade) {
  for (const auto coarsening :
       {amg::CoarseningKind::smoothed_aggregation, amg::CoarseningKind::pairwise}) {
    const bool smoothed = coarsening == amg::CoarseningKind::smoothed_aggregation;
    MatrixFacts facts;
    facts.rows = 10000;
    facts.symmetric = facts.positive_diagonal = true;
    facts.smallest_diagonal = 1;
    facts.largest_diagonal = 100;
    facts.positive_couplings = 0.3;
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

TEST(SelectParameters, TheThresholdBesidePositiveCouplingsGoesByTheirShareAndTheRows) {
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

TEST(SelectParameters, FewRowsStayInDouble) {
  const Ordinal fewest = rules::min_rows_for_float;
  for (const Ordinal rows : {1, fewest - 1, fewest, 1000000}) {
    MatrixFacts facts;
    facts.rows = rows;
    facts.symmetric = facts.positive_diagonal = true;
    facts.smallest_diagonal = facts.largest_diagonal = 4;
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

/// The 5-point Laplacian on n x n points, each diagonal entry by `diagonal(row)`; a row where
/// `coupled(row)` is false has no other entry.
template <class Diagonal, class Coupled>
HostMatrix<double> laplacian(int n, const Diagonal& diagonal, const Coupled& coupled) {
  HostMatrix<double> A;
  A.num_rows = A.num_cols = n * n;
  A.offsets.assign(1, 0);
  const auto add = [&](int column, double value) {
    A.columns.push_back(column);
    A.values.push_back(value);
  };
  for (int i = 0; i < n * n; ++i) {
    const int x = i % n;
    if (coupled(i) && i >= n) add(i - n, -1);
    if (coupled(i) && x > 0) add(i - 1, -1);
    if (diagonal(i) != 0) add(i, diagonal(i));
    if (coupled(i) && x < n - 1) add(i + 1, -1);
    if (coupled(i) && i < n * (n - 1)) add(i + n, -1);
    A.offsets.push_back(static_cast<std::int64_t>(A.columns.size()));
  }
  return A;
}

template <class Param>
class PickFor : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;

  MatrixFacts facts(const HostMatrix<double>& A) {
    const CrsMatrix<double, Space> matrix(exec, make_csr(exec, A));
    return inspect(exec, matrix.view(), matrix.plan());
  }

  /// A solver with the defaults, after at most 200 iterations with ones on the right.
  Solver<double, Space> solved(const HostMatrix<double>& A, SolveResult& result) {
    SolveParameters parameters;
    parameters.solver.max_iterations = 200;
    parameters.direct.max_memory_mb = 0;  // as on a device, and in a build without factors
    Solver<double, Space> solver(parameters);
    solver.setup(exec, make_csr(exec, A));
    const std::size_t n = A.num_rows;
    const auto b = to_multivector(exec, std::vector<double>(n, 1.0), n, 1);
    const auto x = to_multivector(exec, std::vector<double>(n, 0.0), n, 1);
    result = solver.solve(exec, b, x);
    return solver;
  }
};
TYPED_TEST_SUITE(PickFor, Spaces, TypeNames);

constexpr auto all_coupled = [](int) { return true; };

TYPED_TEST(PickFor, CountsZerosOfCoupledRowsOnly) {
  const auto four = [](int) { return 4.0; };
  const auto plain = this->facts(laplacian(50, four, all_coupled));
  EXPECT_EQ(plain.rows, 2500);
  EXPECT_EQ(plain.coupled_zeros, 0);
  EXPECT_FALSE(plain.coupled_signs_differ);
  const auto third = [](int i) { return i % 3 == 0 ? 0.0 : 4.0; };
  EXPECT_EQ(this->facts(laplacian(50, third, all_coupled)).coupled_zeros, 834);
  const auto empty = this->facts(laplacian(50, third, [](int i) { return i % 3 != 0; }));
  EXPECT_EQ(empty.coupled_zeros, 0);
  EXPECT_EQ(empty.smallest_diagonal, 0);
  const auto flipped = [](int i) { return i == 7 ? -4.0 : 4.0; };
  EXPECT_TRUE(this->facts(laplacian(50, flipped, all_coupled)).coupled_signs_differ);
  const auto alone = this->facts(laplacian(50, flipped, [](int i) { return i != 7; }));
  EXPECT_FALSE(alone.coupled_signs_differ);
  EXPECT_FALSE(alone.positive_diagonal);
  EXPECT_EQ(this->facts(laplacian(0, four, all_coupled)).rows, 0);
}

TYPED_TEST(PickFor, DirichletRowsOfTheOtherSignDoNotTurnMultigridAway) {
  // Rows of the boundary hold -1 alone.
  const auto boundary = [](int i) { return i < 40 || i % 40 == 0; };
  const auto A = laplacian(
      40, [&](int i) { return boundary(i) ? -1.0 : 4.0; }, [&](int i) { return !boundary(i); });
  SolveResult result;
  const auto solver = this->solved(A, result);
  EXPECT_EQ(solver.parameters().preconditioner, PreconditionerKind::amg);
  EXPECT_EQ(solver.parameters().amg.coarse_size, 0);
  EXPECT_GT(solver.hierarchy().levels.size(), 1U);
  EXPECT_TRUE(result.converged());
  EXPECT_LT(result.iterations, 30);
}

TYPED_TEST(PickFor, AFewZerosLeaveMultigridAndManyTakeItAway) {
  for (const int every : {500, 3}) {
    const auto A = laplacian(50, [&](int i) { return i % every == 1 ? 0.0 : 4.0; }, all_coupled);
    SolveResult result;
    const auto solver = this->solved(A, result);
    const bool few = every == 500;
    EXPECT_EQ(solver.parameters().preconditioner,
              few ? PreconditionerKind::amg : PreconditionerKind::none);
    EXPECT_EQ(solver.hierarchy().levels.empty(), !few);
    EXPECT_EQ(solver.parameters().solver.name, SolverName::gmres);
    EXPECT_LT(result.true_relative_residual, few ? 1e-8 : 1.0);
  }
}

TYPED_TEST(PickFor, ASmallSaddlePointIsInvertedDensely) {
  const auto A = laplacian(20, [](int i) { return i % 3 == 0 ? 0.0 : 4.0; }, all_coupled);
  SolveResult result;
  const auto solver = this->solved(A, result);
  EXPECT_EQ(solver.parameters().preconditioner, PreconditionerKind::amg);
  EXPECT_EQ(solver.parameters().amg.coarse_size, 400);
  EXPECT_EQ(solver.hierarchy().levels.size(), 1U);
  EXPECT_TRUE(result.converged());
  EXPECT_LE(result.iterations, 3);
}

}  // namespace pick_test
}  // namespace tessera::test
