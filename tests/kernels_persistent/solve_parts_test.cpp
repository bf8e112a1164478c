// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves in one kernel in several launches: as parts that a caller asks for, and where tiles have
/// failed.
#include "real_matrices/real_matrix.hpp"
#include "solver/solver_fixture.hpp"

#include "tessera/solver/convergence_monitor.hpp"
#include "tessera/solver/selection_rules.hpp"
#include "tessera/solver/single_kernel.hpp"

#include <cstdio>

namespace tessera::test::solve_parts_test {

template <class Param>
class SolveParts : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using One = SingleKernelSolver<Scalar, Space>;
  static constexpr int width = 10;
  static constexpr int n = width * width;
  Space exec;
  kernels::Csr<Scalar, Space, Offset> A = make_csr<Offset>(exec, poisson<Scalar>(width, width));
  MultiVector<Scalar, Space> b = to_multivector(exec, random_vector<Scalar>(n, 3), n);

  MultiVector<Scalar, Space> guess(Scalar value = 0) const {
    return to_multivector(exec, std::vector<Scalar>(n, value), n);
  }
  SolveResult solve(One& solver, const MultiVector<Scalar, Space>& x, const SolvePart& part = {}) {
    return solver.solve(exec, A.view(), ArrayView<const Scalar, Space>(), b, x, part);
  }
  /// Of all parts: counts, history, and the residual of x.
  void expect_joined(const SolveResult& result, const MultiVector<Scalar, Space>& x) const {
    EXPECT_TRUE(result.in_one_kernel);
    EXPECT_EQ(result.residual_history.size(), static_cast<std::size_t>(result.iterations) + 1);
    ASSERT_EQ(result.columns.size(), 1u);
    EXPECT_EQ(result.columns[0].iterations, result.iterations);
    EXPECT_EQ(result.columns[0].status, result.status);
    const auto rhs = to_host(b);
    const auto solution = to_host(x);
    EXPECT_NEAR(result.true_relative_residual,
                true_relative_residual(converted<double>(to_host(A)), {rhs.begin(), rhs.end()},
                                       {solution.begin(), solution.end()}),
                roundings<Scalar>(100));
  }
};
TYPED_TEST_SUITE(SolveParts, Matrices, TypeNames);

constexpr TilePrecision all_tiles[] = {TilePrecision::off, TilePrecision::fixed,
                                       TilePrecision::dynamic};

TYPED_TEST(SolveParts, AddUp) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const auto name : {SolverName::cg, SolverName::bicgstab}) {
    for (const auto reference : {StoppingReference::rhs, StoppingReference::initial_residual}) {
      const SolverParameters p{
          .name = name, .tolerance = reachable_tolerance<Scalar>, .reference = reference};
      SingleKernelSolver<Scalar, Space> solver(p);
      const auto x = this->guess(1);
      const auto first = this->solve(solver, x, {.iterations = 5});
      EXPECT_EQ(first.status, SolveStatus::max_iterations);
      EXPECT_EQ(first.iterations, 5);
      EXPECT_TRUE(is_unfinished(first, p));
      const auto second = this->solve(solver, x, {.iterations = 3, .before = &first});
      EXPECT_EQ(second.iterations, 8);
      const auto all = this->solve(solver, x, {.before = &second});
      EXPECT_TRUE(all.converged());
      EXPECT_FALSE(is_unfinished(all, p));
      EXPECT_EQ(all.columns[0].reference_norm, first.columns[0].reference_norm);
      EXPECT_GE(all.solve_ms, second.solve_ms);
      EXPECT_TRUE(std::equal(second.residual_history.begin(), second.residual_history.end(),
                             all.residual_history.begin()));
      EXPECT_LE(all.residual_history.back(), p.tolerance);
      this->expect_joined(all, x);
    }
  }
}

TYPED_TEST(SolveParts, MeetTheLimitsOfTheWhole) {
  TESSERA_TEST_TYPES(TypeParam);
  const SolverParameters p{.name = SolverName::cg, .tolerance = 0, .max_iterations = 7};
  SingleKernelSolver<Scalar, Space> solver(p);
  const auto x = this->guess();
  const auto first = this->solve(solver, x, {.iterations = 5});
  EXPECT_TRUE(is_unfinished(first, p));
  const auto all = this->solve(solver, x, {.iterations = 5, .before = &first});
  EXPECT_EQ(all.status, SolveStatus::max_iterations);
  EXPECT_EQ(all.iterations, 7);
  EXPECT_FALSE(is_unfinished(all, p));
}

