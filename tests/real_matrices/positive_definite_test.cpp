// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Symmetric positive definite matrices from real problems, solved with the defaults, with sparse
/// factors and without: each solve takes the iterations that are recorded, and claims a true
/// relative residual of 1e-8 where it has one. A share of the tests (support/share.hpp) asks for
/// neither.
#include "real_matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

namespace tessera::test::positive_definite_test {

using Space = DeviceSpace;

/// What random b takes to be solved, beyond the defaults without factors. Unlike A r it has parts
/// along the smallest eigenvalues, and x grows with the condition.
enum class Needs {
  nothing,
  factors,  ///< or more than 1000 iterations
  condition,  ///< a better one: rounding so large an x leaves more than the tolerance
  singular  ///< nothing helps: A is singular but for rounding, and b outside its range
};

struct Matrix {
  const char* name;
  int with_factors;  ///< iterations with b = A r, where factors may be picked
  int iterations;  ///< and where they may not
  Needs random = Needs::nothing;
  const char* status = "converged";  ///< with random b and factors
  double residual = 1.001e-8;  ///< and what it leaves at most
  /// Share of `iterations` by which sums in another order change them: an H200 once took 149 for
  /// 105.
  double spread = 0;
  int on_device = 0;  ///< `iterations` there, where the coarsest level has no sparse factors

  friend std::ostream& operator<<(std::ostream& out, const Matrix& m) { return out << m.name; }
};

constexpr Matrix matrices[] = {
    {"swh_elasticity_p1", 28, 28},
    {"bcsstk32_lap", 11, 11},
    {"mdual_lap", 14, 14},
    {"brack2_lap", 16, 16},
    {"G2_circuit", 17, 17},
    {"rail_79841_E", 17, 17},
    {"rss_laplace_A0", 10, 10},
    {"bcsstk38", 1, 188, Needs::factors},
    {"cvxbqp1", 46, 48, Needs::nothing, "converged", 1.001e-8, 0, 166},
    {"shallow_water1", 15, 15},
    {"bcsstk16", 1, 17},
    {"Dubcova1", 1, 27},
    {"bcsstk25", 59, 192, Needs::factors},
    {"bcsstk28", 1, 347},
    {"s3rmt3m3", 1, 721, Needs::factors},
    {"jnlbrng1", 11, 11},
    {"bcsstk24", 47, 419, Needs::factors},
    {"bcsstk18", 64, 175},
    {"EVSL_B", 35, 35},
    {"rail_20209_E", 17, 17},
    {"EVSL_A", 8, 8},
    {"bcsstk15", 1, 103},
    {"anisotropic3d7816", 50, 50, Needs::singular, "least_squares", 0.04},
    {"crystm01", 44, 44},
    {"nasa4704", 1, 185},
    {"ex9", 1, 31, Needs::factors},
    {"ex15", 1, 105, Needs::condition, "stagnated", 1.5e-06, 0.45},
    {"ani5_crop", 1, 20},
    {"bcsstk13", 1, 125},
    {"ex13", 1, 18, Needs::condition, "stagnated", 2e-04},
    {"rocker_arm_surface", 11, 11},
    {"bloweybq", 1, 51, Needs::condition, "stagnated", 0.01},
    {"poisson4009", 1, 14, Needs::singular, "stagnated", 1},
    {"bcsstk14", 35, 105},
    {"ex10hs", 1, 190, Needs::factors, "converged", 1.001e-8, 0.3},
    {"ginkgo_A_multigrid", 1, 8},
    {"bcsstk27", 1, 38},
    {"ex10", 1, 242, Needs::factors, "converged", 1.001e-8, 0.3},
    {"ex3", 1, 64}};

/// With random b and factors at most three end unconverged by their condition, beside those that
/// are singular; without factors, as on devices, those of `Needs::factors` do, too.
static_assert(std::count_if(std::begin(matrices), std::end(matrices),
                            [](const Matrix& m) { return m.random == Needs::condition; }) <= 3);

/// By how much sums in double may be off in ||b - A x|| / ||b||: each row's by its entries'
/// roundoff.
double rounding(const HostMatrix<double>& A, const std::vector<double>& b,
                const std::vector<double>& x) {
  double error = 0, norm = 0;
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    double sum = std::abs(b[i]);
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      sum += std::abs(A.values[e] * x[A.columns[e]]);
    sum *= 0x1p-53 * (A.offsets[i + 1] - A.offsets[i] + 1);
    error += sum * sum;
    norm += b[i] * b[i];
  }
  return std::sqrt(error / norm);
}

class PositiveDefinite : public ::testing::TestWithParam<Matrix> {
 public:
  struct Outcome {
    SolveResult result;
    double residual;
  };

  /// Within 1000 iterations; that the result says what is left is checked.
  Outcome solve(const kernels::Csr<double, Space>& A, const HostMatrix<double>& host,
                const std::vector<double>& rhs, bool factors) {
    const Space exec;
    const std::size_t n = A.num_rows;
    const auto x = zeros<double>(exec, n);
    SolveParameters parameters;
    parameters.solver.max_iterations = iteration_limit(1000);
    if (!factors) parameters.direct.max_memory_mb = 0;
    auto solver = set_up(exec, A, parameters);
    const auto result = solver.solve(exec, to_multivector(exec, rhs, n), x);
    const double residual = true_relative_residual(host, rhs, to_host(x));
    std::printf("%-20s %8zu rows  %-14s %5d iterations  true relative residual %.2e  %.0f ms\n",
                GetParam().name, n, std::string(to_string(result.status)).c_str(),
                result.iterations, residual, solver.setup_ms() + result.solve_ms);
    EXPECT_TRUE(std::isfinite(residual));
    EXPECT_NEAR(residual, result.true_relative_residual,
                1e-10 + 1e-3 * residual + rounding(host, rhs, to_host(x)));
    if (result.converged()) {
      EXPECT_LE(residual, 1.001e-8);
    }
    return {result, residual};
  }
};

TEST_P(PositiveDefinite, EndsAsRecorded) {
  const Matrix& m = GetParam();
  if (const auto why = why_unreadable(m.name); !why.empty()) GTEST_SKIP() << why;
  const auto A = read_real_matrix(Space(), m.name);
  const HostMatrix<double> host = to_host(A);
  for (const bool factors : {true, false}) {
    if (factors && !may_factor<Space>()) continue;
    SCOPED_TRACE(factors ? "with factors" : "without factors");
    const auto in_range = solve(A, host, vector_in_range(host), factors).result;
    if (asked_share() > 1) continue;
    EXPECT_EQ(to_string(in_range.status), "converged");
    const bool differs = m.on_device > 0 && !kernels::is_host_space<Space>;
    const int recorded = factors ? m.with_factors : differs ? m.on_device : m.iterations;
    const double spread = factors ? 0 : m.spread * recorded;
    EXPECT_NEAR(in_range.iterations, recorded, std::max(count_tolerance(recorded), spread));
  }
  const auto b = command_random_rhs(A.num_rows);
  for (const bool factors : {true, false}) {
    if (factors && !may_factor<Space>()) continue;
    SCOPED_TRACE(factors ? "random, with factors" : "random, without factors");
    const auto [random, residual] = solve(A, host, b, factors);
    if (asked_share() > 1) continue;
    if (factors) {
      EXPECT_EQ(to_string(random.status), m.status);
      EXPECT_LE(residual, m.residual);
    } else {
      EXPECT_EQ(random.converged(), m.random == Needs::nothing) << to_string(random.status);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(RealMatrices, PositiveDefinite, ::testing::ValuesIn(matrices),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace tessera::test::positive_definite_test
