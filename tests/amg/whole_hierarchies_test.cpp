// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Several right-hand sides on whole hierarchies by classical coarsening, of points, fronts, nodes
/// and aggressive levels, and by reduction, with other smoothers, too: each column is what it is
/// alone, and cycles are linear.
#include "amg/classical_parameters.hpp"
#include "support/columns.hpp"
#include "support/flows.hpp"
#include "support/host_values.hpp"
#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/solves.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/multigrid.hpp"
#include "tessera/smoother/smoother_needs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

namespace tessera::test::whole_hierarchies_test {

using Vector = std::vector<double>;

constexpr Ordinal side = 40;
constexpr std::size_t n = side * side;

struct Way {
  std::string name;
  HostMatrix<double> A;
  SolveParameters parameters;
  int block_size = 1;
};

/// Two unknowns per node, each coupled as A says, and to the other one a quarter of that.
HostMatrix<double> in_nodes(const HostMatrix<double>& A) {
  return by_rows<double>(2 * A.num_rows, 2 * A.num_cols, [&](auto& B, std::int32_t i) {
    for (auto e = A.offsets[i / 2]; e < A.offsets[i / 2 + 1]; ++e)
      for (const std::int32_t other : {0, 1})
        B.push(2 * A.columns[e] + other, A.values[e] * (other == i % 2 ? 1 : 0.25));
  });
}

std::vector<Way> all_hierarchies() {
  const auto A = poisson<double>(side, side);
  std::vector<Way> ways{{"pmis, extended+i", A, classical()}};
  for (const auto how :
       {amg::AggressiveInterpolation::two_stage, amg::AggressiveInterpolation::multipass}) {
    ways.push_back({"aggressive levels", A, classical()});
    ways.back().parameters.amg.classical.aggressive_levels = 2;
    ways.back().parameters.amg.classical.aggressive_interpolation = how;
  }
  ways.push_back({"fronts", A, classical()});
  ways.back().parameters.amg.classical.splitting = amg::PointSplitting::advancing_front;
  ways.push_back({"nodes", in_nodes(poisson<double>(side, side / 2)), classical(), 2});
  ways.back().parameters.amg.classical.systems = amg::SystemSplitting::nodes;
  for (const SmootherType type : {SmootherType::fsai, SmootherType::gauss_seidel}) {
    ways.push_back({std::string(smoother_name(type)), A, classical()});
    ways.back().parameters.amg.smoother.type = type;
  }
  ways.push_back({"reduction", vortex(side, 1e3, Differences::upwind), classical()});
  ways.back().parameters.solver.name = SolverName::gmres;
  ways.back().parameters.amg.coarsening = amg::CoarseningKind::reduction;
  for (Way& way : ways)
    way.parameters.amg.coarse_size = 20;
  return ways;
}

/// The smoothest eigenvector of the Laplacian.
Vector smooth() {
  Vector b(n);
  const auto wave = [](Ordinal i) { return std::sin(std::numbers::pi * (i + 1) / (side + 1)); };
  for (Ordinal row = 0; row < side * side; ++row)
    b[row] = wave(row % side) * wave(row / side);
  return b;
}

/// a u + b v.
Vector sum(double a, const Vector& u, double b, const Vector& v) {
  Vector result(u.size());
  std::ranges::transform(u, v, result.begin(), [&](double x, double y) { return a * x + b * y; });
  return result;
}

/// One, three or eight columns that converge at different times: rough, zero, smooth, and what
/// linearity is seen by.
std::vector<Vector> right_hand_sides(std::size_t count) {
  const Vector rough = random_vector<double>(n, 1);
  Vector at_a_point(n, 0.0);
  at_a_point[n / 3] = 1;
  std::vector<Vector> all{rough,
                          Vector(n, 0.0),
                          smooth(),
                          random_vector<double>(n, 2),
                          sum(-0.25, rough, 0, rough),
                          sum(2, rough, -3, smooth()),
                          at_a_point,
                          sum(1, smooth(), 1e-6, rough)};
  all.resize(count);
  return all;
}

Vector side_by_side(const std::vector<Vector>& columns) {
  Vector all;
  for (const Vector& column : columns)
    all.insert(all.end(), column.begin(), column.end());
  return all;
}

/// Column j of vectors one after the other.
Vector column(const Vector& all, std::size_t j) {
  return {all.begin() + static_cast<std::ptrdiff_t>(j * n),
          all.begin() + static_cast<std::ptrdiff_t>((j + 1) * n)};
}

double norm(const Vector& v) {
  return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
}

/// ||b - A x|| / ||b||.
double residual_of(const HostMatrix<double>& A, const Vector& b, const Vector& x) {
  const auto Ax = multiply(A, x, 1);
  return norm(sum(1, b, -1, Vector(Ax.begin(), Ax.end()))) / norm(b);
}

template <class Param>
class WholeHierarchies : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;

