// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// New values in an old pattern, in every format and precision, and where storage is picked again.
#include "solve/reuse_fixture.hpp"
#include "solve/unsuited_matrices.hpp"
#include "support/storage_formats.hpp"

#include "tessera/kernels/execution/host_space.hpp"

namespace tessera::test::reuse_storage_test {

template <class Param>
class ReuseStorageTest : public ReuseFixture<Param> {};
TYPED_TEST_SUITE(ReuseStorageTest, Matrices, TypeNames);

/// Where float is a choice.
template <class Param>
using ReuseInDouble = ReuseStorageTest<Param>;
TYPED_TEST_SUITE(ReuseInDouble, Spaces, TypeNames);

TYPED_TEST(ReuseStorageTest, AKeptHierarchyIsASnapshotInEveryPrecision) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto before = this->matrix(ProblemKind::poisson2d, 50);
  for (const Precision precision : {Precision::same, Precision::automatic}) {
    const auto A = make_csr<Offset>(this->exec, before);
    auto p = this->parameters(Reuse::hierarchy);
    p.precision = precision;
    auto solver = set_up(this->exec, A, p);
    const auto first = this->preconditioned(solver, A.num_rows);
    this->overwrite(A, this->shifted(before, 0.5));
    EXPECT_EQ(this->preconditioned(solver, A.num_rows), first);
    solver.update_values(this->exec);
    EXPECT_EQ(this->preconditioned(solver, A.num_rows), first);
    EXPECT_TRUE(this->solve(solver, A.num_rows).converged());
  }
}

/// P and R stay, in whatever they are stored; operators and smoothers follow the values.
TYPED_TEST(ReuseStorageTest, KeptInterpolationIsThatOfTheFirstSetupInEveryStorage) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto before = this->matrix(ProblemKind::poisson2d, 50);
  const auto after = this->shifted(before, 0.2);
  auto fresh =
      set_up(this->exec, make_csr<Offset>(this->exec, after), this->parameters(Reuse::none));
  const int expected = this->solve(fresh, before.num_rows).iterations;
  const auto plain = this->parameters(Reuse::interpolation);
  std::vector<SolveParameters> all(4, plain);
  all[1].amg.storage.scalar = StorageScalar::half;
  all[2].amg.storage.format = StorageFormat::mbsr;
  all[2].amg.products = amg::Products::mbsr;
  all[3].amg.levels.assign(2, amg::uniform_choice(plain.amg));
  all[3].amg.levels[1].A.scalar = all[3].amg.levels[1].P.scalar = StorageScalar::half;
  all[3].amg.levels[1].vectors =
      std::is_same_v<Scalar, double> ? amg::VectorScalar::float32 : amg::VectorScalar::same;
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(i);
    const auto A = make_csr<Offset>(this->exec, before);
    auto solver = set_up(this->exec, A, all[i]);
    const auto first = this->preconditioned(solver, A.num_rows);
    this->overwrite(A, after);
    solver.update_values(this->exec);
    EXPECT_NE(this->preconditioned(solver, A.num_rows), first);
    const auto result = this->solve(solver, A.num_rows);
    EXPECT_TRUE(result.converged());
    EXPECT_LE(result.iterations, expected + 3);
    this->overwrite(A, before);
    solver.update_values(this->exec);
    if (kernels::is_host_space<Space>) {
      EXPECT_EQ(this->preconditioned(solver, A.num_rows), first) << "back to its bits";
    }
  }
}

