// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Symmetric positive definite matrices from real problems, solved with the defaults: each ends
/// with a true relative residual of 1e-8, or with a status that does not claim it. A share of the
/// tests (support/share.hpp) asks for no convergence.
#include "real_matrix.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace tessera::test::positive_definite_test {

using Space = DeviceSpace;

/// The defaults must converge within 1000 iterations.
class PositiveDefinite : public ::testing::TestWithParam<const char*> {};

TEST_P(PositiveDefinite, EndsHonestly) {
  if (const auto why = why_unreadable(GetParam()); !why.empty()) GTEST_SKIP() << why;
  const Space exec;
  const auto A = read_real_matrix(exec, GetParam());
  const std::size_t n = A.num_rows;
  // b = A r for hashed r: some of these matrices are singular but for round-off, and this b is in
  // their range.
  const HostMatrix<double> host = to_host(A);
  const std::vector<long double> product = multiply(host, hashed_vector(n));
  const std::vector<double> rhs(product.begin(), product.end());
  const auto b = to_multivector(exec, rhs, n);
  const auto x = zeros<double>(exec, n);
  SolveParameters parameters;
  parameters.solver.max_iterations = iteration_limit(1000);
  auto solver = set_up(exec, A, parameters);
  const auto result = solver.solve(exec, b, x);
  const double residual = true_relative_residual(host, rhs, to_host(x));
  std::printf("%-20s %8zu rows  %-14s %5d iterations  true relative residual %.2e  %.0f ms\n",
              GetParam(), n, std::string(to_string(result.status)).c_str(), result.iterations,
              residual, solver.setup_ms() + result.solve_ms);
  EXPECT_TRUE(std::isfinite(residual));
  EXPECT_NEAR(residual, result.true_relative_residual, 1e-10 + 1e-3 * residual);
  if (result.converged()) {
    EXPECT_LE(residual, 1.001e-8);
  }
  if (asked_share() == 1) {
    EXPECT_TRUE(result.converged()) << to_string(result.status);
  }
}

INSTANTIATE_TEST_SUITE_P(
    RealMatrices, PositiveDefinite,
    ::testing::Values("swh_elasticity_p1", "bcsstk32_lap", "mdual_lap", "brack2_lap", "G2_circuit",
                      "rail_79841_E", "rss_laplace_A0", "bcsstk38", "cvxbqp1", "shallow_water1",
                      "bcsstk16", "Dubcova1", "bcsstk25", "bcsstk28", "s3rmt3m3", "jnlbrng1",
                      "bcsstk24", "bcsstk18", "EVSL_B", "rail_20209_E", "EVSL_A", "bcsstk15",
                      "anisotropic3d7816", "crystm01", "nasa4704", "ex9", "ex15", "ani5_crop",
                      "bcsstk13", "ex13", "rocker_arm_surface", "bloweybq", "poisson4009",
                      "bcsstk14", "ex10hs", "ginkgo_A_multigrid", "bcsstk27", "ex10", "ex3"),
    [](const auto& test) { return std::string(test.param); });

}  // namespace tessera::test::positive_definite_test
