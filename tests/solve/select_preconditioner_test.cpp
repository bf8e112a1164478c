// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which preconditioner is picked by the signs and zeros of the diagonal.
#include "solve/matrix_facts.hpp"
#include "support/device.hpp"
#include "support/solves.hpp"
#include "support/typed_tests.hpp"

#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/solve.hpp"

namespace tessera::test::select_preconditioner_test {

TEST(SelectPreconditioner, LeavesMultigridWhereTheDiagonalHasManyZeros) {
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
  EXPECT_EQ(longer.preconditioner, PreconditionerKind::amg) << "GMRES tolerates more with it";
}

TEST(SelectPreconditioner, BothSignsAloneAreNoReasonToLeaveMultigrid) {
  MatrixFacts facts = facts_of_saddle_point(10000, 0);
  facts.coupled_signs_differ = true;
  SolveParameters p;
  select_parameters(p, facts, true, 1);
  EXPECT_EQ(p.preconditioner, PreconditionerKind::amg);
  EXPECT_EQ(p.precision, Precision::same);
}

TEST(SelectPreconditioner, MakesOneDenseLevelOfASmallMatrixThatSmoothersDoNotSuit) {
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

TEST(SelectPreconditioner, KeepsTheUsersChoices) {
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

/// Matrices of one unknown per node and of higher order: with 16 entries per row (Dubcova1) factors
/// are sooner, with 300 they are not even worth an ordering.
TEST(SelectPreconditioner, FactorsAreEstimatedByTheLengthOfRows) {
  MatrixFacts facts = facts_of_positive_couplings();
  facts.rows = 16129;
  facts.entries = 253009;
  facts.positive_couplings = 0.25;
  SolveParameters p;
  EXPECT_TRUE(may_pay_directly(p, facts, false, 1));
  EXPECT_FALSE(may_pay_directly(p, facts, true, 1)) << "multigrid knows what to do";
  const direct::Cost cheap{3e7, 5e5, true};
  select_parameters(p, facts, true, 1, false, &cheap);
  EXPECT_EQ(p.preconditioner, PreconditionerKind::direct);
  const direct::Cost dear{1e9, 5e6, true};
  SolveParameters q;
  select_parameters(q, facts, true, 1, false, &dear);
  EXPECT_EQ(q.preconditioner, PreconditionerKind::amg);

  facts.rows = 16393;
  facts.entries = 300 * 16393;
  EXPECT_FALSE(may_pay_directly({}, facts, false, 1));
  facts.positive_couplings = 0.4;
  EXPECT_TRUE(may_pay_directly({}, facts, false, 1)) << "stiffness without its rigid body modes";
  facts.symmetric = false;
  EXPECT_TRUE(may_pay_directly({}, facts, false, 1)) << "nothing that multigrid is made for";
}

/// An ordering costs little beside iterations that lead nowhere: saddle points and biharmonic
/// operators of up to 100,000 rows, and no others of more than 20,000.
TEST(SelectPreconditioner, UnsuitedMatricesOfMoreRowsAreOrdered) {
  MatrixFacts facts = facts_of_positive_couplings();
  facts.rows = 90000;
  facts.entries = 13 * 90000;
  facts.positive_couplings = 0.6;
  facts.symmetric = true;
  EXPECT_TRUE(may_pay_directly({}, facts, false, 1));
  EXPECT_FALSE(may_pay_directly({}, facts, false, 3)) << "rigid body modes are found";
  EXPECT_FALSE(may_pay_directly({}, facts, true, 1));
  facts.positive_couplings = 0.2;
  EXPECT_FALSE(may_pay_directly({}, facts, false, 1));
  facts.coupled_zeros = 1000;
  EXPECT_TRUE(may_pay_directly({}, facts, false, 1));
  facts.rows = 100001;
  EXPECT_FALSE(may_pay_directly({}, facts, false, 1));
}

/// The 5-point Laplacian on n x n points, each diagonal entry by `diagonal(row)`; a row where
/// `coupled(row)` is false has no other entry.
template <class Diagonal, class Coupled>
HostMatrix<double> laplacian(int n, const Diagonal& diagonal, const Coupled& coupled) {
  return by_rows<double>(n * n, n * n, [&](auto& A, int i) {
    const int x = i % n;
    if (coupled(i) && i >= n) A.push(i - n, -1);
    if (coupled(i) && x > 0) A.push(i - 1, -1);
    if (diagonal(i) != 0) A.push(i, diagonal(i));
    if (coupled(i) && x < n - 1) A.push(i + 1, -1);
    if (coupled(i) && i < n * (n - 1)) A.push(i + n, -1);
  });
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
    auto solver = set_up(exec, make_csr(exec, A), parameters);
    const std::size_t n = A.num_rows;
    const auto b = to_multivector(exec, std::vector<double>(n, 1.0), n, 1);
    const auto x = zeros<double>(exec, n);
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

}  // namespace tessera::test::select_preconditioner_test
