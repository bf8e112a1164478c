// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The last digits of a solution by factors: residuals in more than double, and roundings of the
/// solution that leave less than rounding each number by itself does.
#include "tessera/direct/refinement.hpp"

#include "support/notes.hpp"
#include "tessera/direct/extended_residual.hpp"
#include "tessera/direct/rounding_descent.hpp"
#include "tessera/direct/selection_rules.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/solve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::test::refinement_test {

using Numbers = std::vector<double>;

constexpr bool has_more_than_double =
    std::numeric_limits<long double>::digits > std::numeric_limits<double>::digits;

direct::HostMatrix matrix(int n, const std::vector<std::vector<std::pair<int, double>>>& rows) {
  direct::HostMatrix A;
  A.n = n;
  A.offsets.push_back(0);
  for (const auto& row : rows) {
    for (const auto& [column, value] : row) {
      A.columns.push_back(column);
      A.values.push_back(value);
    }
    A.offsets.push_back(A.num_entries());
  }
  return A;
}

/// The fourth difference on n points between uneven scales: its condition is about (2 n / pi)^4,
/// and no solution is a vector of doubles.
direct::HostMatrix fourth_difference(int n) {
  const double stencil[] = {1, -4, 6, -4, 1};
  const auto scale = [](int i) { return 1 + 0.3 * std::sin(i); };
  std::vector<std::vector<std::pair<int, double>>> rows(n);
  for (int i = 0; i < n; ++i) {
    for (int k = -2; k <= 2; ++k)
      if (i + k >= 0 && i + k < n)
        rows[i].emplace_back(i + k, stencil[k + 2] * (scale(i) * scale(i + k)));
  }
  return matrix(n, rows);
}

Numbers ones(int n) { return Numbers(n, 1.0); }

double norm(const Numbers& v) {
  long double sum = 0;
  for (const double x : v)
    sum += static_cast<long double>(x) * x;
  return static_cast<double>(std::sqrt(sum));
}

double residual_norm(const direct::HostMatrix& A, const Numbers& b, const Numbers& x) {
  Numbers r(A.n);
  return direct::extended_residual(HostSpace(), A, b.data(), x.data(), nullptr, r.data());
}

/// Factors of a matrix.
struct Factors {
  direct::SparseDirect of;
  explicit Factors(const direct::HostMatrix& A) : of(A, true, 1e9) {
    EXPECT_TRUE(of.factor(HostSpace(), std::numeric_limits<double>::epsilon()));
  }
};

constexpr auto always = [](int, double) { return true; };

TEST(ExtendedResidual, SeesWhatDoubleRoundsAway) {
  if (!has_more_than_double) GTEST_SKIP() << "long double is double";
  const auto A = matrix(1, {{{0, 1 + 0x1p-30}}});
  const double b = 1, x = 1 - 0x1p-30, low = 0x1p-60;
  double r = 0;
  EXPECT_EQ(direct::extended_residual(HostSpace(), A, &b, &x, nullptr, &r), 0x1p-60);
  EXPECT_EQ(r, 0x1p-60);
  EXPECT_EQ(direct::extended_residual(HostSpace(), A, &b, &x, &low, &r), 0x1p-90);
  EXPECT_EQ(r, -0x1p-90);
}

TEST(RoundingDescent, LeavesAFractionOfTheRoundedSolution) {
  const int n = 300;
  const auto A = fourth_difference(n);
  const auto b = ones(n);
  Numbers x = b;
  const Factors factors(A);
  factors.of.solve(HostSpace(), x.data());
  auto refined = direct::refine(HostSpace(), A, factors.of, b.data(), x.data(), 0, 20, always);
  const double rounded = refined.norm;
  const Numbers before = x;
  const double norm =
      direct::RoundingDescent(A).descend(b.data(), x.data(), 0, [] { return true; });
  EXPECT_EQ(norm, residual_norm(A, b, x));
  EXPECT_LT(norm, 0.75 * rounded);
  for (int i = 0; i < n; ++i)
    EXPECT_NEAR(x[i], before[i], 1e-9 * std::abs(before[i])) << i;
}