  amg::Multigrid<double, Space> grid_of(const Way& way) {
    amg::Multigrid<double, Space> grid(way.parameters.amg);
    grid.setup(exec, make_csr(exec, way.A), {}, way.block_size);
    EXPECT_GE(grid.info().levels.size(), 3U) << way.name;
    return grid;
  }

  struct Found {
    SolveResult result;
    Vector x;
  };
  Found solve(Solver<double, Space>& solver, const Vector& b) {
    const std::size_t k = b.size() / n;
    const auto x = zeros<double>(exec, n, k);
    const auto result = solver.solve(exec, to_multivector(exec, b, n, k), x);
    return {result, to_host(x)};
  }
};
TYPED_TEST_SUITE(WholeHierarchies, Spaces, TypeNames);

/// The coefficients of a Krylov method are each column's own, and so are the iterations.
TYPED_TEST(WholeHierarchies, SolveEachColumnAsAlone) {
  for (Way& way : all_hierarchies()) {
    way.parameters.solver.tolerance = 1e-9;
    auto solver =
        set_up(this->exec, make_csr(this->exec, way.A), way.parameters, {}, way.block_size);
    ASSERT_GE(solver.hierarchy().levels.size(), 3U);
    for (const std::size_t k : {1U, 3U, 8U}) {
      const auto b = right_hand_sides(k);
      const auto together = this->solve(solver, side_by_side(b));
      ASSERT_EQ(together.result.columns.size(), k);
      EXPECT_TRUE(together.result.converged());
      for (std::size_t j = 0; j < k; ++j) {
        SCOPED_TRACE(way.name + ", column " + std::to_string(j) + " of " + std::to_string(k));
        const auto& one = together.result.columns[j];
        const auto alone = this->solve(solver, b[j]);
        EXPECT_EQ(to_string(one.status), to_string(alone.result.status));
        // Sums of several columns may be in another order, and end a solve one iteration later.
        EXPECT_NEAR(one.iterations, alone.result.iterations, 1);
        const bool as_many = one.iterations == alone.result.iterations;
        const Vector x = column(together.x, j);
        if (norm(b[j]) == 0) {
          EXPECT_EQ(one.iterations, 0);
          EXPECT_EQ(x, b[j]);
          continue;
        }
        EXPECT_GT(one.iterations, 0);
        EXPECT_LE(residual_of(way.A, b[j], x), 1e-9);
        EXPECT_LT(relative_difference(x, alone.x), as_many ? 1e-11 : 1e-7);
      }
    }
  }
}

TYPED_TEST(WholeHierarchies, CycleEachColumnAsAlone) {
  for (const Way& way : all_hierarchies()) {
    auto grid = this->grid_of(way);
    for (const std::size_t k : {1U, 3U, 8U}) {
      SCOPED_TRACE(way.name + ", " + std::to_string(k) + " columns");
      expect_columns_as_alone(this->exec, grid, side_by_side(right_hand_sides(k)), n, 1e-12);
    }
  }
}

TYPED_TEST(WholeHierarchies, CyclesAreLinear) {
  const double rounding = 1e3 * std::numeric_limits<double>::epsilon();
  for (const Way& way : all_hierarchies()) {
    SCOPED_TRACE(way.name);
    auto grid = this->grid_of(way);
    const auto z = zeros<double>(this->exec, n, 8);
    const Vector r = side_by_side(right_hand_sides(8));
    grid.apply(this->exec, to_multivector(this->exec, r, n, 8), z);
    const Vector all = to_host(z);
    const Vector rough = column(all, 0), wave = column(all, 2);
    EXPECT_EQ(column(all, 1), Vector(n, 0.0)) << "of zero";
    EXPECT_EQ(column(all, 4), sum(-0.25, rough, 0, rough)) << "powers of two do not round";
    EXPECT_LT(relative_difference(column(all, 5), sum(2, rough, -3, wave)), rounding);
    EXPECT_LT(relative_difference(column(all, 7), sum(1, wave, 1e-6, rough)), rounding);
    // A cycle does something to each.
    for (const std::size_t j : {0U, 3U, 6U})
      EXPECT_LT(residual_of(way.A, column(r, j), column(all, j)), 1) << j;
  }
}

}  // namespace tessera::test::whole_hierarchies_test
