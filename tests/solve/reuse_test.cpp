// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// New values in an old pattern: what `update_values` makes is what a setup would make of them.
#include "solve/reuse_fixture.hpp"
#include "support/planned_products.hpp"

namespace tessera::test::reuse_test {

template <class Param>
class ReuseTest : public ReuseFixture<Param> {};
TYPED_TEST_SUITE(ReuseTest, Matrices, TypeNames);

/// One dense level in A's own precision: the products with A are planned once, for solver and
/// preconditioner.
TYPED_TEST(ReuseTest, TheFinestMatrixIsAnalysedOnce) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto A = make_csr<Offset>(this->exec, this->matrix(ProblemKind::poisson2d, 10));
  for (const auto equilibration :
       {Equilibration::none, Equilibration::powers_of_two, Equilibration::unit_diagonal}) {
    auto p = this->parameters(Reuse::none);
    p.preconditioner = PreconditionerKind::amg;
    p.precision = Precision::same;
    p.equilibration = equilibration;
    const PlannedProducts plans(p.tensor_cores);
    auto solver = set_up(this->exec, A, p);
    ASSERT_EQ(solver.hierarchy().levels.size(), 1U);
    EXPECT_EQ(plans.count(), 1);
    EXPECT_TRUE(this->solve(solver, A.num_rows).converged());
  }
}

TYPED_TEST(ReuseTest, SymbolicIsASetupForTheNewValues) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const ProblemKind kind :
       {ProblemKind::poisson2d, ProblemKind::jump2d, ProblemKind::convdiff2d}) {
    const auto before = this->matrix(kind, 50);
    const auto after = this->shifted(before, 0.1);
    const auto A = make_csr<Offset>(this->exec, before);
    auto solver = set_up(this->exec, A, this->parameters(Reuse::symbolic));
    const auto first = this->solve(solver, A.num_rows);
    ASSERT_TRUE(first.converged());
    this->overwrite(A, after);
    solver.update_values(this->exec);
    const auto second = this->solve(solver, A.num_rows);
    EXPECT_TRUE(second.converged());

    auto fresh =
        set_up(this->exec, make_csr<Offset>(this->exec, after), this->parameters(Reuse::none));
    const auto expected = this->solve(fresh, A.num_rows);
    EXPECT_LE(second.iterations, expected.iterations + 3) << static_cast<int>(kind);

    // And back: the bits of the first setup, whatever was in between.
    this->overwrite(A, before);
    solver.update_values(this->exec);
    const auto third = this->solve(solver, A.num_rows);
    EXPECT_EQ(third.iterations, first.iterations);
  }
}

/// Wind from the other side: what smoothed the restriction then is weak now, and the other way
/// round. The patterns stay all the same, on every level and in every format, and so do the bits of
/// a second update.
TYPED_TEST(ReuseTest, AFlowThatTurnsRoundConverges) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto before = sorted(this->matrix(ProblemKind::convdiff2d, 50));
  const auto after = transpose(before);
  ASSERT_EQ(before.columns, after.columns);
  for (const StorageFormat format : {StorageFormat::csr, StorageFormat::mbsr}) {
    auto p = this->parameters(Reuse::symbolic);
    p.amg.storage.format = format;
    const auto A = make_csr<Offset>(this->exec, before);
    auto solver = set_up(this->exec, A, p);
    const auto levels = solver.hierarchy().levels;
    std::vector<int> iterations;
    for (int repetition = 0; repetition < 2; ++repetition) {
      this->overwrite(A, after);
      solver.update_values(this->exec);
      const auto turned = this->solve(solver, A.num_rows);
      EXPECT_TRUE(turned.converged());
      iterations.push_back(turned.iterations);
      this->overwrite(A, before);
      solver.update_values(this->exec);
      EXPECT_TRUE(this->solve(solver, A.num_rows).converged());
    }
    EXPECT_EQ(iterations[0], iterations[1]);
    ASSERT_EQ(solver.hierarchy().levels.size(), levels.size());
    for (std::size_t l = 0; l < levels.size(); ++l)
      EXPECT_EQ(solver.hierarchy().levels[l].entries, levels[l].entries) << l;
  }
}

TYPED_TEST(ReuseTest, AScaledMatrixNeedsAsManyIterations) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto scaled = this->matrix(ProblemKind::poisson2d, 60);
  const auto A = make_csr<Offset>(this->exec, scaled);
  for (const Reuse reuse : {Reuse::symbolic, Reuse::interpolation}) {
    auto solver = set_up(this->exec, A, this->parameters(reuse));
    const auto x = zeros<Scalar>(this->exec, A.num_rows);
    const int iterations = this->solve(solver, x).iterations;
    const auto B = make_csr<Offset>(this->exec, times(scaled, 1024));
    solver.update_values(this->exec, B);
    const auto y = zeros<Scalar>(this->exec, A.num_rows);
    const auto result = this->solve(solver, y);
    EXPECT_TRUE(result.converged());
    EXPECT_EQ(result.iterations, iterations);
    const auto before = to_host(x);
    const auto after = to_host(y);
    for (std::size_t i = 0; i < before.size(); i += 97)
      EXPECT_NEAR(1024 * after[i], before[i], 1e-3 * std::abs(before[i])) << i;
  }
}

TYPED_TEST(ReuseTest, NotesAndPeakAreThoseOfTheLastUpdate) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto before = this->matrix(ProblemKind::poisson2d, 45);
  const auto after = this->shifted(before, 0.1);
  for (const Reuse reuse : {Reuse::symbolic, Reuse::interpolation, Reuse::hierarchy}) {
    for (const auto kernel : {SingleKernel::off, SingleKernel::on}) {
      SCOPED_TRACE(std::to_string(static_cast<int>(reuse)) +
                   (kernel == SingleKernel::on ? ", one kernel" : ""));
      auto p = this->parameters(reuse);
      p.amg.measure_memory = true;
      p.amg.max_levels = 2;  // with a note
      p.solver.single_kernel = kernel;
      const auto A = make_csr<Offset>(this->exec, before);
      auto solver = set_up(this->exec, A, p);
      const auto peak = solver.hierarchy().setup_peak_bytes;
      const auto notes = solver.hierarchy().notes;
      EXPECT_GE(notes.size(), 2U);
      EXPECT_EQ(std::count(notes.begin(), notes.end(), ""), 0);
      this->overwrite(A, after);
      for (int update = 0; update < 3; ++update) {
        solver.update_values(this->exec);
        EXPECT_EQ(solver.hierarchy().notes, notes) << update;
        // The program of a kernel is rewritten, whatever else stays.
        if (kernel == SingleKernel::off || reuse != Reuse::hierarchy) {
          EXPECT_EQ(solver.hierarchy().setup_peak_bytes > 0, reuse != Reuse::hierarchy);
        }
        EXPECT_LT(solver.hierarchy().setup_peak_bytes, peak);
      }
    }
  }
}

TYPED_TEST(ReuseTest, NoReuseSetsUpAgainWithTheNearNullspaceOfTheFirstSetup) {
  TESSERA_TEST_TYPES(TypeParam);
  auto p = make_problem<Scalar, Space, Offset>(this->exec,
                                               {.problem = ProblemKind::elasticity2d, .n = 20});
  auto solver = set_up(this->exec, p, this->parameters(Reuse::none));
  const auto expected = this->solve(solver, p.A.num_rows);
  p.near_nullspace = {};
  solver.update_values(this->exec);
  solver.update_values(this->exec);
  EXPECT_EQ(this->solve(solver, p.A.num_rows).iterations, expected.iterations);
}

}  // namespace tessera::test::reuse_test
