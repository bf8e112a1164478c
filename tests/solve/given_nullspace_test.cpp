// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A nullspace that the program gives to `Solver`.
#include "solve/given_nullspaces.hpp"
#include "support/error_of.hpp"
#include "support/notes.hpp"
#include "support/systems.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/solver/make_solver.hpp"

#include <limits>

namespace tessera::test::given_nullspace_test {

using namespace given_nullspaces;

template <class Param>
class GivenNullspaceTest : public GivenNullspaceFixture<Param> {};
TYPED_TEST_SUITE(GivenNullspaceTest, Spaces, TypeNames);

TYPED_TEST(GivenNullspaceTest, SolvesInItsComplementWhateverTheBasis) {
  constexpr Ordinal n = 40;
  const auto A = free_beam(n);
  const Vector ones_and_rows = linear_functions(n, 1, 0, 0, 1);
  const Vector b = image_of_some(A);
  for (const Vector& basis : {ones_and_rows, linear_functions(n, 1, 2, -3, 0.5),
                              linear_functions(n, 1e200, 0, 0, 1e-200)}) {
    for (const SolveParameters& p : {SolveParameters(), this->by_gmres()}) {
      auto solver = this->solver_of(A, basis, p);
      EXPECT_EQ(solver.parameters().solver.nullspace, NullspaceKind::given);
      const auto x = this->columns_of(n, random_vector<double>(n, 2));  // a guess with a part in it
      const auto result = solver.solve(this->exec, this->columns_of(n, b), x);
      EXPECT_TRUE(result.converged()) << to_string(result.status);
      EXPECT_LE(result.true_relative_residual, 1e-8);
      this->expect_orthogonal(to_host(x), ones_and_rows);
    }
  }
}

TYPED_TEST(GivenNullspaceTest, LeavesWhatNoSolutionReduces) {
  constexpr Ordinal n = 40;
  const auto A = free_beam(n);
  const Vector basis = linear_functions(n, 1, 0, 0, 1);
  Vector b = image_of_some(A);
  const Vector in_range = b;
  const double size = std::sqrt(dot(b.data(), b.data(), n));
  for (Ordinal i = 0; i < n; ++i)
    b[i] += size / std::sqrt(n);
  b.insert(b.end(), in_range.begin(), in_range.end());
  auto solver = this->solver_of(A, basis, this->by_gmres());
  const auto x = zeros<double>(this->exec, n, 2);
  const auto result = solver.solve(this->exec, to_multivector(this->exec, b, n, 2), x);
  EXPECT_EQ(to_string(result.columns[0].status), "least_squares");
  EXPECT_NEAR(result.columns[0].outside_range, 1 / std::sqrt(2), 1e-6);
  EXPECT_EQ(to_string(result.columns[1].status), "converged");
  const Vector solutions = to_host(x);
  for (const int j : {0, 1})
    this->expect_orthogonal({solutions.begin() + j * n, solutions.begin() + (j + 1) * n}, basis);
}

TYPED_TEST(GivenNullspaceTest, VectorsThatDependOnOthersDropOut) {
  constexpr Ordinal n = 30;
  const auto A = free_beam(n);
  Vector basis = linear_functions(n, 1, 0, 0, 1);
  const Vector more = linear_functions(n, 2, 3, 1, 0);
  basis.insert(basis.end(), more.begin(), more.end());
  auto solver = this->solver_of(A, basis, this->by_gmres());
  const Vector b = image_of_some(A);
  const auto x = zeros<double>(this->exec, n);
  EXPECT_TRUE(solver.solve(this->exec, this->columns_of(n, b), x).converged());
  this->expect_orthogonal(to_host(x), basis);
}

TYPED_TEST(GivenNullspaceTest, MultigridIsMadeOfTheSameVectors) {
  // A grid that nothing ties to the ground, in units of each unknown: its nullspace is 1 / d.
  const Ordinal n = 60;
  Vector d;
  for (Ordinal v = 0; v < n * n; ++v)
    d.push_back(1 + 0.3 * std::sin(0.05 * v));
  const auto A = scaled(floating_grid(n, n), d, d);
  Vector basis;
  for (const double value : d)
    basis.push_back(1 / value);
  SolveParameters p;
  p.preconditioner = PreconditionerKind::amg;
  Solver<double, typename TypeParam::Space> solver(p);
  const auto vectors = this->columns_of(n * n, basis);
  solver.set_nullspace(this->exec, vectors);
  solver.setup(this->exec, make_csr(this->exec, A), vectors);
  const Vector b = image_of_some(A);
  const auto x = zeros<double>(this->exec, n * n);
  const auto result = solver.solve(this->exec, this->columns_of(n * n, b), x);
  EXPECT_TRUE(result.converged()) << to_string(result.status);
  EXPECT_LE(result.iterations, 30);
  this->expect_orthogonal(to_host(x), basis);
  EXPECT_TRUE(noted(solver.hierarchy(), "nullspace given: 1 of its vectors was set"));
}

TYPED_TEST(GivenNullspaceTest, FollowsNewValues) {
  constexpr Ordinal n = 30;
  auto A = free_beam(n);
  const Vector basis = linear_functions(n, 1, 0, 0, 1);
  auto solver = this->solver_of(A, basis, this->by_gmres());
  for (double& value : A.values)
    value *= 3;
  solver.update_values(this->exec, make_csr(this->exec, A));
  const Vector b = image_of_some(A);
  const auto x = zeros<double>(this->exec, n);
  EXPECT_TRUE(solver.solve(this->exec, this->columns_of(n, b), x).converged());
  const auto tied = [](std::int32_t i, std::int32_t j, double& value) {
    if (i == j) value += 1;
  };
  for_each_entry(A, tied);
  expect_error(error_of([&] { solver.update_values(this->exec, make_csr(this->exec, A)); }),
               ErrorKind::configuration, {"the nullspace given"});
  // Without it the tied beam is a system like others.
  solver.set_nullspace(this->exec, {});
  solver.setup(this->exec, make_csr(this->exec, A));
  EXPECT_EQ(solver.parameters().solver.nullspace, NullspaceKind::none);
}

TYPED_TEST(GivenNullspaceTest, TakesMatricesOfOneRowAndOfNone) {
  HostMatrix<double> zero = identity<double>(1);
  zero.values[0] = 0;
  auto solver = this->solver_of(zero, {7});
  const auto x = this->columns_of(1, {5});
  const auto of_zero = solver.solve(this->exec, this->columns_of(1, {0}), x);
  EXPECT_TRUE(of_zero.converged()) << to_string(of_zero.status);
  EXPECT_EQ(to_host(x)[0], 0);
  EXPECT_EQ(to_string(solver.solve(this->exec, this->columns_of(1, {2}), x).status),
            "least_squares");
  Solver<double, typename TypeParam::Space> of_none;
  of_none.set_nullspace(this->exec, zeros<double>(this->exec, 0, 2));
  of_none.setup(this->exec, make_csr(this->exec, identity<double>(0)));
  EXPECT_TRUE(of_none.solve(this->exec, zeros<double>(this->exec, 0), zeros<double>(this->exec, 0))
                  .converged());
}

TYPED_TEST(GivenNullspaceTest, IsCheckedAgainstTheMatrixAndTheParameters) {
  constexpr Ordinal n = 20;
  const auto A = free_beam(n);
  const Vector basis = linear_functions(n, 1, 0, 0, 1);
  const auto error = [&](const HostMatrix<double>& matrix, const Vector& vectors,
                         const SolveParameters& p = {}) {
    return error_of([&] { this->solver_of(matrix, vectors, p); });
  };
  EXPECT_FALSE(error(A, basis));
  Vector wrong = basis;
  wrong[n + 3] += 1;
  expect_error(error(A, wrong), ErrorKind::configuration, {"the nullspace given"});
  SolveParameters p;
  for (const auto kind :
       {NullspaceKind::none, NullspaceKind::constant, NullspaceKind::components}) {
    p.solver.nullspace = kind;
    expect_error(error(A, basis, p), ErrorKind::configuration, {"solver.nullspace"});
  }
  p.solver.nullspace = NullspaceKind::given;
  EXPECT_FALSE(error(A, basis, p));
  Solver<double, typename TypeParam::Space> without(p);
  expect_error(error_of([&] { without.setup(this->exec, make_csr(this->exec, A)); }),
               ErrorKind::configuration, {"solver.nullspace=given", "set_nullspace"});
  p.solver.name = SolverName::cg;
  const auto krylov = make_solver<double, typename TypeParam::Space>(p.solver);
  const CrsMatrix<double, typename TypeParam::Space> op(this->exec, make_csr(this->exec, A));
  expect_error(error_of([&] {
                 krylov->solve(this->exec, op, nullptr, zeros<double>(this->exec, n),
                               zeros<double>(this->exec, n));
               }),
               ErrorKind::configuration, {"solver.nullspace=given"});

  Solver<double, typename TypeParam::Space> other;
  other.set_nullspace(this->exec, this->columns_of(n, basis));
  expect_error(error_of([&] { other.setup(this->exec, make_csr(this->exec, free_beam(n + 1))); }),
               ErrorKind::precondition, {"20 rows, expected 21"});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {nan, std::numeric_limits<double>::infinity(), 0.0}) {
    Vector vectors(n, bad == 0 ? 0.0 : 1.0);
    vectors[2] = bad;
    expect_error(error_of([&] { other.set_nullspace(this->exec, this->columns_of(n, vectors)); }),
                 ErrorKind::bad_input, {"vector 0 of the nullspace"});
  }
}

}  // namespace tessera::test::given_nullspace_test
