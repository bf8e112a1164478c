// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Badly scaled systems: powers of two that lose no bit, a preconditioner in the user's terms, and
/// half storage that takes as many iterations as double.
#include "fixture.hpp"
#include "support/solves.hpp"

#include "tessera/amg/scaling/equilibration.hpp"

namespace tessera::test::equilibration_test {

using amg::Reuse;

template <class Param>
class EquilibrationTest : public PrecisionTest<Param> {
 public:
  /// Everything in half, and `equilibration`.
  static SolveParameters in_half(Equilibration equilibration) {
    SolveParameters p = PrecisionTest<Param>::uniform();
    p.equilibration = equilibration;
    p.amg.storage.scalar = StorageScalar::half;
    return p;
  }
};
TYPED_TEST_SUITE(EquilibrationTest, Spaces, TypeNames);

/// The largest exponents of the rows, then of the columns.
std::vector<int> largest_exponents(const HostMatrix<double>& A) {
  std::vector<int> largest(A.num_rows + A.num_cols, -10000);
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      if (A.values[e] == 0) continue;
      const int exponent = std::ilogb(A.values[e]);
      largest[i] = std::max(largest[i], exponent);
      auto& column = largest[A.num_rows + A.columns[e]];
      column = std::max(column, exponent);
    }
  }
  return largest;
}

TYPED_TEST(EquilibrationTest, BringsRowsAndColumnsToOneWithoutRounding) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto poisson = to_host(this->problem(ProblemKind::poisson2d, 30).A);
  const std::size_t n = poisson.num_rows;
  const auto d = spread(n, 8);
  const std::vector<double> backwards(d.rbegin(), d.rend());
  for (const bool symmetric : {true, false}) {
    const auto A = scaled(poisson, d, symmetric ? d : backwards);
    const auto on_device = make_csr<Offset>(this->exec, A);
    const auto powers = amg::equilibrate(this->exec, on_device.view(), symmetric);
    const auto values = allocate<double>(this->exec, "tessera::test", A.values.size());
    amg::equilibrated_values<double>(this->exec, on_device.view(), powers, values);
    auto balanced = A;
    balanced.values = to_host(values);
    for (const int exponent : largest_exponents(balanced))
      EXPECT_LE(std::abs(exponent), 1);
    const auto rows = to_host(powers.rows);
    const auto columns = to_host(powers.columns);
    if (symmetric) {
      EXPECT_EQ(rows, columns);
    }
    for (Ordinal i = 0; i < A.num_rows; ++i) {
      for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
        ASSERT_EQ(balanced.values[e] / rows[i] / columns[A.columns[e]], A.values[e]);
    }
  }
}

TYPED_TEST(EquilibrationTest, EmptyRowsZerosAndInfinitiesAreLeftAlone) {
  TESSERA_TEST_TYPES(TypeParam);
  HostMatrix<double> A;
  A.num_rows = A.num_cols = 4;
  A.offsets = {0, 2, 2, 3, 5};
  A.columns = {0, 2, 2, 0, 3};
  A.values = {1e20, 0.0, std::numeric_limits<double>::infinity(), 1.0, 1e-20};
  const auto on_device = make_csr<Offset>(this->exec, A);
  for (const bool symmetric : {true, false}) {
    const auto powers = amg::equilibrate(this->exec, on_device.view(), symmetric);
    for (const double power : to_host(powers.rows))
      EXPECT_LE(std::abs(std::ilogb(power)), 100);
    EXPECT_EQ(to_host(powers.rows)[1], 1);
  }
}

TYPED_TEST(EquilibrationTest, ThePreconditionerStaysInTheUsersTerms) {
  for (const auto kind : {ProblemKind::jump2d, ProblemKind::elasticity2d, ProblemKind::neumann2d,
                          ProblemKind::convdiff2d}) {
    const auto p = this->problem(kind, 30);
    const std::size_t n = p.A.num_rows;
    const auto b = to_multivector(this->exec, this->waves(n), n, 1);
    std::vector<std::vector<double>> answers;
    for (const auto equilibration : {Equilibration::none, Equilibration::powers_of_two}) {
      SolveParameters parameters = this->uniform();
      parameters.equilibration = equilibration;
      // Aggregates depend on the matrix's scale no more than on the user's terms.
      parameters.amg.smoothed_aggregation.strength_threshold = 0;
      auto solver = set_up(this->exec, p, parameters);
      const auto z = allocate_multivector<double>(this->exec, "tessera::test", n, 1);
      solver.preconditioner()->apply(this->exec, b, z);
      answers.push_back(to_host(z));
    }
    // The start vector of Lanczos is another one, and with it the damping.
    EXPECT_LE(relative_difference(answers[1], answers[0]), 0.1) << to_string(kind);
  }
}

TYPED_TEST(EquilibrationTest, CoefficientsInOtherUnitsAreHeldByHalf) {
  for (const double unit : {1e-9, 1e9}) {
    SCOPED_TRACE(unit);
    for (const auto kind : {ProblemKind::jump2d, ProblemKind::poisson3d}) {
      const auto scaled =
          times(to_host(this->problem(kind, kind == ProblemKind::jump2d ? 80 : 20, 100).A), unit);
      const auto A = make_csr(this->exec, scaled);
      const auto in_double = this->solve(A, this->uniform());
      const auto plain = this->solve(A, this->in_half(Equilibration::none));
      EXPECT_NE(plain.info.levels[0].A.storage, "half");
      const auto mended = this->solve(A, this->in_half(Equilibration::automatic));
      EXPECT_EQ(mended.effective.equilibration, Equilibration::powers_of_two);
      EXPECT_TRUE(mended.result.converged());
      EXPECT_LE(mended.iterations(), 1.05 * in_double.iterations());
      for (std::size_t i = 0; i + 1 < mended.info.levels.size(); ++i)
        EXPECT_EQ(mended.info.levels[i].A.storage, "half") << i;
    }
  }
}

