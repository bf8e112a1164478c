// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows out of the ordinary in the reduction multigrid: which points they become, that no level
/// holds a NaN, and that solves end as they say.
#include "support/error_of.hpp"
#include "support/flows.hpp"
#include "support/host_values.hpp"
#include "support/notes.hpp"
#include "support/reference.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/multigrid.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace tessera::test::reduction_rows_test {

SolveParameters reduction() {
  SolveParameters p;
  p.preconditioner = PreconditionerKind::amg;
  p.precision = Precision::same;
  p.amg.coarsening = amg::CoarseningKind::reduction;
  p.amg.coarse_size = 20;
  return p;
}

HostMatrix<double> flow(std::int32_t n = 40) { return vortex(n, 1e3, Differences::upwind); }

/// A without the entries that `is_left_out(i, j)` tells.
template <class IsLeftOut>
HostMatrix<double> without(const HostMatrix<double>& A, const IsLeftOut& is_left_out) {
  return by_rows<double>(A.num_rows, A.num_cols, [&](auto& B, std::int32_t i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      if (!is_left_out(i, A.columns[e])) B.push(A.columns[e], A.values[e]);
  });
}

/// A few rows all over the grid.
bool is_strange(std::int32_t i) { return i % 97 == 41; }

bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

template <class Param>
class ReductionRows : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Grid = amg::Multigrid<double, Space>;
  Space exec;

  std::vector<double> product(const SparseOperator<double, Space>& M,
                              const std::vector<double>& x) {
    const auto y = zeros<double>(exec, M.num_rows());
    M.apply(exec, 1, to_multivector(exec, x, x.size()), 0, y);
    return to_host(y);
  }

  void expect_finite(const SparseOperator<double, Space>* M) {
    if (M == nullptr) return;
    EXPECT_TRUE(all_finite(product(*M, std::vector<double>(M->num_cols(), 1.0))));
  }

  /// The hierarchy, of whose matrices and cycle each row is finite.
  Grid levels_of(const HostMatrix<double>& A) {
    Grid grid(reduction().amg);
    grid.setup(exec, make_csr(exec, A));
    for (const auto& level : grid.levels()) {
      // Not a loop over a braced list, of which nvcc's front end makes what g++ refuses.
      expect_finite(level.A.get());
      expect_finite(level.P.get());
      expect_finite(level.R.get());
    }
    const auto z = zeros<double>(exec, A.num_rows);
    grid.apply(exec, hashed_rhs(exec, A.num_rows), z);
    EXPECT_TRUE(all_finite(to_host(z)));
    return grid;
  }

  /// The number that point `i` of the finest level has on each level, as long as it is coarse: R is
  /// the identity there.
  std::vector<Ordinal> numbers_of(const Grid& grid, Ordinal i) {
    std::vector<Ordinal> numbers{i};
    for (const auto& level : grid.levels()) {
      if (level.R == nullptr) break;
      std::vector<double> unit(level.R->num_cols(), 0.0);
      unit[numbers.back()] = 1;
      const auto column = product(*level.R, unit);
      const auto entries = std::ranges::count_if(column, [](double value) { return value != 0; });
      const auto one = std::ranges::find(column, 1.0);
      if (entries != 1 || one == column.end()) break;
      numbers.push_back(static_cast<Ordinal>(one - column.begin()));
    }
    return numbers;
  }

  /// Solves for waves. What the result says of the residual has to be so.
  SolveResult solve(const HostMatrix<double>& A) {
    auto solver = set_up(exec, make_csr(exec, A), reduction());
    const auto n = static_cast<std::size_t>(A.num_rows);
    const auto b = to_host(hashed_rhs(exec, A.num_rows));
    const auto x = zeros<double>(exec, n);
    const auto result = solver.solve(exec, to_multivector(exec, b, n), x);
    const auto found = to_host(x);
    EXPECT_TRUE(all_finite(found));
    const auto Ax = multiply(A, found, 1);
    long double square = 0, reference = 0;
    for (std::size_t i = 0; i < n; ++i) {
      square += (b[i] - Ax[i]) * (b[i] - Ax[i]);
      reference += static_cast<long double>(b[i]) * b[i];
    }
    const auto residual = static_cast<double>(std::sqrt(square / reference));
    const double tolerance = solver.parameters().solver.tolerance;
    EXPECT_NEAR(result.true_relative_residual, residual, 0.01 * residual + 1e-13);
    EXPECT_EQ(result.converged(), residual <= tolerance) << to_string(result.status);
    return result;
  }
};
TYPED_TEST_SUITE(ReductionRows, Spaces, TypeNames);

