// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Singular symmetric matrices by `Solver`: which nullspace it finds, and how right-hand sides in
/// and outside the range end.
#include "solve/singular_systems.hpp"

namespace tessera::test::singular_solver_test {

using namespace singular_systems;

template <class Param>
class SingularSolver : public SingularFixture<Param> {};
TYPED_TEST_SUITE(SingularSolver, Spaces, TypeNames);

TYPED_TEST(SingularSolver, OneComponentHasTheConstant) {
  for (const auto& A : {floating_grid(50, 50), floating_grid(14, 13, 12),
                        floating_grid(40, 40, 1, true), floating_grid(7, 5)}) {
    SCOPED_TRACE(A.num_rows);
    this->set_up(A);
    EXPECT_EQ(this->nullspace(), NullspaceKind::constant);
    this->expect(SolveStatus::converged, product(A, random_vector<double>(A.num_rows, 3)));
    this->expect(SolveStatus::least_squares, random_vector<double>(A.num_rows, 4));
    this->expect(SolveStatus::least_squares, Vector(A.num_rows, 1.0));
  }
}

TYPED_TEST(SingularSolver, IslandsHaveAConstantEach) {
  const auto [A, part] =
      side_by_side({floating_grid(40, 40), floating_grid(20, 25), floating_grid(5, 1)});
  this->set_up(A);
  EXPECT_EQ(this->nullspace(), NullspaceKind::components);
  EXPECT_TRUE(this->noted("nullspace components"));
  const Vector in_range = product(A, random_vector<double>(A.num_rows, 3));
  this->expect(SolveStatus::converged, in_range);
  this->expect(SolveStatus::least_squares, random_vector<double>(A.num_rows, 4));
  // Sums to zero as a whole, but on no island.
  Vector b(A.num_rows, 0.0);
  double sum = 0;
  for (Ordinal i = 0; i < A.num_rows; ++i)
    sum += b[i] = part[i] == 0 ? 1.0 : 0.0;
  for (Ordinal i = 0; i < A.num_rows; ++i)
    if (part[i] == 1) b[i] = -sum / 500;
  this->expect(SolveStatus::least_squares, b);
  for (const double value : this->x)
    EXPECT_NEAR(value, 0, 1e-9) << "b is all nullspace";
}

TYPED_TEST(SingularSolver, ColumnsEndByThemselves) {
  const auto A = side_by_side({floating_grid(20, 20), floating_grid(30, 9)}).A;
  this->set_up(A);
  Vector b = product(A, random_vector<double>(A.num_rows, 3));
  const Vector outside = random_vector<double>(A.num_rows, 4);
  b.insert(b.end(), outside.begin(), outside.end());
  const SolveResult result = this->solve(b);
  EXPECT_EQ(to_string(result.columns[0].status), "converged");
  EXPECT_LT(result.columns[0].outside_range, 1e-12);
  EXPECT_EQ(to_string(result.columns[1].status), "least_squares");
  EXPECT_EQ(to_string(result.status), "least_squares");
  EXPECT_FALSE(result.converged());
}

TYPED_TEST(SingularSolver, AnIslandBesideARegularPart) {
  const auto regular = grid_network(30, 30, 1, unit_weight).matrix();
  const auto [A, part] = side_by_side({regular, floating_grid(20, 20)});
  const Vector in_range = product(A, random_vector<double>(A.num_rows, 3));
  const Vector outside = random_vector<double>(A.num_rows, 4);
  this->set_up(A);
  EXPECT_EQ(this->nullspace(), NullspaceKind::none) << "nothing tells of it at sight";
  this->expect(SolveStatus::converged, in_range);
  this->expect(SolveStatus::least_squares, outside);
  EXPECT_EQ(this->nullspace(), NullspaceKind::components);
  EXPECT_TRUE(this->noted("1 connected component of 400 rows in all is singular"));
  this->expect(SolveStatus::converged, in_range);
  // Found at setup where it is asked for.
  SolveParameters asked;
  asked.solver.nullspace = NullspaceKind::components;
  this->set_up(A, asked);
  this->expect(SolveStatus::least_squares, outside);
  this->expect(SolveStatus::converged, in_range);
}

TYPED_TEST(SingularSolver, RowsOfZeros) {
  for (const Ordinal n : {3, 700}) {
    SCOPED_TRACE(n);
    for (const bool stored : {false, true}) {
      std::vector<std::vector<std::pair<Ordinal, double>>> rows(n);
      for (Ordinal i = 0; i < n; ++i)
        if (i != 1 || stored) rows[i].emplace_back(i, i == 1 ? 0.0 : i + 1.0);
      const auto A = from_rows(n, rows);
      this->set_up(A);
      EXPECT_EQ(this->nullspace(), NullspaceKind::components);
      Vector b(n, 1.0);
      this->expect(SolveStatus::least_squares, b);
      EXPECT_EQ(this->x[1], 0);
      b[1] = 0;
      this->expect(SolveStatus::converged, b);
    }
  }
  // A row and a column of the Laplacian.
  auto A = grid_network(40, 40, 1, unit_weight).matrix();
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto& value) {
    if (i == 777 || j == 777) value = 0;
  });
  this->set_up(A);
  EXPECT_EQ(this->solver.parameters().solver.name, SolverName::cg);
  this->expect(SolveStatus::converged, product(A, random_vector<double>(A.num_rows, 3)));
  this->expect(SolveStatus::least_squares, random_vector<double>(A.num_rows, 4));
  EXPECT_EQ(this->x[777], 0);
}

