// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Singular symmetric systems: the nullspace is projected out.
#include "solver_fixture.hpp"

namespace tessera::test {
namespace {

template <class Param>
class SingularSystems : public ::testing::Test {};
TYPED_TEST_SUITE(SingularSystems, Scalars, TypeNames);

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

TYPED_TEST(SingularSystems, PureNeumannProblemConvergesToTheMeanFreeSolution) {
  TESSERA_TEST_TYPES(TypeParam);
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

TYPED_TEST(SingularSystems, InconsistentRightHandSideEndsHonestlyAtTheLeastSquaresSolution) {
  TESSERA_TEST_TYPES(TypeParam);
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
  EXPECT_EQ(to_string(solved.result.status), "stagnated");
  const double norm = residual_norms(A, b, std::vector<Scalar>(n), 1)[0];
  EXPECT_NEAR(solved.result.true_relative_residual, 0.25 * std::sqrt(n) / norm, 1e-3);
  EXPECT_LE(residual_norms(A, consistent, solved.x, 1)[0], 10 * tolerance * norm);
}

TYPED_TEST(SingularSystems, GivenVectorsSpanTheNullspace) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const std::int32_t length = 20;
  const std::int32_t n = 2 * length;
  const auto A = path_laplacian<Scalar>(length, 2);
  const TestOperator<Scalar, Space> op(exec, A);
  const auto b = without_means<Scalar>(length, 2, 7);
  // Ones; 1, 2; and their sum, which is redundant.
  std::vector<Scalar> vectors;
  for (const auto& [first, second] : {std::pair{1, 1}, std::pair{1, 2}, std::pair{2, 3}}) {
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

}  // namespace
}  // namespace tessera::test