TEST(RoundingDescent, EndsAtTheTargetAndWhereItIsTold) {
  const int n = 300;
  const auto A = fourth_difference(n);
  const auto b = ones(n);
  const Factors factors(A);
  Numbers x = b;
  factors.of.solve(HostSpace(), x.data());
  const double rounded =
      direct::refine(HostSpace(), A, factors.of, b.data(), x.data(), 0, 20, always).norm;
  const Numbers before = x;
  direct::RoundingDescent descent(A);
  EXPECT_EQ(descent.descend(b.data(), x.data(), 0, [] { return false; }), rounded);
  EXPECT_EQ(x, before);
  EXPECT_EQ(descent.descend(b.data(), x.data(), 2 * rounded, [] { return true; }), rounded);
  EXPECT_EQ(x, before);
  const double norm = descent.descend(b.data(), x.data(), 0.8 * rounded, [] { return true; });
  EXPECT_LE(norm, 0.8 * rounded);
}

TEST(RoundingDescent, TakesMatricesWithoutEntriesAndNumbersThatAreNone) {
  const auto go_on = [] { return true; };
  const direct::HostMatrix none = matrix(0, {});
  EXPECT_EQ(direct::RoundingDescent(none).descend(nullptr, nullptr, 0, go_on), 0);

  const auto zero = matrix(2, {{}, {{0, 2.0}}});
  Numbers b{3, 1}, x{0, 7};
  EXPECT_EQ(direct::RoundingDescent(zero).descend(b.data(), x.data(), 0, go_on), 3);
  EXPECT_EQ(x, (Numbers{0.5, 7}));

  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double huge = std::numeric_limits<double>::max();
  for (const double value : {nan, huge, 0x1p-1070}) {
    const auto A = fourth_difference(4);
    Numbers rhs(4, value), solution(4, 1.0);
    direct::RoundingDescent(A).descend(rhs.data(), solution.data(), 0, go_on);  // comes back
    auto scaled = A;
    for (double& entry : scaled.values)
      entry *= value;
    rhs.assign(4, 1.0);
    direct::RoundingDescent(scaled).descend(rhs.data(), solution.data(), 0, go_on);
  }
}

TEST(Refinement, GainsWhatDoubleCanHold) {
  if (!has_more_than_double) GTEST_SKIP() << "long double is double";
  const int n = 300;
  const auto A = fourth_difference(n);
  const auto b = ones(n);
  const Factors factors(A);
  Numbers x = b;
  factors.of.solve(HostSpace(), x.data());
  const double by_factors = residual_norm(A, b, x);
  const Numbers first = x;

  // Not asked to go on, it leaves x.
  auto refined = direct::refine(HostSpace(), A, factors.of, b.data(), x.data(), 0, 20,
                                [](int, double) { return false; });
  EXPECT_EQ(refined.norm, by_factors);
  EXPECT_TRUE(refined.history.empty());
  EXPECT_EQ(x, first);

  refined =
      direct::refine(HostSpace(), A, factors.of, b.data(), x.data(), by_factors / 2, 20, always);
  EXPECT_LE(refined.norm, by_factors / 2);
  EXPECT_LT(refined.unrounded_norm, by_factors / 2);
  EXPECT_EQ(refined.norm, residual_norm(A, b, x));
  ASSERT_FALSE(refined.history.empty());
  EXPECT_EQ(refined.history.back(), refined.norm);

  // Beyond double: what there is stays, and is no worse.
  const double before = refined.norm;
  refined = direct::refine(HostSpace(), A, factors.of, b.data(), x.data(), 1e-30, 20, always);
  EXPECT_LE(refined.norm, before);
  EXPECT_GT(refined.norm, 1e-30);
}

/// A solve by factors whose solution leaves more than the tolerance once it is rounded.
class LastDigits : public ::testing::Test {
 public:
  using Matrix = kernels::Csr<double, HostSpace, int>;

