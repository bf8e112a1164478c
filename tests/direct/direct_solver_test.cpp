// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The sparse direct solver as Solver uses it where it is asked for by name.
#include "direct/direct_solver_fixture.hpp"
#include "support/error_of.hpp"
#include "support/notes.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"
#include "tessera/direct/host_matrix.hpp"
#include "tessera/direct/sparse_direct.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/solve.hpp"

#include <cstdlib>
#include <limits>
#include <set>

namespace tessera::test::direct_solver_test {

template <class Param>
class DirectSolverTest : public DirectSolverFixture<Param> {};
TYPED_TEST_SUITE(DirectSolverTest, Matrices, TypeNames);

TYPED_TEST(DirectSolverTest, ByNameSolvesInAnIterationOrTwo) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const int k : {1, 3}) {
    this->set_up(poisson<Scalar>(30, 25), this->by_name());
    auto result = this->solve(k);
    EXPECT_EQ(to_string(result.status), "converged");
    EXPECT_LE(result.iterations, 2);
    EXPECT_TRUE(noted(this->solver.hierarchy(), "factors: cholesky"));
    EXPECT_EQ(this->solver.parameters().solver.name, SolverName::cg);

    auto A = random_matrix<Scalar>({.num_rows = 150, .num_cols = 150});
    for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto& value) {
      if (j == i) value += 9;
    });
    this->set_up(A, this->by_name());
    result = this->solve(k);
    EXPECT_EQ(this->solver.parameters().solver.name, SolverName::gmres);
    EXPECT_TRUE(noted(this->solver.hierarchy(), "factors: lu"));
  }
}

TYPED_TEST(DirectSolverTest, EmptyMatricesAndThoseOfOneRow) {
  TESSERA_TEST_TYPES(TypeParam);
  this->set_up(HostMatrix<Scalar>{}, this->by_name());
  EXPECT_TRUE(this->solve().converged());
  this->set_up(HostMatrix<Scalar>{1, 1, {0, 1}, {0}, {Scalar(-3)}}, this->by_name());
  EXPECT_TRUE(this->solve().converged());
}

TYPED_TEST(DirectSolverTest, RowsComeToTheHostSortedAndTheirDuplicatesAddedUp) {
  TESSERA_TEST_TYPES(TypeParam);
  // Each entry in two halves and backwards, in every third row; the rest is tidy.
  const auto A = to_host(
      make_problem<Scalar, Space, Offset>(this->exec, {.problem = ProblemKind::poisson2d, .n = 9})
          .A);
  const auto B = by_rows<Scalar>(A.num_rows, A.num_cols, [&](auto& B, Ordinal i) {
    const auto begin = static_cast<std::ptrdiff_t>(A.offsets[i]);
    const auto end = static_cast<std::ptrdiff_t>(A.offsets[i + 1]);
    const bool is_tidy = i % 3 != 0;
    for (int half = is_tidy ? 1 : 0; half < 2; ++half) {
      for (auto k = begin; k < end; ++k) {
        const auto e = is_tidy ? k : begin + end - 1 - k;
        B.push(A.columns[e], static_cast<Scalar>(is_tidy ? A.values[e] : A.values[e] / 2));
      }
    }
  });
  const auto found = direct::to_host(this->exec, test::make_csr<Offset>(this->exec, B).view());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->n, A.num_rows);
  ASSERT_EQ(found->columns.size(), A.columns.size());
  EXPECT_TRUE(std::equal(found->offsets.begin(), found->offsets.end(), A.offsets.begin()));
  EXPECT_TRUE(std::equal(found->columns.begin(), found->columns.end(), A.columns.begin()));
  EXPECT_TRUE(std::equal(found->values.begin(), found->values.end(), A.values.begin()));
}

TYPED_TEST(DirectSolverTest, ANullspaceIsProjectedOutOfWhatFactorsGive) {
  TESSERA_TEST_TYPES(TypeParam);
  auto A = poisson<Scalar>(20, 20);
  for_each_entry(A, [&](int i, int j, auto& value) {
    if (i == j) value = static_cast<Scalar>(A.offsets[i + 1] - A.offsets[i] - 1);
  });
  this->set_up(A, this->by_name());
  EXPECT_EQ(this->solver.parameters().solver.nullspace, NullspaceKind::constant);
  auto b = random_vector<Scalar>(this->n);
  double mean = 0;
  for (const Scalar value : b)
    mean += value / static_cast<double>(this->n);
  for (Scalar& value : b)
    value -= static_cast<Scalar>(mean);
  const auto x = to_multivector(this->exec, std::vector<Scalar>(this->n, Scalar(0)), this->n, 1);
  const auto result = this->solver.solve(this->exec, to_multivector(this->exec, b, this->n, 1), x);
  EXPECT_EQ(to_string(result.status), "converged");
  EXPECT_LE(result.iterations, 6);
}

TYPED_TEST(DirectSolverTest, NewValuesAreFactoredAlongTheOldOrder) {
  TESSERA_TEST_TYPES(TypeParam);
  auto p = this->by_name();
  p.amg.reuse = amg::Reuse::symbolic;
  this->set_up(poisson<Scalar>(20, 20), p);
  auto values = to_host(this->matrix.values);
  for (Scalar& value : values)
    value *= 4;
  Kokkos::deep_copy(this->matrix.values, to_device(this->exec, values));
  this->solver.update_values(this->exec);
  const auto result = this->solve();
  EXPECT_EQ(to_string(result.status), "converged");
  EXPECT_LE(result.iterations, 2);
}

TYPED_TEST(DirectSolverTest, RefusesNumbersThatAreNotFinite) {
  TESSERA_TEST_TYPES(TypeParam);
  auto A = poisson<Scalar>(20, 20);
  A.values[5] = std::numeric_limits<Scalar>::quiet_NaN();
  expect_error(error_of([&] { this->set_up(A, this->by_name()); }), ErrorKind::bad_input, {"NaN"});
}

TYPED_TEST(DirectSolverTest, RefusesFactorsBeyondTheirMemory) {
  TESSERA_TEST_TYPES(TypeParam);
  auto p = this->by_name();
  p.direct.max_memory_mb = 0.01;
  expect_error(error_of([&] { this->set_up(poisson<Scalar>(40, 40), p); }),
               ErrorKind::configuration, {"direct.max_memory_mb"});
}

TEST(DirectSolver, IsAConfigurationErrorWhereTheLibraryHasNone) {
  if (direct::available()) GTEST_SKIP() << "built with SuiteSparse";
  SolveParameters p;
  p.preconditioner = PreconditionerKind::direct;
  const HostSpace exec;
  Solver<double, HostSpace> solver(p);
  expect_error(error_of([&] { solver.setup(exec, make_csr(exec, poisson<double>(10, 10))); }),
               ErrorKind::configuration, {"preconditioner=direct", "TESSERA_ENABLE_SUITESPARSE"});
}

}  // namespace tessera::test::direct_solver_test