TYPED_TEST(SolveParts, GrowOverTheStartOfTheWhole) {
  TESSERA_TEST_TYPES(TypeParam);
  // From residuals (10, 1, 1e6), over the norm of b 1e5, the first step leads to about (10, -1, 0),
  // which is 1, and the second to (5, 49, 0).
  const auto A = make_csr<Offset>(this->exec, diagonal_matrix<Scalar>({1, 100, 50}));
  const auto b = to_multivector(this->exec, std::vector<Scalar>{10, 1, 0}, 3);
  for (const auto tiles : all_tiles) {
    const SolverParameters p{.name = SolverName::cg,
                             .tolerance = reachable_tolerance<Scalar>,
                             .divergence_limit = 2,
                             .tiles = tiles};
    SingleKernelSolver<Scalar, Space> solver(p);
    const auto solve = [&](const MultiVector<Scalar, Space>& x, const SolvePart& part) {
      return solver.solve(this->exec, A.view(), ArrayView<const Scalar, Space>(), b, x, part);
    };
    const auto x = to_multivector(this->exec, std::vector<Scalar>{0, 0, -20000}, 3);
    const auto first = solve(x, {.iterations = 1});
    EXPECT_GT(first.residual_history.front(), 5e4);
    EXPECT_LT(first.true_relative_residual, 1.5);
    const auto all = solve(x, {.before = &first});
    EXPECT_EQ(to_string(all.status), "converged");
    EXPECT_GT(all.residual_history[2], 3) << "above the limit over the second launch's start";
  }
}

TYPED_TEST(SolveParts, TellALaunchsLimitFromTheUsers) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const auto tiles : all_tiles) {
    SolverParameters p{.name = SolverName::cg, .tiles = tiles};
    SingleKernelSolver<Scalar, Space> cut_short(p);
    cut_short.set_launch_limit(1e-6);
    const auto x = this->guess();
    const auto launch = this->solve(cut_short, x);
    EXPECT_EQ(to_string(launch.status), "time_limit");
    EXPECT_TRUE(is_unfinished(launch, p));
    this->expect_joined(launch, x);
    SingleKernelSolver<Scalar, Space> unlimited(p);
    const auto part = this->solve(unlimited, this->guess(), {.seconds = 1e-9});
    EXPECT_EQ(to_string(part.status), "time_limit");
    EXPECT_TRUE(is_unfinished(part, p));
    p.time_limit_s = 1e-9;
    SingleKernelSolver<Scalar, Space> limited(p);
    const auto ended = this->solve(limited, this->guess());
    EXPECT_EQ(to_string(ended.status), "time_limit");
    EXPECT_FALSE(is_unfinished(ended, p));
  }
}

/// Rows that fall by 1e-3 in some fifty iterations, beside a chain that then goes on slowly.
TYPED_TEST(SolveParts, EndForASlowRateWhereAMonitorWouldEndThem) {
  TESSERA_TEST_TYPES(TypeParam);
  constexpr int half = 2000;
  const auto line = poisson<Scalar>(half);
  const auto A = make_csr<Offset>(
      this->exec, by_rows<Scalar>(2 * half, 2 * half, [&](auto& rows, int i) {
        const int row = i % half;
        for (auto e = line.offsets[row]; e < line.offsets[row + 1]; ++e) {
          const bool decides = i < half && line.columns[e] == row;
          rows.push(line.columns[e] + i - row, decides ? Scalar(2.02) : line.values[e]);
        }
      }));
  auto values = random_vector<Scalar>(2 * half, 7);
  for (int i = half; i < 2 * half; ++i)
    values[i] *= Scalar(1e-3);
  const auto b = to_multivector(this->exec, values, 2 * half);
  for (const auto name : {SolverName::cg, SolverName::bicgstab}) {
    for (const auto tiles : all_tiles) {
      const SolverParameters p{
          .name = name, .tolerance = 1e-5, .max_iterations = 400, .tiles = tiles};
      const auto solve = [&](const SolvePart& part) {
        SingleKernelSolver<Scalar, Space> solver(p);
        const auto x = to_multivector(this->exec, std::vector<Scalar>(2 * half), 2 * half);
        return solver.solve(this->exec, A.view(), ArrayView<const Scalar, Space>(), b, x, part);
      };
      ConvergenceMonitor monitor(p.tolerance, p.max_iterations, rules::too_many_iterations);
      const auto whole = solve({});
      int end = 0;
      while (!monitor.is_slow({end, whole.residual_history.at(end), 0}))
        ++end;
      EXPECT_GT(end, rules::iterations_before_estimate.value);
      const auto rate = monitor.in_one_kernel(monitor.too_many());
      const auto slow = solve({.slow_rate = rate});
      EXPECT_EQ(to_string(slow.status), "max_iterations");
      EXPECT_EQ(slow.iterations, end);
      EXPECT_TRUE(is_unfinished(slow, p));
      const auto on = solve({.slow_rate = kernels::SlowRate::of(0, 30, 20, p.tolerance)});
      EXPECT_EQ(on.iterations, whole.iterations);
      // What only has fewer than a window's iterations left is let go on.
      SolvePart short_part{.iterations = end + rules::iterations_of_estimate - 1};
      short_part.slow_rate = rate;
      EXPECT_EQ(solve(short_part).iterations, short_part.iterations);
    }
  }
}

