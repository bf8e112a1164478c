// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Singular symmetric systems: the nullspace is projected out.
#include "solver_fixture.hpp"
#include "support/error_of.hpp"

#include "tessera/solver/nullspace_projector.hpp"

namespace tessera::test::singular_test {

TESSERA_TEST_SUITE(SingularSystems, Scalars, TypeNames);

/// The graph Laplacian of `parts` separate paths of `length` points: each part's indicator spans
/// the nullspace.
template <class Scalar>
HostMatrix<Scalar> path_laplacian(std::int32_t length, std::int32_t parts = 1) {
  std::vector<std::vector<std::pair<std::int32_t, Scalar>>> rows;
  for (std::int32_t i = 0; i < length * parts; ++i) {
    const bool first = i % length == 0;
    const bool last = i % length == length - 1;
    auto& row = rows.emplace_back();
    if (!first) row.emplace_back(i - 1, Scalar(-1));
    row.emplace_back(i, Scalar(!first + !last));
    if (!last) row.emplace_back(i + 1, Scalar(-1));
  }
  return from_rows(length * parts, rows);
}

/// A random vector without its mean over each part.
template <class Scalar>
std::vector<Scalar> without_means(std::int32_t length, std::int32_t parts, std::uint64_t seed) {
  auto b = random_vector<Scalar>(length * parts, seed);
  for (std::int32_t part = 0; part < parts; ++part) {
    double mean = 0;
    for (std::int32_t i = 0; i < length; ++i)
      mean += static_cast<double>(b[part * length + i]) / length;
    for (std::int32_t i = 0; i < length; ++i)
      b[part * length + i] -= static_cast<Scalar>(mean);
  }
  return b;
}

TESSERA_TYPED_TEST(SingularSystems, PureNeumannProblemConvergesToTheMeanFreeSolution) {
  const std::int32_t n = 40;
  const auto A = path_laplacian<Scalar>(n);
  const auto b = without_means<Scalar>(n, 1, 3);
  const double tolerance = sizeof(Scalar) == 8 ? 1e-9 : 1e-4;
  for (const SolverName name : {SolverName::cg, SolverName::gmres, SolverName::bicgstab}) {
    for (const With with : {With::nothing, With::jacobi}) {
      SCOPED_TRACE(name_of(name));
      const auto solved = solve<Space>(
          SolverParameters{
              .name = name, .tolerance = tolerance, .nullspace = NullspaceKind::constant},
          A, b, 1, with, std::vector<Scalar>(n, Scalar(5)));
      EXPECT_EQ(to_string(solved.result.status), "converged");
      double sum = 0;
      for (const Scalar value : solved.x)
        sum += value;
      EXPECT_NEAR(sum, 0, sizeof(Scalar) == 8 ? 1e-11 : 1e-2);
      const auto norms = residual_norms(A, b, solved.x, 1);
      EXPECT_LE(norms[0], 10 * tolerance * residual_norms(A, b, std::vector<Scalar>(n), 1)[0]);
    }
  }
}

TESSERA_TYPED_TEST(SingularSystems, InconsistentRightHandSideEndsAtTheLeastSquaresSolution) {
  const std::int32_t n = 30;
  const auto A = path_laplacian<Scalar>(n);
  const auto consistent = without_means<Scalar>(n, 1, 5);
  auto b = consistent;
  for (Scalar& value : b)
    value += Scalar(0.25);
  const double tolerance = sizeof(Scalar) == 8 ? 1e-9 : 1e-4;
  const auto solved = solve<Space>(
      SolverParameters{
          .name = SolverName::cg, .tolerance = tolerance, .nullspace = NullspaceKind::constant},
      A, b);
  EXPECT_EQ(to_string(solved.result.status), "least_squares");
  EXPECT_FALSE(solved.result.converged());
  EXPECT_TRUE(solved.result.solved());
  const double norm = residual_norms(A, b, std::vector<Scalar>(n), 1)[0];
  EXPECT_NEAR(solved.result.true_relative_residual, 0.25 * std::sqrt(n) / norm, 1e-3);
  EXPECT_LE(residual_norms(A, consistent, solved.x, 1)[0], 10 * tolerance * norm);
}

TESSERA_TYPED_TEST(SingularSystems, GivenVectorsSpanTheNullspace) {
  const std::int32_t length = 20;
  const std::int32_t n = 2 * length;
  const auto A = path_laplacian<Scalar>(length, 2);
  const TestOperator<Scalar, Space> op(exec, A);
  const auto b = without_means<Scalar>(length, 2, 7);
  // Ones; twice as much, which is redundant; 1, 2.
  std::vector<Scalar> vectors;
  for (const auto& [first, second] : {std::pair{1, 1}, std::pair{2, 2}, std::pair{1, 2}}) {
    vectors.insert(vectors.end(), length, Scalar(first));
    vectors.insert(vectors.end(), length, Scalar(second));
  }
  const auto solver = make_solver<Scalar, Space>(
      {.name = SolverName::cg, .tolerance = sizeof(Scalar) == 8 ? 1e-9 : 1e-4});
  solver->set_nullspace(exec, to_multivector(exec, vectors, n, 3));
  const auto x = to_multivector(exec, random_vector<Scalar>(n), n);
  const auto result = solver->solve(exec, op, nullptr, to_multivector(exec, b, n), x);
  EXPECT_EQ(to_string(result.status), "converged");
  const auto solution = to_host(x);
  for (int part = 0; part < 2; ++part) {
    double sum = 0;
    for (std::int32_t i = 0; i < length; ++i)
      sum += solution[part * length + i];
    EXPECT_NEAR(sum, 0, sizeof(Scalar) == 8 ? 1e-11 : 1e-3);
  }
}

TESSERA_TYPED_TEST(SingularSystems, EachColumnEndsByItself) {
  const std::int32_t n = 30;
  const auto A = path_laplacian<Scalar>(n);
  const double tolerance = sizeof(Scalar) == 8 ? 1e-9 : 1e-4;
  auto b = without_means<Scalar>(n, 1, 5);
  const auto outside = random_vector<Scalar>(n, 6);
  b.insert(b.end(), outside.begin(), outside.end());
  b.insert(b.end(), n, Scalar(2));
  for (const SolverName name : {SolverName::cg, SolverName::gmres, SolverName::bicgstab}) {
    SCOPED_TRACE(name_of(name));
    const auto solved = solve<Space>(
        SolverParameters{
            .name = name, .tolerance = tolerance, .nullspace = NullspaceKind::constant},
        A, b, 3);
    const auto& columns = solved.result.columns;
    EXPECT_EQ(to_string(columns[0].status), "converged");
    EXPECT_EQ(to_string(columns[1].status), "least_squares");
    EXPECT_EQ(to_string(columns[2].status), "least_squares");
    EXPECT_EQ(columns[2].iterations, 0) << "it is all nullspace";
    EXPECT_NEAR(columns[2].outside_range, 1, 1e-5);
    EXPECT_EQ(to_string(solved.result.status), "least_squares");
    // The residual of the system given, and A^T of it.
    const auto norms = residual_norms(A, b, solved.x, 3);
    const auto Ax = multiply(A, solved.x, 3);
    for (int j = 0; j < 3; ++j) {
      double rhs = 0;
      std::vector<Scalar> r(n);
      for (std::int32_t i = 0; i < n; ++i) {
        rhs += std::pow(static_cast<double>(b[i + j * n]), 2);
        r[i] = b[i + j * n] - Ax[i + j * n];
      }
      EXPECT_NEAR(columns[j].true_relative_residual, norms[j] / std::sqrt(rhs), 10 * tolerance);
      const double reducible = residual_norms(A, std::vector<Scalar>(n, Scalar(0)), r, 1)[0];
      EXPECT_LE(reducible, 10 * 4 * tolerance * std::sqrt(rhs));
    }
  }
}

TESSERA_TYPED_TEST(SingularSystems, ANullspaceThatIsNoneIsRefused) {
  const auto A = random_spd_matrix<Scalar>(50, 0.1);
  const TestOperator<Scalar, Space> op(exec, A);
  const auto b = to_multivector(exec, random_vector<Scalar>(50), 50);
  const auto x = to_multivector(exec, std::vector<Scalar>(50, Scalar(0)), 50);
  const auto expect_refused = [&](KrylovSolver<Scalar, Space>& solver, const std::string& part) {
    expect_error(error_of([&] { solver.solve(exec, op, nullptr, b, x); }), ErrorKind::configuration,
                 {part});
  };
  const auto constant =
      make_solver<Scalar, Space>({.name = SolverName::cg, .nullspace = NullspaceKind::constant});
  expect_refused(*constant, "solver.nullspace=constant");
  const auto given = make_solver<Scalar, Space>({.name = SolverName::cg});
  given->set_nullspace(exec, to_multivector(exec, random_vector<Scalar>(100), 50, 2));
  expect_refused(*given, "vector 0");
}

TESSERA_TYPED_TEST(SingularSystems, ComponentsAreProjectedOutAsDenseVectorsAre) {
  // Components of 3000 rows, of 1, and of 700, mixed, and rows of none.
  const std::int32_t n = 4000;
  std::vector<Ordinal> label(n, -1);
  for (std::int32_t i = 0; i < n; ++i) {
    if (i == 17)
      label[i] = 17;
    else if (i % 4 != 1)
      label[i] = 0;
    else if (i < 2800)
      label[i] = 1;
  }
  auto weight = random_vector<Scalar>(n, 4);
  for (Scalar& w : weight)
    w += Scalar(2);
  const ComponentProjector<Scalar, Space> components(exec, to_device(exec, label),
                                                     to_device(exec, weight));
  EXPECT_EQ(components.num_components(), 3);
  std::vector<Scalar> dense(3 * n, Scalar(0));
  for (std::int32_t i = 0; i < n; ++i) {
    if (label[i] >= 0) dense[i + n * (label[i] == 17 ? 2 : label[i])] = weight[i];
  }
  NullspaceProjector<Scalar, Space> expected(exec, to_multivector(exec, dense, n, 3));
  NullspaceProjector<Scalar, Space> projector(components);
  EXPECT_FALSE(projector.empty());
  EXPECT_EQ(projector.num_rows(), n);
  const auto v = random_vector<Scalar>(2 * n, 8);
  const auto project = [&](NullspaceProjector<Scalar, Space>& by) {
    const auto result = to_multivector(exec, v, n, 2);
    by.prepare(exec, 2);
    by.apply(exec, result);
    return to_host(result);
  };
  const auto by_components = project(projector);
  const auto by_vectors = project(expected);
  const double bound = 100 * std::numeric_limits<Scalar>::epsilon();
  for (std::size_t i = 0; i < by_vectors.size(); ++i)
    ASSERT_NEAR(by_components[i], by_vectors[i], bound) << i;
  EXPECT_EQ(project(projector), by_components) << "the same bits";
}

}  // namespace tessera::test::singular_test