TYPED_TEST(EquilibrationTest, ScaledUnknownsTakeTheIterationsOfUnscaledOnes) {
  // Units of their own for the unknowns: S A S annihilates S^-1 1, which nobody gave.
  for (const auto kind : {ProblemKind::poisson2d, ProblemKind::poisson3d}) {
    const auto p = this->problem(kind, kind == ProblemKind::poisson2d ? 80 : 20);
    const auto d = spread(p.A.num_rows, 8);
    const auto A = make_csr(this->exec, scaled(to_host(p.A), d, d));
    SolveParameters parameters = this->uniform();
    parameters.equilibration = Equilibration::none;
    const auto plain = this->solve(A, parameters, {}, 0, d);
    parameters.equilibration = Equilibration::powers_of_two;
    const auto best = this->solve(A, parameters, {}, 0, d);
    const auto mended = this->solve(A, this->in_half(Equilibration::automatic), {}, 0, d);
    EXPECT_TRUE(best.result.converged());
    EXPECT_TRUE(mended.result.converged());
    EXPECT_LE(mended.iterations(), 1.05 * best.iterations());
    EXPECT_EQ(mended.info.levels[0].A.storage, "half");
    EXPECT_LE(2 * mended.iterations(), plain.iterations()) << "in double, not scaled";
    EXPECT_LE(mended.iterations(), this->solve(p, this->uniform()).iterations());
  }
}

TYPED_TEST(EquilibrationTest, ScaledRowsTakeTheIterationsOfDouble) {
  const auto p = this->problem(ProblemKind::poisson2d, 80);
  const std::size_t n = p.A.num_rows;
  const auto d = spread(n, 8);
  const auto A = make_csr(this->exec, scaled(to_host(p.A), d, std::vector<double>(n, 1.0)));
  SolveParameters in_double = this->uniform();
  in_double.equilibration = Equilibration::powers_of_two;
  const auto best = this->solve(A, in_double, {}, 0, d);
  const auto mended = this->solve(A, this->in_half(Equilibration::automatic), {}, 0, d);
  EXPECT_TRUE(mended.result.converged());
  EXPECT_LE(mended.iterations(), 1.05 * best.iterations());
  EXPECT_EQ(mended.info.levels[0].A.storage, "half");
}

TYPED_TEST(EquilibrationTest, NearNullspaceIsScaledWithTheMatrix) {
  const auto p = this->problem(ProblemKind::elasticity3d, 6);
  const auto plain = this->solve(p, this->uniform());
  const std::size_t n = p.A.num_rows;
  const auto d = spread(n, 4);
  auto modes = to_host(p.near_nullspace);
  for (std::size_t i = 0; i < modes.size(); ++i)
    modes[i] /= d[i % n];
  const auto A = make_csr(this->exec, scaled(to_host(p.A), d, d));
  for (const auto equilibration : {Equilibration::automatic, Equilibration::unit_diagonal}) {
    const auto mended = this->solve(A, this->in_half(equilibration),
                                    to_multivector(this->exec, modes, n, modes.size() / n), 3, d);
    EXPECT_TRUE(mended.result.converged());
    EXPECT_LE(mended.iterations(), 2 * plain.iterations());
    EXPECT_EQ(mended.info.levels[0].A.storage, "half");
  }
}

TYPED_TEST(EquilibrationTest, NewValuesAreScaledAsTheFirstWere) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto before = times(to_host(this->problem(ProblemKind::jump2d, 60, 100).A), 1e9);
  const auto after = times(before, 3);
  for (const auto precision : {Precision::same, Precision::single}) {
    SolveParameters parameters = this->in_half(Equilibration::powers_of_two);
    parameters.precision = precision;
    parameters.amg.reuse = Reuse::symbolic;
    auto solver = set_up(this->exec, make_csr(this->exec, before), parameters);
    const auto first = this->solve(solver, before.num_rows);
    EXPECT_TRUE(first.result.converged());
    solver.update_values(this->exec, make_csr(this->exec, after));
    const auto second = this->solve(solver, before.num_rows);
    EXPECT_TRUE(second.result.converged());
    EXPECT_LE(std::abs(second.iterations() - first.iterations()), 1);
    solver.update_values(this->exec, make_csr(this->exec, before));
    expect_as_first<Space>(this->solve(solver, before.num_rows).x, first.x, 1e-3);
  }
}

TYPED_TEST(EquilibrationTest, IsPickedWhereRangeAsksForItAlone) {
  const auto p = this->problem(ProblemKind::poisson2d, 50);
  SolveParameters parameters = this->uniform();
  parameters.amg.storage.scalar = StorageScalar::half;
  EXPECT_EQ(this->solve(p, parameters).effective.equilibration, Equilibration::none);
  const auto large = times(to_host(p.A), 1e30);
  const auto A = make_csr(this->exec, large);
  EXPECT_EQ(this->solve(A, parameters).effective.equilibration, Equilibration::powers_of_two);
  // In double no entry is in danger.
  EXPECT_EQ(this->solve(A, this->uniform()).effective.equilibration, Equilibration::none);
  // Left open, float is taken, and the powers of two make room.
  SolveParameters open;
  const auto picked = this->solve(A, open);
  EXPECT_TRUE(picked.result.converged());
  EXPECT_EQ(picked.effective.precision, Precision::single);
  EXPECT_EQ(picked.effective.equilibration, Equilibration::powers_of_two);
  open.equilibration = Equilibration::none;
  EXPECT_EQ(this->solve(A, open).effective.precision, Precision::same);
}

}  // namespace tessera::test::equilibration_test