TYPED_TEST(SolveParts, TilesThatFailGiveWayToTheMatrix) {
  TESSERA_TEST_TYPES(TypeParam);
  // Indefinite: CG breaks down on tiles, and on the matrix as well, which has the last word.
  const std::vector<std::int64_t> offsets{0, 2, 4};
  const auto A =
      make_csr<Offset>(this->exec, HostMatrix<Scalar>{2, 2, offsets, {0, 1, 0, 1}, {1, 3, 3, 1}});
  const auto b = to_multivector(this->exec, std::vector<Scalar>{1, -1}, 2);
  for (const auto tiles : all_tiles) {
    SingleKernelSolver<Scalar, Space> solver({.name = SolverName::cg, .tiles = tiles});
    const auto x = to_multivector(this->exec, std::vector<Scalar>{0, 0}, 2);
    const auto result = solver.solve(this->exec, A.view(), ArrayView<const Scalar, Space>(), b, x);
    EXPECT_EQ(to_string(result.status), "breakdown");
    EXPECT_EQ(result.residual_history.size(), static_cast<std::size_t>(result.iterations) + 1);
    EXPECT_EQ(solver.end_of_tiles().has_value(), tiles != TilePrecision::off);
    EXPECT_EQ(result.iterations, tiles == TilePrecision::off ? 1 : 2);
    // A NaN of the user's is not theirs.
    const auto nan = std::numeric_limits<Scalar>::quiet_NaN();
    const auto bad = to_multivector(this->exec, std::vector<Scalar>{nan, 1}, 2);
    const auto ended = solver.solve(this->exec, A.view(), ArrayView<const Scalar, Space>(), bad, x);
    EXPECT_EQ(to_string(ended.status), "not_a_number");
    EXPECT_FALSE(solver.end_of_tiles().has_value());
  }
}

/// BiCGSTAB on tiles ended by breakdown or divergence where it converges on the matrix itself: on
/// one device or another, for it goes by rounding.
TEST(SolvePartsReal, TilesConvergeWhereTheMatrixDoes) {
  const DeviceSpace exec;
  int met = 0;
  for (const char* const name : {"watt_2", "bips98_606"}) {
    if (!why_unreadable(name).empty()) continue;
    ++met;
    const auto A = read_real_matrix(exec, name);
    const auto host = to_host(A);
    const auto rhs = times_ones(host);
    const auto b = to_multivector(exec, rhs, rhs.size());
    bool matrix_converges = false;
    for (const auto tiles : all_tiles) {
      SingleKernelSolver<double, DeviceSpace> solver({.name = SolverName::bicgstab,
                                                      .tolerance = 1e-10,
                                                      .max_iterations = iteration_limit(3000),
                                                      .tiles = tiles});
      const auto x = to_multivector(exec, std::vector<double>(rhs.size(), 0.0), rhs.size());
      const auto result =
          solver.solve(exec, A.view(), ArrayView<const double, DeviceSpace>(), b, x);
      const auto end = solver.end_of_tiles();
      std::printf("%-12s %s %s after %d iterations, tiles %s\n", name,
                  tiles == TilePrecision::off     ? "matrix "
                  : tiles == TilePrecision::fixed ? "fixed  "
                                                  : "falling",
                  std::string(to_string(result.status)).c_str(), result.iterations,
                  end ? std::string(to_string(*end)).c_str() : "kept");
      if (tiles == TilePrecision::off) matrix_converges = result.converged();
      if (matrix_converges) {
        EXPECT_TRUE(result.converged());
        EXPECT_LE(true_relative_residual(host, rhs, to_host(x)), 1e-10 * 1.001);
      }
    }
  }
  if (met == 0) GTEST_SKIP() << why_unreadable();
}

}  // namespace tessera::test::solve_parts_test