  void SetUp() override {
    if (!direct::available()) GTEST_SKIP() << "built without SuiteSparse";
    if (!has_more_than_double) GTEST_SKIP() << "long double is double";
  }

  static Matrix csr(const direct::HostMatrix& A) {
    const Array<int, HostSpace> offsets("offsets", A.n + 1);
    const Array<Ordinal, HostSpace> columns("columns", A.num_entries());
    const Array<double, HostSpace> values("values", A.num_entries());
    std::copy(A.offsets.begin(), A.offsets.end(), offsets.data());
    std::copy(A.columns.begin(), A.columns.end(), columns.data());
    std::copy(A.values.begin(), A.values.end(), values.data());
    return {A.n, A.n, offsets, columns, values};
  }

  SolveResult solve(double tolerance, int k = 1) {
    A = fourth_difference(400);
    const auto n = static_cast<std::size_t>(A.n);
    SolveParameters p;
    p.preconditioner = PreconditionerKind::direct;
    p.solver.tolerance = tolerance;
    solver = Solver<double, HostSpace, int>(p);
    if (logger) solver.set_logger(logger);
    solver.setup(HostSpace(), csr(A));
    b = MultiVector<double, HostSpace>("b", n, k);
    x = MultiVector<double, HostSpace>("x", n, k);
    for (int j = 0; j < k; ++j)
      for (std::size_t i = 0; i < n; ++i)
        b(i, j) = j == 1 ? 0 : 1 + 0.25 * j;
    return solver.solve(HostSpace(), b, x);
  }

  double relative_residual(int j) const {
    const std::size_t n = A.n;
    const Numbers rhs(b.data() + j * b.stride(1), b.data() + j * b.stride(1) + n);
    const Numbers solution(x.data() + j * x.stride(1), x.data() + j * x.stride(1) + n);
    return residual_norm(A, rhs, solution) / norm(rhs);
  }

  Solver<double, HostSpace, int> solver;
  Logger logger;
  direct::HostMatrix A;
  MultiVector<double, HostSpace> b, x;
};

TEST_F(LastDigits, ConvergeWhereTheRoundedSolutionDoesNot) {
  // Below what rounding number by number leaves, and above what can be had.
  const auto B = fourth_difference(400);
  const Factors factors(B);
  const Numbers rhs = ones(B.n);
  Numbers rounded = rhs;
  factors.of.solve(HostSpace(), rounded.data());
  const double tolerance =
      0.8 / norm(rhs) *
      direct::refine(HostSpace(), B, factors.of, rhs.data(), rounded.data(), 0, 20, always).norm;
  const auto result = solve(tolerance, 3);
  EXPECT_EQ(to_string(result.status), "converged");
  EXPECT_EQ(result.residual_history.size(), static_cast<std::size_t>(result.iterations) + 1);
  for (const int j : {0, 2}) {
    EXPECT_LE(relative_residual(j), tolerance);
    EXPECT_EQ(relative_residual(j), result.columns[j].true_relative_residual);
    EXPECT_GT(result.columns[j].iterations, 1);
  }
  EXPECT_EQ(result.columns[1].iterations, 0);
}

TEST_F(LastDigits, SayWhatIsBeyondDouble) {
  const auto result = solve(1e-10);
  EXPECT_EQ(to_string(result.status), "stagnated");
  EXPECT_EQ(relative_residual(0), result.true_relative_residual);
  EXPECT_TRUE(noted(solver.hierarchy(), "beyond double: the solution leaves"));
}

TEST_F(LastDigits, EndWhereTheLoggerSaysSo) {
  int last = 0;
  logger = [&](const IterationInfo& now) {
    EXPECT_GE(now.iteration, last);
    last = now.iteration;
    return now.iteration < 3;
  };
  const auto result = solve(1e-10);
  EXPECT_EQ(to_string(result.status), "interrupted");
  EXPECT_EQ(last, 3);
}

}  // namespace tessera::test::refinement_test
