// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Symmetric positive definite matrices from real problems, solved with the defaults: each ends
/// with a true relative residual of 1e-8, or with a status that does not claim it. A share of the
/// tests (support/share.hpp) asks for no convergence.
#include "real_matrix.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solve.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace tessera::test::positive_definite_test {

using Space = DeviceSpace;

/// Name, and whether the defaults must converge within 1000 iterations. The others must end with an
/// honest status.
struct Matrix {
  const char* name;
  bool converges;
};

constexpr Matrix positive_definite[] = {{"swh_elasticity_p1", true},
                                        {"bcsstk32_lap", true},
                                        {"mdual_lap", true},
                                        {"brack2_lap", true},
                                        {"G2_circuit", true},
                                        {"rail_79841_E", true},
                                        {"rss_laplace_A0", true},
                                        {"bcsstk38", true},
                                        {"cvxbqp1", true},
                                        {"shallow_water1", true},
                                        {"bcsstk16", true},
                                        {"Dubcova1", true},
                                        {"bcsstk25", true},
                                        {"bcsstk28", true},
                                        {"s3rmt3m3", true},
                                        {"jnlbrng1", true},
                                        {"bcsstk24", true},
                                        {"bcsstk18", true},
                                        {"EVSL_B", true},
                                        {"rail_20209_E", true},
                                        {"EVSL_A", true},
                                        {"bcsstk15", true},
                                        {"anisotropic3d7816", true},
                                        {"crystm01", true},
                                        {"nasa4704", true},
                                        {"ex9", true},
                                        {"ex15", true},
                                        {"ani5_crop", true},
                                        {"bcsstk13", true},
                                        {"ex13", true},
                                        {"rocker_arm_surface", true},
                                        {"bloweybq", true},
                                        {"poisson4009", true},
                                        {"bcsstk14", true},
                                        {"ex10hs", true},
                                        {"ginkgo_A_multigrid", true},
                                        {"bcsstk27", true},
                                        {"ex10", true},
                                        {"ex3", true}};

class PositiveDefinite : public ::testing::TestWithParam<Matrix> {};

TEST_P(PositiveDefinite, EndsHonestly) {
  if (const auto why = why_unreadable(GetParam().name); !why.empty()) GTEST_SKIP() << why;
  const Space exec;
  const auto A = read_real_matrix(exec, GetParam().name);
  const std::size_t n = A.num_rows;
  // b = A r for hashed r: some of these matrices are singular but for round-off, and this b is in
  // their range.
  const HostMatrix<double> host = to_host(A);
  const std::vector<long double> product = multiply(host, hashed_vector(n));
  const std::vector<double> rhs(product.begin(), product.end());
  const auto b = to_multivector(exec, rhs, n);
  const auto x = to_multivector(exec, std::vector<double>(n, 0.0), n);
  SolveParameters parameters;
  parameters.solver.max_iterations = iteration_limit(1000);
  Solver<double, Space> solver(parameters);
  solver.setup(exec, A);
  const auto result = solver.solve(exec, b, x);
  const double residual = true_relative_residual(host, rhs, to_host(x));
  std::printf("%-20s %8zu rows  %-14s %5d iterations  true relative residual %.2e  %.0f ms\n",
              GetParam().name, n, std::string(to_string(result.status)).c_str(), result.iterations,
              residual, solver.setup_ms() + result.solve_ms);
  EXPECT_TRUE(std::isfinite(residual));
  EXPECT_NEAR(residual, result.true_relative_residual, 1e-10 + 1e-3 * residual);
  if (result.converged()) {
    EXPECT_LE(residual, 1.001e-8);
  }
  if (GetParam().converges && asked_share() == 1) {
    EXPECT_TRUE(result.converged()) << to_string(result.status);
  }
}

INSTANTIATE_TEST_SUITE_P(RealMatrices, PositiveDefinite, ::testing::ValuesIn(positive_definite),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace tessera::test::positive_definite_test
