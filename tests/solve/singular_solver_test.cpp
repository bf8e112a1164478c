// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Singular symmetric matrices by `Solver`: which nullspace it finds, and how right-hand sides in
/// and outside the range end.
#include "support/error_of.hpp"
#include "support/systems.hpp"

#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/typed_tests.hpp"
#include "tessera/kernels/execution/error.hpp"

#include <numeric>

namespace tessera::test::singular_solver_test {

using Vector = std::vector<double>;

/// A grid that nothing ties to the ground; `around`: periodic in each direction.
HostMatrix<double> floating_grid(Ordinal nx, Ordinal ny, Ordinal nz = 1, bool around = false) {
  Network network(nx * ny * nz);
  const Ordinal extents[] = {nx, ny, nz};
  const Ordinal strides[] = {1, nx, nx * ny};
  for (Ordinal v = 0; v < network.size(); ++v) {
    const Ordinal at[] = {v % nx, v / nx % ny, v / (nx * ny)};
    for (int d = 0; d < 3; ++d) {
      if (at[d] + 1 < extents[d]) {
        network.tie(v, v + strides[d], 1);
      } else if (around && extents[d] > 2) {
        network.tie(v, v - (extents[d] - 1) * strides[d], 1);
      }
    }
  }
  return network.matrix();
}

/// Parts that do not touch. Row i of the whole is a row of part i mod their number as long as they
/// have any left, so that a part's rows do not lie together.
struct Parts {
  HostMatrix<double> A;
  std::vector<int> part;  ///< of each row
};

Parts side_by_side(const std::vector<HostMatrix<double>>& parts) {
  Ordinal n = 0;
  for (const auto& P : parts)
    n += P.num_rows;
  Parts all;
  std::vector<std::vector<Ordinal>> place(parts.size());
  for (std::size_t turn = 0; static_cast<Ordinal>(all.part.size()) < n; ++turn) {
    const std::size_t p = turn % parts.size();
    if (static_cast<Ordinal>(place[p].size()) == parts[p].num_rows) continue;
    place[p].push_back(static_cast<Ordinal>(all.part.size()));
    all.part.push_back(static_cast<int>(p));
  }
  std::vector<std::vector<std::pair<Ordinal, double>>> rows(n);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (Ordinal i = 0; i < parts[p].num_rows; ++i) {
      auto& row = rows[place[p][i]];
      for (auto e = parts[p].offsets[i]; e < parts[p].offsets[i + 1]; ++e)
        row.emplace_back(place[p][parts[p].columns[e]], parts[p].values[e]);
      std::sort(row.begin(), row.end());
    }
  }
  all.A = from_rows(n, rows);
  return all;
}

/// D A D.
HostMatrix<double> scaled(HostMatrix<double> A, const Vector& d) {
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto& value) { value *= d[i] * d[j]; });
  return A;
}

Vector product(const HostMatrix<double>& A, const Vector& x) {
  const auto Ax = multiply(A, x, 1);
  return {Ax.begin(), Ax.end()};
}

double norm(const Vector& v) {
  return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
}

template <class Param>
class SingularSolver : public ::testing::Test {
 public:
  using Space = typename Param::Space;

  void set_up(const HostMatrix<double>& A, const SolveParameters& parameters = {}) {
    m_A = A;
    solver = Solver<double, Space>(parameters);
    solver.setup(exec, make_csr(exec, A));
  }

  void update(const HostMatrix<double>& A) {
    m_A = A;
    solver.update_values(exec, make_csr(exec, A));
  }

  /// Solves from zero; what is reported and x itself are checked by the matrix.
  SolveResult solve(const Vector& b) {
    const std::size_t n = m_A.num_rows, k = b.size() / n;
    const auto x = to_multivector(exec, Vector(b.size(), 0.0), n, k);
    const SolveResult result = solver.solve(exec, to_multivector(exec, b, n, k), x);
    const Vector all = to_host(x);
    for (std::size_t j = 0; j < k; ++j)
      check(result.columns[j], {b.begin() + j * n, b.begin() + (j + 1) * n},
            {all.begin() + j * n, all.begin() + (j + 1) * n});
    this->x = all;
    return result;
  }

  void expect(SolveStatus status, const Vector& b) {
    const SolveResult result = solve(b);
    EXPECT_EQ(to_string(result.status), to_string(status))
        << result.true_relative_residual << " after " << result.iterations << " iterations";
  }

