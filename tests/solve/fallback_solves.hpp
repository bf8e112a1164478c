// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves of which the logger sees whether their parts join.
#pragma once

#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/random_matrix.hpp"
#include "support/solves.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solve.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace tessera::test::fallback_solves {

using Space = DeviceSpace;

/// The Laplacian of a grid of n^dimension points with `diagonal` in place of twice the dimension.
inline HostMatrix<double> shifted_laplacian(int dimension, int n, double diagonal) {
  return with_diagonal(dimension == 2 ? poisson<double>(n, n) : poisson<double>(n, n, n),
                       [=](Ordinal, double& value) { value = diagonal; });
}

/// A solver after a solve from zero, with what the logger saw.
struct Solved {
  Solver<double, Space> solver;
  SolveResult result;
  std::vector<int> seen;
};

inline Solved solve_with(const SolveParameters& parameters, const kernels::Csr<double, Space>& A,
                         const std::vector<double>& b, int k = 1, int interrupt_at = 1 << 30) {
  const Space exec;
  Solved solved{Solver<double, Space>(parameters), {}, {}};
  solved.solver.set_logger([&](const IterationInfo& now) {
    solved.seen.push_back(now.iteration);
    return now.iteration < interrupt_at;
  });
  solved.solver.setup(exec, A);
  const auto n = static_cast<std::size_t>(A.num_rows);
  const auto x = zeros<double>(exec, n, k);
  solved.result = solved.solver.solve(exec, to_multivector(exec, b, n, k), x);
  return solved;
}

/// Iterations, history and logger run through all parts without a gap.
inline void expect_joined(const Solved& solved) {
  ASSERT_EQ(solved.seen.size(), static_cast<std::size_t>(solved.result.iterations) + 1);
  for (std::size_t i = 0; i < solved.seen.size(); ++i)
    EXPECT_EQ(solved.seen[i], static_cast<int>(i));
  EXPECT_EQ(solved.result.residual_history.size(), solved.seen.size());
}

}  // namespace tessera::test::fallback_solves
