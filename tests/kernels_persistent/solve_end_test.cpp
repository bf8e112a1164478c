// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CG and BiCGSTAB within one launch: how they end.
#include "kernels_persistent/persistent_solves.hpp"

#include <algorithm>

namespace tessera::test::solve_end_test {

TESSERA_TEST_SUITE(PersistentEndTest, Matrices, TypeNames);

TESSERA_TYPED_TEST(PersistentEndTest, Limits) {
  Persistent<Scalar, Space, Offset> persistent;
  const auto A = poisson<Scalar>(40, 40);
  const auto b = some_vector<Scalar>(A.num_rows);
  for (const Method method : both_methods) {
    PersistentLimits limits = reachable<Scalar>();
    for (const int most : {0, 1, 2, 5}) {
      limits.max_iterations = most;
      const auto answer = persistent.solve(method, A, b, With::nothing, limits);
      expect_consistent(answer, limits);
      EXPECT_EQ(answer.report.end, PersistentEnd::max_iterations);
      EXPECT_EQ(answer.report.iterations, most);
      EXPECT_LE(answer.report.residual_norm, norm_of(b) * (1 + 1e-6));
      expect_true_residual(A, b, answer);
    }
    // Relative to the start.
    limits = reachable<Scalar>();
    limits.tolerance = 0.5;
    limits.relative_to_rhs = false;
    const auto from_guess =
        persistent.solve(method, A, b, With::nothing, limits, some_vector<Scalar>(A.num_rows, 99));
    EXPECT_EQ(from_guess.report.end, PersistentEnd::converged);
    EXPECT_NEAR(from_guess.report.history.front(), 1, 1e-12);
    EXPECT_NE(from_guess.report.reference_norm, from_guess.report.rhs_norm);
  }
}

TESSERA_TYPED_TEST(PersistentEndTest, EndsByTheAbsoluteTolerance) {
  Persistent<Scalar, Space, Offset> persistent;
  const auto A = poisson<Scalar>(30, 30);
  const auto b = some_vector<Scalar>(A.num_rows);
  for (const Method method : both_methods) {
    int expected = -1;
    // The kernel takes powers of two out of b.
    for (const double factor : {1.0, 0x1p60, 0x1p-60}) {
      auto rhs = b;
      for (Scalar& value : rhs)
        value = static_cast<Scalar>(factor * value);
      const PersistentLimits limits{.tolerance = 0, .absolute_tolerance = 1e-2 * factor};
      const auto answer = persistent.solve(method, A, rhs, With::jacobi, limits);
      EXPECT_EQ(answer.report.end, PersistentEnd::converged);
      EXPECT_LE(answer.report.residual_norm, 1e-2 * factor * (1 + 1e-12));
      EXPECT_GT(answer.report.iterations, 0);
      if (expected < 0) expected = answer.report.iterations;
      EXPECT_EQ(answer.report.iterations, expected);
    }
    // The larger bound is the one that counts.
    PersistentLimits limits = reachable<Scalar>();
    const auto without = persistent.solve(method, A, b, With::jacobi, limits);
    limits.absolute_tolerance = 1e-3 * limits.tolerance;
    EXPECT_EQ(persistent.solve(method, A, b, With::jacobi, limits).x, without.x);
    limits.absolute_tolerance = 1e300;
    EXPECT_EQ(persistent.solve(method, A, b, With::jacobi, limits, b).x, b);
  }
}

TESSERA_TYPED_TEST(PersistentEndTest, StagnatesWhereTheToleranceIsOutOfReach) {
  Persistent<Scalar, Space, Offset> persistent;
  const auto A = poisson<Scalar>(30, 30);
  const auto b = some_vector<Scalar>(A.num_rows);
  for (const Method method : both_methods) {
    PersistentLimits limits{.tolerance = 1e-30, .max_iterations = 5000};
    const auto answer = persistent.solve(method, A, b, With::jacobi, limits);
    expect_consistent(answer, limits);
    EXPECT_TRUE(answer.report.end == PersistentEnd::stagnated ||
                answer.report.end == PersistentEnd::breakdown ||
                answer.report.end == PersistentEnd::max_iterations)
        << static_cast<int>(answer.report.end);
    // The best that the precision allows is there all the same.
    EXPECT_LT(answer.report.residual_norm, norm_of(b) * (sizeof(Scalar) == 8 ? 1e-12 : 1e-3));
    limits.max_iterations = 100000;
    EXPECT_EQ(persistent.solve(method, A, b, With::jacobi, limits, {}, {}, 20).report.end,
              answer.report.end);
  }
}

TESSERA_TYPED_TEST(PersistentEndTest, StartsAgainWhereTheRecurrenceHasDrifted) {
  Persistent<Scalar, Space, Offset> persistent;
  const auto A = poisson<Scalar>(30, 30);
  const auto b = some_vector<Scalar>(A.num_rows);
  // So large a guess that its rounding is more than the tolerance.
  auto guess = some_vector<Scalar>(A.num_rows, 5);
  for (auto& value : guess)
    value *= sizeof(Scalar) == 8 ? Scalar(1e8) : Scalar(1e4);
  for (const Method method : both_methods) {
    PersistentLimits limits = reachable<Scalar>();
    limits.divergence_limit = 1e30;
    limits.verify = false;
    const auto once = persistent.solve(method, A, b, With::nothing, limits, guess);
    EXPECT_EQ(once.report.end, PersistentEnd::stagnated);
    EXPECT_GT(once.report.residual_norm, limits.tolerance * once.report.rhs_norm);
    limits.verify = true;
    const auto again = persistent.solve(method, A, b, With::nothing, limits, guess);
    expect_converged(A, b, again, limits);
    EXPECT_GT(again.report.iterations, once.report.iterations);
  }
}

TESSERA_TYPED_TEST(PersistentEndTest, LeavesNoWorseIterateThanTheGuess) {
  Persistent<Scalar, Space, Offset> persistent;
  // Nearly skew: residuals grow before they fall.
  const std::int32_t n = 60;
  const auto A = by_rows<Scalar>(n, n, [&](auto& A, std::int32_t i) {
    if (i > 0) A.push(i - 1, Scalar(-1));
    A.push(i, Scalar(0.05));
    if (i + 1 < n) A.push(i + 1, Scalar(1));
  });
  const auto b = some_vector<Scalar>(n);
  bool has_grown = false;
  for (const Method method : both_methods) {
    PersistentLimits limits = reachable<Scalar>();
    for (limits.max_iterations = 1; limits.max_iterations < 30; ++limits.max_iterations) {
      const auto answer = persistent.solve(method, A, b, With::nothing, limits);
      has_grown = has_grown || answer.report.history.back() > 1.5;
      EXPECT_LE(answer.report.residual_norm, norm_of(b) * (1 + 1e-6));
      expect_true_residual(A, b, answer);
    }
  }
  EXPECT_TRUE(has_grown);
}

TESSERA_TYPED_TEST(PersistentEndTest, EndsInTime) {
  Persistent<Scalar, Space, Offset> persistent;
  const auto A = poisson<Scalar>(300, 300);
  const auto b = some_vector<Scalar>(A.num_rows);
  const PersistentLimits limits{.tolerance = 0, .max_iterations = 10000000, .verify = true};
  const auto answer = persistent.solve(Method::cg, A, b, With::nothing, limits, {}, {}, 1e-3);
  expect_consistent(answer, limits);
  EXPECT_EQ(answer.report.end, PersistentEnd::time_limit);
}

TESSERA_TYPED_TEST(PersistentEndTest, SaysWhatIsWrongWithAMatrix) {
  Persistent<Scalar, Space, Offset> persistent;
  const auto limits = reachable<Scalar>();
  const auto end_of = [&](Method method, const HostMatrix<Scalar>& A, const std::vector<Scalar>& b,
                          With with = With::nothing) {
    const auto answer = persistent.solve(method, A, b, with, limits);
    expect_consistent(answer, limits);
    EXPECT_TRUE(all_finite(answer.x));
    return answer.report.end;
  };
  // Zero rows, whose equations read 0 = 1: nothing reaches them.
  const std::vector<Scalar> ones(25, Scalar(1));
  for (const Method method : both_methods) {
    EXPECT_EQ(end_of(method, scaled(poisson<Scalar>(5, 5), 0), ones), PersistentEnd::breakdown);
    EXPECT_EQ(end_of(method, without_entries<Scalar>(25), ones), PersistentEnd::breakdown);
  }
  // Indefinite: <p, A p> = 0 at once, and < 0.
  EXPECT_EQ(end_of(Method::cg, diagonal_matrix<Scalar>({1, -1}), {1, 1}), PersistentEnd::breakdown);
  EXPECT_EQ(end_of(Method::cg, scaled(poisson<Scalar>(5, 5), -1), ones), PersistentEnd::breakdown);
  // Jacobi with a negative diagonal, and with a zero one: then M r is 0 there.
  EXPECT_EQ(end_of(Method::cg, diagonal_matrix<Scalar>({-1, -2, -3}), {1, 1, 1}, With::jacobi),
            PersistentEnd::breakdown);
  EXPECT_EQ(end_of(Method::cg, diagonal_matrix<Scalar>({0, 0}), {1, 1}, With::jacobi),
            PersistentEnd::breakdown);
  // Singular, with b outside of the range.
  const auto singular = end_of(Method::cg, diagonal_matrix<Scalar>({1, 2, 0}), {1, 1, 1});
  EXPECT_TRUE(singular == PersistentEnd::breakdown || singular == PersistentEnd::stagnated ||
              singular == PersistentEnd::max_iterations || singular == PersistentEnd::diverged)
      << static_cast<int>(singular);
  // And within it.
  EXPECT_EQ(end_of(Method::cg, diagonal_matrix<Scalar>({1, 2, 0}), {1, 1, 0}),
            PersistentEnd::converged);
}

TESSERA_TYPED_TEST(PersistentEndTest, NamesNumbersThatAreNone) {
  Persistent<Scalar, Space, Offset> persistent;
  const Scalar infinity = std::numeric_limits<Scalar>::infinity();
  for (const Method method : both_methods) {
    const auto solve = [&](const auto& A, const auto& b, const std::vector<Scalar>& x0) {
      return persistent.solve(method, A, b, With::jacobi, {}, x0).report;
    };
    for (const Scalar bad : {std::numeric_limits<Scalar>::quiet_NaN(), infinity, -infinity})
      expect_named(solve, bad);
  }
}

/// Residuals over the norm of b: 1e6 at the start, and in an eigenvector that CG is done with at
/// once; 1e2 or so after a launch, of 65,536 iterations; up to 1e4 and more in between and later.
TEST(PersistentLaunchesTest, ResidualsGrowOverTheStartOfTheSolve) {
  constexpr int of_launch = kernels::PersistentWorkspace<double, HostSpace>::max_history;
  constexpr int n = 200;
  std::vector<double> eigenvalues(n);
  for (int i = 0; i < n; ++i)
    eigenvalues[i] = std::pow(10.0, 14.0 * i / (n - 1));
  const auto A = diagonal_matrix<double>(eigenvalues);
  const auto b = some_vector<double>(n);
  std::vector<double> guess(n, 0.0);
  guess.back() = 1e6 * norm_of(b) / eigenvalues.back();
  Persistent<double, HostSpace, std::int32_t> persistent;
  PersistentLimits limits{.tolerance = 1e-12, .divergence_limit = 2};
  const auto report_of = [&](int launches) {
    limits.max_iterations = launches * of_launch;
    return persistent.solve(Method::cg, A, b, With::nothing, limits, guess).report;
  };
  const auto one = report_of(1);
  ASSERT_EQ(one.end, PersistentEnd::max_iterations);
  const auto two = report_of(2);
  EXPECT_EQ(two.end, PersistentEnd::max_iterations);
  EXPECT_EQ(two.iterations, 2 * of_launch);
  const auto& history = two.history;
  const double start_of_second = one.residual_norm / one.reference_norm;
  EXPECT_GT(*std::max_element(history.begin() + of_launch, history.end()), 10 * start_of_second);
  // The limit is that of the solve's start in the first launch as in the second.
  limits.divergence_limit = 1e-3;
  EXPECT_EQ(report_of(2).end, PersistentEnd::diverged);
}

}  // namespace tessera::test::solve_end_test