TYPED_TEST(SingularSolver, NothingButZeros) {
  const auto A = from_rows(4, std::vector<std::vector<std::pair<Ordinal, double>>>(4));
  this->set_up(A);
  this->expect(SolveStatus::least_squares, Vector(4, 1.0));
  EXPECT_EQ(this->x, Vector(4, 0.0));
}

TYPED_TEST(SingularSolver, ConstantsThatADiagonalHasScaled) {
  for (const auto& L : {floating_grid(40, 40), floating_grid(9, 8),
                        side_by_side({floating_grid(30, 30), floating_grid(12, 11, 5)}).A}) {
    SCOPED_TRACE(L.num_rows);
    Vector d = random_vector<double>(L.num_rows, 5);
    for (double& value : d)
      value = std::pow(10.0, 3 * value);
    const auto A = scaled_on_both_sides(L, d);
    this->set_up(A);
    this->expect(SolveStatus::least_squares, random_vector<double>(L.num_rows, 4));
    EXPECT_EQ(this->nullspace(), NullspaceKind::components);
    EXPECT_TRUE(this->noted("constant times a diagonal"));
    this->expect(SolveStatus::converged, product(A, random_vector<double>(L.num_rows, 3)));
  }
}

/// Other diagonals.
TYPED_TEST(SingularSolver, FindsScaledConstantsWhateverTheDiagonal) {
  const auto L = floating_grid(40, 40);
  for (unsigned seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    Vector d = random_vector<double>(L.num_rows, seed);
    for (double& value : d)
      value = std::pow(10.0, 3 * value);
    this->set_up(scaled_on_both_sides(L, d));
    this->expect(SolveStatus::least_squares, random_vector<double>(L.num_rows, 20 + seed));
  }
}

TYPED_TEST(SingularSolver, AgreesWithTheDenseSolutionOfLeastLength) {
  // N's columns: the constants of two paths. (A + N N^T) x = b - N N^T b has x without a part in N.
  const auto [A, part] = side_by_side({floating_grid(5, 1), floating_grid(7, 1)});
  const Ordinal n = A.num_rows;
  const Vector b = random_vector<double>(n, 9);
  Vector mean(2, 0.0);
  for (Ordinal i = 0; i < n; ++i)
    mean[part[i]] += b[i] / (part[i] == 0 ? 5 : 7);
  Dense D = to_dense(A);
  for (Ordinal i = 0; i < n; ++i)
    for (Ordinal j = 0; j < n; ++j)
      if (part[i] == part[j]) D(i, j) += 1.0L / (part[i] == 0 ? 5 : 7);
  this->set_up(A);
  this->expect(SolveStatus::least_squares, b);
  for (Ordinal i = 0; i < n; ++i) {
    long double check = 0;
    for (Ordinal j = 0; j < n; ++j)
      check += D(i, j) * this->x[j];
    EXPECT_NEAR(check, b[i] - mean[part[i]], 1e-7);
  }
}

TYPED_TEST(SingularSolver, ARankOfOneIsNoLeastSquaresProblemThatItKnows) {
  constexpr Ordinal n = 6;
  this->set_up(by_rows<double>(n, n, [](auto& A, Ordinal i) {
    for (Ordinal j = 0; j < n; ++j)
      A.push(j, (i + 1.0) * (j + 1.0));
  }));
  const SolveResult result = this->solve({1, 0, 0, 0, 0, 0});
  EXPECT_FALSE(result.solved()) << to_string(result.status);
}

}  // namespace tessera::test::singular_solver_test