  bool noted(const std::string& text) const { return test::noted(solver.hierarchy(), text); }
  NullspaceKind nullspace() const { return solver.parameters().solver.nullspace; }

  Space exec;
  Solver<double, Space> solver;
  Vector x;

 private:
  void check(const ColumnResult& column, const Vector& b, const Vector& x) const {
    const double tolerance = solver.parameters().solver.tolerance;
    Vector r = product(m_A, x);
    for (std::size_t i = 0; i < r.size(); ++i)
      r[i] = b[i] - r[i];
    EXPECT_NEAR(column.true_relative_residual, norm(r) / norm(b), 1e-3 * tolerance)
        << "of the system given";
    if (!is_solved(column.status)) return;
    // The part of r in the range is at most tolerance ||b|| long, and A no longer than its rows.
    double largest_row = 0;
    for (Ordinal i = 0; i < m_A.num_rows; ++i) {
      double sum = 0;
      for (auto e = m_A.offsets[i]; e < m_A.offsets[i + 1]; ++e)
        sum += std::abs(m_A.values[e]);
      largest_row = std::max(largest_row, sum);
    }
    EXPECT_LE(norm(product(m_A, r)), 1.01 * largest_row * tolerance * norm(b));
    if (column.status == SolveStatus::least_squares) {
      EXPECT_NEAR(column.outside_range, norm(r) / norm(b), 2 * tolerance);
    }
  }

  HostMatrix<double> m_A;
};
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
    const auto A = scaled(L, d);
    this->set_up(A);
    this->expect(SolveStatus::least_squares, random_vector<double>(L.num_rows, 4));
    EXPECT_EQ(this->nullspace(), NullspaceKind::components);
    EXPECT_TRUE(this->noted("constant times a diagonal"));
    this->expect(SolveStatus::converged, product(A, random_vector<double>(L.num_rows, 3)));
  }
}

/// Other diagonals, and products that round otherwise on both sides of the diagonal.
TYPED_TEST(SingularSolver, FindsScaledConstantsWhateverTheDiagonal) {
  const auto L = floating_grid(40, 40);
  for (unsigned seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    Vector d = random_vector<double>(L.num_rows, seed);
    for (double& value : d)
      value = std::pow(10.0, 3 * value);
    this->set_up(scaled(L, d));
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

TYPED_TEST(SingularSolver, RefusesANullspaceThatIsNone) {
  const auto A = grid_network(20, 20, 1, unit_weight).matrix();
  for (const auto kind : {NullspaceKind::constant, NullspaceKind::components}) {
    // Squares of the outer two are infinite and zero.
    for (const double magnitude : {1e200, 1.0, 1e-200}) {
      SCOPED_TRACE(magnitude);
      SolveParameters asked;
      asked.solver.nullspace = kind;
      expect_error(error_of([&] { this->set_up(times(A, magnitude), asked); }),
                   ErrorKind::configuration, {"solver.nullspace="});
    }
  }
}

TYPED_TEST(SingularSolver, TakesTheConstantOfAMatrixOfAnyMagnitude) {
  const auto A = floating_grid(20, 20);
  for (const double magnitude : {1e160, 1e-170}) {
    SCOPED_TRACE(magnitude);
    SolveParameters asked;
    asked.solver.nullspace = NullspaceKind::constant;
    this->set_up(times(A, magnitude), asked);
    Vector b(400, 0.0);
    b[0] = 1, b[399] = -1;
    EXPECT_TRUE(this->solve(b).converged());
  }
}

TYPED_TEST(SingularSolver, NewValuesMayHaveNoNullspace) {
  const auto grid = floating_grid(12, 12);
  const auto two = side_by_side({grid, grid});
  SolveParameters asked;
  asked.preconditioner = PreconditionerKind::amg;
  asked.amg.reuse = amg::Reuse::symbolic;
  const std::string why = "A does not annihilate the nullspace";
  for (const auto& A : {grid, two.A}) {
    Vector b(A.num_rows, 0.0);
    b[0] = 1;
    this->set_up(A, asked);
    this->expect(SolveStatus::least_squares, b);
    this->update(times(A, 3));
    EXPECT_FALSE(this->noted(why));
    this->expect(SolveStatus::least_squares, b);
    this->update(with_diagonal(A, [](Ordinal, double& value) { value += 1; }));
    EXPECT_TRUE(this->noted(why));
    this->expect(SolveStatus::converged, b);
    EXPECT_EQ(this->nullspace(), NullspaceKind::none);
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