TYPED_TEST(ReuseStorageTest, EveryFormatAndScalarFollowsTheValues) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto before = this->matrix(ProblemKind::poisson2d, 50);
  const auto after = this->shifted(before, 3);
  auto fresh =
      set_up(this->exec, make_csr<Offset>(this->exec, after), this->parameters(Reuse::none));
  const int expected = this->solve(fresh, before.num_rows).iterations;
  for (const StorageFormat format : storage_formats_to_choose()) {
    for (const StorageScalar scalar : {StorageScalar::same, StorageScalar::half}) {
      auto p = this->parameters(Reuse::symbolic);
      p.amg.storage = {format, scalar};
      const auto A = make_csr<Offset>(this->exec, before);
      auto solver = set_up(this->exec, A, p);
      this->overwrite(A, after);
      solver.update_values(this->exec);
      const auto result = this->solve(solver, A.num_rows);
      EXPECT_TRUE(result.converged());
      EXPECT_LE(result.iterations, expected + 2)
          << static_cast<int>(format) << " " << static_cast<int>(scalar);
    }
  }
}

/// Coefficients that jump only from the second time step on: neither half nor float is for them.
TYPED_TEST(ReuseInDouble, OpenStorageIsPickedAgainForTheNewValues) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto even = this->matrix(ProblemKind::jump2d, 60, 1);
  const auto jumping = this->matrix(ProblemKind::jump2d, 60, 1e9);
  ASSERT_EQ(even.columns, jumping.columns);
  for (const Reuse reuse : {Reuse::symbolic, Reuse::interpolation}) {
    SCOPED_TRACE(static_cast<int>(reuse));
    auto p = this->parameters(reuse);
    p.preconditioner = PreconditionerKind::amg;
    p.precision = Precision::same;
    p.amg.scale_restriction = false;
    const auto A = make_csr<Offset>(this->exec, even);
    auto in_double = set_up(this->exec, A, p);
    p.amg.storage.scalar = StorageScalar::automatic;
    auto solver = set_up(this->exec, A, p);
    const auto stored_as = [&](const std::string& scalar) {
      ASSERT_GE(solver.hierarchy().levels.size(), 2U);
      const auto& finest = solver.hierarchy().levels.front();
      EXPECT_EQ(finest.A.storage, scalar);
      EXPECT_EQ(finest.P.storage, scalar);
      EXPECT_EQ(finest.R.storage, scalar);
    };
    stored_as("half");
    const auto first = this->preconditioned(solver, A.num_rows);
    for (int repetition = 0; repetition < 2; ++repetition) {
      this->overwrite(A, jumping);
      solver.update_values(this->exec);
      in_double.update_values(this->exec);
      stored_as("double");
      if (kernels::is_host_space<Space>) {
        EXPECT_EQ(this->preconditioned(solver, A.num_rows),
                  this->preconditioned(in_double, A.num_rows));
      }
      this->overwrite(A, even);
      solver.update_values(this->exec);
      stored_as("half");
      if (kernels::is_host_space<Space>) {
        EXPECT_EQ(this->preconditioned(solver, A.num_rows), first);
      }
    }
    this->overwrite(A, jumping);
    solver.update_values(this->exec);
    if (reuse == Reuse::symbolic) {
      EXPECT_TRUE(this->solve(solver, A.num_rows).converged());
    }
  }
}

/// A clamped beam, to which rounding to float does more than its smallest eigenvalue allows at one
/// length or another; on an elastic bed at first.
TYPED_TEST(ReuseInDouble, ValuesBelowWhichFloatIsNotDefiniteAreSetUpInDouble) {
  TESSERA_TEST_TYPES(TypeParam);
  int num_left = 0;
  for (Ordinal n = 3000; n <= 10000 && num_left == 0; n += 500) {
    SCOPED_TRACE(n);
    const auto clamped = clamped_beam(n);
    auto p = this->parameters(Reuse::symbolic);
    p.preconditioner = PreconditionerKind::amg;
    const auto A = make_csr<Offset>(this->exec, this->shifted(clamped, 1e-3));
    auto solver = set_up(this->exec, A, p);
    ASSERT_EQ(solver.parameters().precision, Precision::single);
    this->overwrite(A, clamped);
    solver.update_values(this->exec);
    EXPECT_EQ(solver.hierarchy().levels.back().aggregation, "dense cholesky");
    num_left += solver.parameters().precision == Precision::same;
  }
  EXPECT_GT(num_left, 0);
}

}  // namespace tessera::test::reuse_storage_test
