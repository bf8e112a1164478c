// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Incomplete factors of matrices from real problems, beside the diagonal alone. Skipped where the
/// matrices are not there.
#include "real_matrices/real_matrix.hpp"

#include <gtest/gtest.h>

namespace tessera::test::ilu_real_matrices_test {

using Space = DeviceSpace;

struct RealIlu {
  const char* name;
  SolverName method;
  double most;  ///< iterations, over those of Jacobi
};

class IluOfRealMatrix : public ::testing::TestWithParam<RealIlu> {};

TEST_P(IluOfRealMatrix, TakesFewerIterationsThanJacobi) {
  const auto [name, method, most] = GetParam();
  if (const auto why = why_unreadable(name); !why.empty()) GTEST_SKIP() << why;
  const Space exec;
  const auto [A, n, host, rhs, b] = RealSystem<Space>(exec, name);
  int iterations[2] = {};
  for (const bool by_ilu : {false, true}) {
    SolveParameters p;
    p.preconditioner = by_ilu ? PreconditionerKind::ilu : PreconditionerKind::jacobi;
    p.solver.name = method;
    p.solver.max_iterations = iteration_limit(2000);
    auto solver = set_up(exec, A, p);
    const auto x = zeros<double>(exec, n);
    const auto result = solver.solve(exec, b, x);
    iterations[by_ilu] = result.iterations;
    if (asked_share() != 1) continue;
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    EXPECT_LE(true_relative_residual(host, rhs, to_host(x)), 1.01e-8);
  }
  if (asked_share() == 1) {
    EXPECT_LE(iterations[1], most * iterations[0]);
  }
}

INSTANTIATE_TEST_SUITE_P(RealMatrices, IluOfRealMatrix,
                         ::testing::Values(RealIlu{"1138_bus", SolverName::cg, 0.4},
                                           RealIlu{"nos3", SolverName::cg, 0.4},
                                           RealIlu{"gr_30_30", SolverName::cg, 0.7},
                                           RealIlu{"bcsstk16", SolverName::cg, 0.4},
                                           RealIlu{"bcsstk27", SolverName::cg, 0.3},
                                           RealIlu{"crystm01", SolverName::cg, 0.2},
                                           RealIlu{"orsirr_1", SolverName::bicgstab, 0.3},
                                           RealIlu{"sherman4", SolverName::bicgstab, 0.6},
                                           RealIlu{"pde2961", SolverName::bicgstab, 0.5},
                                           RealIlu{"BentPipe2D100", SolverName::bicgstab, 0.2},
                                           RealIlu{"CSky3d20", SolverName::bicgstab, 0.4}),
                         [](const auto& test) {
                           std::string name(test.param.name);
                           return name[0] >= '0' && name[0] <= '9' ? "m" + name : name;
                         });

struct NegativePivot {
  const char* name;
  int most;  ///< iterations
};

class CgByIluOfRealMatrix : public ::testing::TestWithParam<NegativePivot> {};

/// Positive definite matrices whose factors without fill are not.
TEST_P(CgByIluOfRealMatrix, ConvergesThoughPivotsAreNegative) {
  const auto [name, most] = GetParam();
  if (const auto why = why_unreadable(name); !why.empty()) GTEST_SKIP() << why;
  const Space exec;
  const auto A = read_real_matrix(exec, name);
  const std::size_t n = A.num_rows;
  const HostMatrix<double> host = to_host(A);
  const auto sums = multiply(host, std::vector<double>(n, 1));
  const std::vector<double> rhs(sums.begin(), sums.end());
  const auto b = to_multivector(exec, rhs, n);
  for (const NegativePivots pivots : {NegativePivots::automatic, NegativePivots::keep}) {
    SolveParameters p;
    p.preconditioner = PreconditionerKind::ilu;
    p.solver.name = SolverName::cg;
    p.solver.tolerance = 1e-10;
    p.solver.max_iterations = iteration_limit(1000);
    p.ilu.negative_pivots = pivots;
    auto solver = set_up(exec, A, p);
    const auto x = zeros<double>(exec, n);
    const auto result = solver.solve(exec, b, x);
    if (pivots == NegativePivots::keep) {
      EXPECT_EQ(result.status, SolveStatus::breakdown);
      continue;
    }
    if (asked_share() != 1) continue;
    EXPECT_TRUE(result.converged()) << to_string(result.status);
    EXPECT_LE(result.iterations, most);
    EXPECT_LE(true_relative_residual(host, rhs, to_host(x)), 1.01e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(RealMatrices, CgByIluOfRealMatrix,
                         ::testing::Values(NegativePivot{"LFAT5", 14},
                                           NegativePivot{"bcsstk06", 80},
                                           NegativePivot{"bcsstk19", 700},
                                           NegativePivot{"bcsstk34", 120},
                                           NegativePivot{"bcsstk09", 250}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace tessera::test::ilu_real_matrices_test
