// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A nullspace that the program gives to `Solver`.
#include "support/error_of.hpp"
#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/solver/make_solver.hpp"

#include <limits>

namespace tessera::test::given_nullspace_test {

using Vector = std::vector<double>;

/// A beam that nothing holds: D^T D of the second differences D, which takes every linear function
/// to zero.
HostMatrix<double> free_beam(Ordinal n) {
  std::vector<std::vector<std::pair<Ordinal, double>>> rows(n);
  const double stencil[] = {1, -2, 1};
  std::vector<Vector> dense(n, Vector(n, 0.0));
  for (Ordinal k = 0; k + 2 < n; ++k) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        dense[k + i][k + j] += stencil[i] * stencil[j];
    }
  }
  for (Ordinal i = 0; i < n; ++i) {
    for (Ordinal j = 0; j < n; ++j) {
      if (dense[i][j] != 0) rows[i].emplace_back(j, dense[i][j]);
    }
  }
  return from_rows(n, rows);
}

/// Two columns, a + b i and c + d i at row i.
Vector linear_functions(Ordinal n, double a, double b, double c, double d) {
  Vector basis;
  for (Ordinal i = 0; i < n; ++i)
    basis.push_back(a + b * i);
  for (Ordinal i = 0; i < n; ++i)
    basis.push_back(c + d * i);
  return basis;
}

/// A x of a hashed x.
Vector image_of_some(const HostMatrix<double>& A) {
  const auto Ax = multiply(A, random_vector<double>(A.num_cols, 1), 1);
  return {Ax.begin(), Ax.end()};
}

double dot(const double* x, const double* y, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    sum += x[i] * y[i];
  return sum;
}

template <class Param>
class GivenNullspaceTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;

  Solver<double, Space> solver_of(const HostMatrix<double>& A, const Vector& basis,
                                  const SolveParameters& p = {}) {
    Solver<double, Space> solver(p);
    solver.set_nullspace(exec, columns_of(A.num_rows, basis));
    solver.setup(exec, make_csr(exec, A));
    return solver;
  }

  MultiVector<double, Space> columns_of(Ordinal n, const Vector& values) {
    return to_multivector(exec, values, n, static_cast<int>(values.size()) / std::max(n, 1));
  }

  /// The part of the solution in the nullspace over all of it, for each vector of the basis.
  static void expect_orthogonal(const Vector& x, const Vector& basis) {
    for (std::size_t at = 0; at < basis.size(); at += x.size()) {
      const double size =
          std::sqrt(dot(x.data(), x.data(), x.size()) * dot(&basis[at], &basis[at], x.size()));
      EXPECT_LE(std::abs(dot(x.data(), &basis[at], x.size())), 1e-10 * size);
    }
  }

  static SolveParameters by_gmres() {
    SolveParameters p;
    p.preconditioner = PreconditionerKind::jacobi;
    p.solver.name = SolverName::gmres;
    p.solver.gmres.restart = 60;
    return p;
  }
};
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
  Network network(n * n);
  for (Ordinal v = 0; v < n * n; ++v) {
    if (v % n + 1 < n) network.tie(v, v + 1, 1);
    if (v / n + 1 < n) network.tie(v, v + n, 1);
  }
  Vector d;
  for (Ordinal v = 0; v < n * n; ++v)
    d.push_back(1 + 0.3 * std::sin(0.05 * v));
  const auto A = scaled(network.matrix(), d, d);
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

/// The beam with its rows in other units: it takes the same vectors to zero, and its transpose
/// those over the units.
struct ObliqueBeam {
  explicit ObliqueBeam(Ordinal n) : A(free_beam(n)), right(linear_functions(n, 1, 0, 0, 1)) {
    left = right;
    for_each_entry(A, [this](std::int32_t i, std::int32_t, double& value) { value *= unit(i); });
    for (std::size_t k = 0; k < left.size(); ++k)
      left[k] /= unit(static_cast<Ordinal>(k % n));
  }
  static double unit(Ordinal i) { return 1 + 0.25 * (i % 3); }

  HostMatrix<double> A;
  Vector right, left;
};

TYPED_TEST(GivenNullspaceTest, OfANonsymmetricMatrixIsLeftOutOfX) {
  constexpr Ordinal n = 40;
  const ObliqueBeam beam(n);
  const Vector b = image_of_some(beam.A);
  for (const bool knows_left : {false, true}) {
    for (const SolveParameters& p : {SolveParameters(), this->by_gmres()}) {
      Solver<double, typename TypeParam::Space> solver(p);
      solver.set_nullspace(this->exec, this->columns_of(n, beam.right),
                           this->columns_of(n, knows_left ? beam.left : Vector()));
      solver.setup(this->exec, make_csr(this->exec, beam.A));
      const auto x = this->columns_of(n, random_vector<double>(n, 2));
      const auto result = solver.solve(this->exec, this->columns_of(n, b), x);
      EXPECT_TRUE(result.converged()) << to_string(result.status) << " " << knows_left;
      this->expect_orthogonal(to_host(x), beam.right);
    }
  }
}

TYPED_TEST(GivenNullspaceTest, OfTheTransposeIsLeftOutOfTheResidual) {
  constexpr Ordinal n = 40;
  const ObliqueBeam beam(n);
  Vector b = image_of_some(beam.A);
  const double size = std::sqrt(dot(b.data(), b.data(), n));
  const double length = std::sqrt(dot(beam.left.data(), beam.left.data(), n));
  for (Ordinal i = 0; i < n; ++i)
    b[i] += size / length * beam.left[i];  // what no x reduces, as long as the rest
  const auto solve = [&](const Vector& left) {
    Solver<double, typename TypeParam::Space> solver(this->by_gmres());
    solver.set_nullspace(this->exec, this->columns_of(n, beam.right), this->columns_of(n, left));
    solver.setup(this->exec, make_csr(this->exec, beam.A));
    return solver.solve(this->exec, this->columns_of(n, b), zeros<double>(this->exec, n));
  };
  const auto known = solve(beam.left);
  EXPECT_EQ(to_string(known.status), "least_squares");
  EXPECT_NEAR(known.outside_range, std::sqrt(0.5), 0.02);
  EXPECT_FALSE(solve({}).converged())
      << "b is not in the range, and nothing says what of it is not";
}

TYPED_TEST(GivenNullspaceTest, OfTheTransposeIsChecked) {
  constexpr Ordinal n = 20;
  const ObliqueBeam beam(n);
  const auto error = [&](const Vector& right, const Vector& left) {
    return error_of([&] {
      Solver<double, typename TypeParam::Space> solver;
      solver.set_nullspace(this->exec, this->columns_of(n, right), this->columns_of(n, left));
      solver.setup(this->exec, make_csr(this->exec, beam.A));
      // New values, of which the same must hold.
      auto other = beam.A;
      for_each_entry(other, [](std::int32_t i, std::int32_t, double& value) { value *= 1 + i; });
      solver.update_values(this->exec, make_csr(this->exec, other));
    });
  };
  expect_error(error(beam.right, beam.right), ErrorKind::configuration, {"of the transpose"});
  expect_error(error(beam.left, beam.left), ErrorKind::configuration, {"the nullspace given"});
  expect_error(error({}, beam.left), ErrorKind::precondition, {"none of the matrix itself"});
  expect_error(error(beam.right, beam.left), ErrorKind::configuration, {"of the transpose"});
  EXPECT_FALSE(error(beam.right, {}));
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