/// Those that lie apart are fine on the finest level, and relaxation solves them. Fixed unknowns
/// that others couple to may be coarse.
TYPED_TEST(ReductionRows, WithoutCouplings) {
  const auto fixed =
      without(flow(), [](std::int32_t i, std::int32_t j) { return i != j && is_strange(i); });
  const auto apart = without(flow(), [](std::int32_t i, std::int32_t j) {
    return i != j && (is_strange(i) || is_strange(j));
  });
  // Whatever the sign and size of what is alone on its diagonal.
  const auto of_all_sizes = with_diagonal(apart, [](Ordinal i, double& value) {
    if (is_strange(i)) value = std::pow(-10.0, i % 23);
  });
  for (const auto& A : {fixed, apart, of_all_sizes}) {
    const auto grid = this->levels_of(A);
    EXPECT_GE(grid.levels().size(), 3U);
    EXPECT_LT(grid.info().levels[1].rows, 0.6 * A.num_rows);
    const auto result = this->solve(A);
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    EXPECT_LE(result.iterations, 9);
  }
  for (const auto& A : {apart, of_all_sizes}) {
    const auto grid = this->levels_of(A);
    for (Ordinal i = 0; i < A.num_rows; ++i) {
      if (!is_strange(i)) continue;
      EXPECT_EQ(this->numbers_of(grid, i).size(), 1U) << i;
    }
  }
}

/// Coarse on the finest level, stored or not. The next one's diagonal is what fine points make it.
TYPED_TEST(ReductionRows, WithAZeroOnTheDiagonal) {
  const auto zero = with_diagonal(flow(), [](Ordinal i, double& value) {
    if (is_strange(i)) value = 0;
  });
  const auto none =
      without(flow(), [](std::int32_t i, std::int32_t j) { return i == j && is_strange(i); });
  for (const auto& A : {zero, none}) {
    const auto grid = this->levels_of(A);
    for (Ordinal i = 0; i < A.num_rows; ++i) {
      if (!is_strange(i)) continue;
      EXPECT_GE(this->numbers_of(grid, i).size(), 2U) << i;
    }
    const auto result = this->solve(A);
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    EXPECT_LE(result.iterations, 16);
  }
  // Nothing else is left where all are such.
  const auto all = with_diagonal(flow(20), [](Ordinal, double& value) { value = 0; });
  const auto grid = this->levels_of(all);
  EXPECT_EQ(grid.levels().size(), 1U);
  EXPECT_TRUE(noted(grid.info(), "400 nodes would make 400"));
  this->solve(all);
}

/// They are divided by where they are fine: a small one costs iterations, and of one beyond all
/// rounding the status says that no solution was found, with an iterate that is finite.
TYPED_TEST(ReductionRows, WithATinyDiagonal) {
  const auto flow_with = [](double tiny) {
    return with_diagonal(flow(), [=](Ordinal i, double& value) {
      if (is_strange(i)) value = tiny;
    });
  };
  for (const double tiny : {1e-6, 1e-14, 1e-100, 1e-300, 1e-310}) {
    SCOPED_TRACE(tiny);
    const auto A = flow_with(tiny);
    const auto result = this->solve(A);
    if (tiny > 1e-310) this->levels_of(A);
    if (tiny < 1e-6) continue;
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    EXPECT_LE(result.iterations, 20);
  }
  // Setup refuses levels whose numbers overflow.
  expect_error(error_of([&] { this->levels_of(flow_with(1e-310)); }), ErrorKind::bad_input,
               {"the hierarchy holds a NaN, an infinity"});
}

