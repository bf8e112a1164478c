// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Nonsymmetric and indefinite matrices from real problems with the defaults, many out of reach of
/// them: each solve ends with a result, never with an exception, and as recorded. Where the
/// diagonal has zeros or both signs, what is picked does better than multigrid.
#include "real_matrix.hpp"
#include "support/notes.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace tessera::test::nonsymmetric_test {

using Space = DeviceSpace;

/// How a solve ends, and what is left of the guess's residual at most: two to three times what was
/// measured where this is below 1. Converged, it is the tolerance of the right-hand side.
struct End {
  const char* status = "converged";
  double of_guess = 1;
  /// What of the right-hand side a device leaves at most where it reaches the limit of iterations
  /// before; 0: it does not.
  double left_on_device = 0;
};

/// Factors solve with each right-hand side in the range. Where hashed numbers leave all of the
/// residual, they are out of reach in double precision.
struct Matrix {
  const char* name;
  End factors_hashed = {};
  End hashed = {};  ///< without factors
  End in_range = {};  ///< without factors

  friend std::ostream& operator<<(std::ostream& out, const Matrix& m) { return out << m.name; }
};

constexpr Matrix any_matrices[] = {
    {"pores_1"},
    {"M20PI_n", {"stagnated", 8e-2}, {"stagnated", 8e-2}},
    {"mahindas"},
    {"west0479"},
    {"lhr07", {"stagnated"}, {"max_iterations", 0.999}, {"max_iterations", 0.97}},
    {"gemat12", {}, {"max_iterations", 0.998}, {"max_iterations", 0.8}},
    {"stokes64", {"max_iterations"}, {"max_iterations", 0.45}, {"max_iterations", 4e-4}},
    {"gre_1107"},
    {"fs_760_3", {}, {"converged", 1, 0.98}, {"converged", 1, 1.2e-2}},
    {"olm1000", {}, {"converged", 1, 1e-7}},  // 120 iterations on an H200 left 1.3e-8
    {"bips98_606", {}, {"breakdown"}},
    {"bayer10", {}, {"max_iterations"}, {"max_iterations", 0.99}}};

class AnyMatrix : public ::testing::TestWithParam<Matrix> {
 public:
  void expect(const End& end, const kernels::Csr<double, Space>& A, const std::vector<double>& rhs,
              bool factors) {
    const Space exec;
    const HostMatrix<double> host = to_host(A);
    const std::size_t n = A.num_rows;
    SolveParameters parameters;
    parameters.solver.max_iterations = iteration_limit(120);
    if (!factors) parameters.direct.max_memory_mb = 0;
    auto solver = set_up(exec, A, parameters);
    for (const double guess : {0.0, 0.5}) {
      const std::vector<double> start(n, guess);
      const auto x = to_multivector(exec, start, n);
      const auto result = solver.solve(exec, to_multivector(exec, rhs, n), x);
      const double before = true_relative_residual(host, rhs, start);
      const double after = true_relative_residual(host, rhs, to_host(x));
      std::printf("%-12s %6zu rows  %-14s %4d iterations  true relative residual %.2e from %.2e\n",
                  GetParam().name, n, std::string(to_string(result.status)).c_str(),
                  result.iterations, after, before);
      EXPECT_LE(after, before * (1 + 1e-8));
      // Where factors leave nothing but round-off, two ways to sum it up differ in it.
      EXPECT_NEAR(after, result.true_relative_residual, 1e-7 + 1e-3 * after);
      if (asked_share() > 1) continue;
      const bool late = end.left_on_device > 0 && !kernels::is_host_space<Space> &&
                        result.status == SolveStatus::max_iterations;
      if (late) {
        EXPECT_LE(after, end.left_on_device);
      } else {
        EXPECT_EQ(to_string(result.status), end.status);
      }
      if (result.converged()) {
        EXPECT_LE(after, 1.001e-8);
      } else if (end.of_guess < 1) {
        EXPECT_LE(after, end.of_guess * before);
      }
    }
  }
};

TEST_P(AnyMatrix, EndsAsRecorded) {
  const Matrix& m = GetParam();
  if (const auto why = why_unreadable(m.name); !why.empty()) GTEST_SKIP() << why;
  const auto A = read_real_matrix(Space(), m.name);
  const auto hashed = hashed_vector(A.num_rows);
  const auto in_range = vector_in_range(to_host(A));
  for (const bool factors : {true, false}) {
    if (factors && !may_factor<Space>()) continue;
    SCOPED_TRACE(factors ? "with factors" : "without factors");
    expect(factors ? m.factors_hashed : m.hashed, A, hashed, factors);
    expect(factors ? End{} : m.in_range, A, in_range, factors);
  }
}

INSTANTIATE_TEST_SUITE_P(RealMatrices, AnyMatrix, ::testing::ValuesIn(any_matrices),
                         [](const auto& test) { return std::string(test.param.name); });

/// Factors of a real matrix, as they are noted.
struct Factors {
  const char* name;
  const char* note;
};

class FactorsOf : public ::testing::TestWithParam<Factors> {};

TEST_P(FactorsOf, AreByKluWherePivotsOfPanelsDoNotDo) {
  if (const auto why = why_unreadable(GetParam().name); !why.empty()) GTEST_SKIP() << why;
  if (!direct::available()) GTEST_SKIP() << "built without SuiteSparse";
  const Space exec;
  const auto A = read_real_matrix(exec, GetParam().name);
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::direct;
  auto solver = set_up(exec, A, parameters);
  EXPECT_TRUE(noted(solver.hierarchy(), GetParam().note));
  const std::size_t n = A.num_rows;
  const auto result = solver.solve(exec, to_multivector(exec, vector_in_range(to_host(A)), n),
                                   zeros<double>(exec, n));
  EXPECT_TRUE(result.converged()) << to_string(result.status);
  EXPECT_LE(result.iterations, 4);
}

INSTANTIATE_TEST_SUITE_P(RealMatrices, FactorsOf,
                         ::testing::Values(Factors{"nnc1374", "factors: lu, "},
                                           Factors{"GT01R", "factors: lu in panels, "},
                                           Factors{"tuma1", "factors: lu in panels, "}),
                         [](const auto& test) { return std::string(test.param.name); });

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
