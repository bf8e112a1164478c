// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Nonsymmetric and indefinite matrices from real problems with the defaults, many out of reach of
/// them: each solve ends with a result, never with an exception, and with no x worse than its
/// guess. Where the diagonal has zeros or both signs, what is picked does better than multigrid.
#include "real_matrix.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace tessera::test::nonsymmetric_test {

using Space = DeviceSpace;

class AnyMatrix : public ::testing::TestWithParam<const char*> {};

TEST_P(AnyMatrix, EndsWithAResultNoWorseThanTheGuess) {
  if (const auto why = why_unreadable(GetParam()); !why.empty()) GTEST_SKIP() << why;
  const Space exec;
  const auto [A, n, host, rhs, b] = RealSystem<Space>(exec, GetParam());
  SolveParameters parameters;
  parameters.solver.max_iterations = iteration_limit(120);
  auto solver = set_up(exec, A, parameters);
  for (const double guess : {0.0, 0.5}) {
    const std::vector<double> start(n, guess);
    const auto x = to_multivector(exec, start, n);
    const auto result = solver.solve(exec, b, x);
    const double before = true_relative_residual(host, rhs, start);
    const double after = true_relative_residual(host, rhs, to_host(x));
    std::printf("%-12s %6zu rows  %-14s %4d iterations  true relative residual %.2e from %.2e\n",
                GetParam(), n, std::string(to_string(result.status)).c_str(), result.iterations,
                after, before);
    EXPECT_LE(after, before * (1 + 1e-8));
    // Where factors leave nothing but round-off, two ways to sum it up differ in it.
    EXPECT_NEAR(after, result.true_relative_residual, 1e-7 + 1e-3 * after);
  }
}

INSTANTIATE_TEST_SUITE_P(RealMatrices, AnyMatrix,
                         ::testing::Values("pores_1", "M20PI_n", "mahindas", "west0479", "lhr07",
                                           "gemat12", "stokes64", "gre_1107", "fs_760_3", "olm1000",
                                           "bips98_606", "bayer10"),
                         [](const auto& test) { return std::string(test.param); });

/// What was picked for a real matrix, and how the solve with hashed numbers on the right ended.
struct Outcome {
  SolveParameters picked;
  SolveResult result;
};

Outcome solve_real_matrix(const std::string& name, SolveParameters parameters) {
  const Space exec;
  const auto [A, n, host, rhs, b] = RealSystem<Space>(exec, name);
  parameters.solver.max_iterations = iteration_limit(120);
  parameters.direct.max_memory_mb = 0;  // as on a device, and in a build without factors
  auto solver = set_up(exec, A, parameters);
  return {solver.parameters(), solver.solve(exec, b, zeros<double>(exec, n))};
}

class SmallMatrix : public ::testing::TestWithParam<const char*> {};

TEST_P(SmallMatrix, ConvergesByOneDenseLevel) {
  if (const auto why = why_unreadable(GetParam()); !why.empty()) GTEST_SKIP() << why;
  const auto outcome = solve_real_matrix(GetParam(), {});
  EXPECT_GT(outcome.picked.amg.coarse_size, 0);
  EXPECT_TRUE(outcome.result.converged()) << to_string(outcome.result.status);
  EXPECT_LE(outcome.result.iterations, 5);
}

INSTANTIATE_TEST_SUITE_P(RealMatrices, SmallMatrix,
                         ::testing::Values("west0479", "west1505", "circuit204", "pores_2",
                                           "rajat19", "sherman2", "watt_2"),
                         [](const auto& test) { return std::string(test.param); });

class ZeroDiagonal : public ::testing::TestWithParam<const char*> {};

TEST_P(ZeroDiagonal, IsBetterOffWithoutMultigrid) {
  if (const auto why = why_unreadable(GetParam()); !why.empty()) GTEST_SKIP() << why;
  const auto outcome = solve_real_matrix(GetParam(), {});
  EXPECT_EQ(outcome.picked.preconditioner, PreconditionerKind::none);
  SolveParameters multigrid;
  multigrid.preconditioner = PreconditionerKind::amg;
  const auto other = solve_real_matrix(GetParam(), multigrid);
  std::printf("%-12s true relative residual %.2e as picked, %.2e with amg\n", GetParam(),
              outcome.result.true_relative_residual, other.result.true_relative_residual);
  if (asked_share() == 1) {
    EXPECT_LT(outcome.result.true_relative_residual, 0.5 * other.result.true_relative_residual);
  }
}

INSTANTIATE_TEST_SUITE_P(RealMatrices, ZeroDiagonal,
                         ::testing::Values("stokes64", "tuma1", "tuma2", "bratu3d", "laser"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace tessera::test::nonsymmetric_test