/// As strong as negative ones.
TYPED_TEST(ReductionRows, WithPositiveCouplings) {
  const auto A = flow();
  auto all = A, above = A;
  for_each_entry(all, [](auto, auto, double& value) { value = std::abs(value); });
  for_each_entry(above, [](auto i, auto j, double& value) {
    if (i < j) value = std::abs(value);
  });
  const auto rows = this->levels_of(A).info().levels[1].rows;
  for (const auto& positive : {all, above}) {
    EXPECT_EQ(this->levels_of(positive).info().levels[1].rows, rows);
    const auto result = this->solve(positive);
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    EXPECT_LE(result.iterations, 24);
  }
}

/// A hub is coarse as long as it is one, and the points around it are as without it.
TYPED_TEST(ReductionRows, OfAHub) {
  const auto A = flow(70);
  const Ordinal n = A.num_rows;
  const auto alone = this->levels_of(A).info().levels[1].rows;
  for (const double weight : {1e-4, 1.0}) {
    const auto with_hub = by_rows<double>(n + 1, n + 1, [&](auto& B, std::int32_t i) {
      if (i == n) {
        for (Ordinal j = 0; j < n; ++j)
          B.push(j, -weight);
        B.push(n, weight * n + 1);
        return;
      }
      for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
        B.push(A.columns[e], A.values[e] + (A.columns[e] == i ? weight : 0));
      B.push(n, -weight);
    });
    const auto grid = this->levels_of(with_hub);
    const auto& levels = grid.info().levels;
    const auto long_rows =
        std::ranges::count_if(levels, [](const auto& l) { return l.rows > 1100; });
    EXPECT_GE(long_rows, 3);
    EXPECT_GT(static_cast<Ordinal>(this->numbers_of(grid, n).size()), long_rows);
    EXPECT_NEAR(levels[1].rows, alone, 0.05 * alone);
    const auto result = this->solve(with_hub);
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    EXPECT_LE(result.iterations, 11);
  }
}

/// Products of full rows take the cube of their number, and are made as far as
/// max_operator_complexity leaves room for that.
TYPED_TEST(ReductionRows, AllFull) {
  const auto A = by_rows<double>(400, 400, [](auto& B, std::int32_t i) {
    for (std::int32_t j = 0; j < 400; ++j)
      B.push(j, i == j ? 800.0 : -1.0 - 0.1 * (i % 7 - j % 5));
  });
  for (const double most : {12.0, 1.5}) {
    SCOPED_TRACE(most);
    auto p = reduction();
    p.amg.max_operator_complexity = most;
    typename TestFixture::Grid grid(p.amg);
    grid.setup(this->exec, make_csr(this->exec, A));
    EXPECT_EQ(grid.levels().size() > 1, most > 2);
    EXPECT_EQ(noted(grid.info(), "multiplications for each entry"), most < 2);
    EXPECT_LE(grid.info().levels.back().rows, 400);
  }
  EXPECT_TRUE(this->solve(A).converged());
}

/// One level, which relaxation solves.
TYPED_TEST(ReductionRows, AllDiagonal) {
  const auto of_both_signs = with_diagonal(
      identity<double>(3000), [](Ordinal i, double& value) { value = std::pow(-10.0, i % 7); });
  for (const auto& A : {times(identity<double>(300), 5), of_both_signs}) {
    const auto grid = this->levels_of(A);
    ASSERT_EQ(grid.levels().size(), 1U);
    EXPECT_EQ(grid.info().levels.front().aggregation, "relaxed");
    EXPECT_TRUE(noted(grid.info(), std::to_string(A.num_rows) + " nodes would make 0"));
    const auto result = this->solve(A);
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    EXPECT_LE(result.iterations, 2);
  }
  // One unknown that no equation holds.
  const auto singular = with_diagonal(identity<double>(3000), [](Ordinal i, double& value) {
    if (i == 5) value = 0;
  });
  this->levels_of(singular);
  EXPECT_FALSE(this->solve(singular).converged());
}

TYPED_TEST(ReductionRows, OfOneUnknown) {
  for (const double value : {4.0, -1e-200}) {
    const auto A = times(identity<double>(1), value);
    EXPECT_EQ(this->levels_of(A).levels().size(), 1U);
    EXPECT_TRUE(this->solve(A).converged());
  }
}

}  // namespace tessera::test::reduction_rows_test
