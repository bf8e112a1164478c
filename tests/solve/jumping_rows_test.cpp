// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Stretched elements whose coefficients jump: how they are told from graded ones, and what is
/// picked for them.
#include "support/host_values.hpp"
#include "support/solves.hpp"
#include "support/systems.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/solve/inspect.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::test::jumping_rows_test {

using Space = DeviceSpace;

/// g_a^T K g_b of a bilinear element, a unit square, at (s, t), g being the gradients of corners a
/// and b (bit 0 of a corner's number is its place along x): diffusion of 1 at 30 degrees, of 0.01
/// across.
double integrand(int a, int b, double s, double t) {
  constexpr double along = 0.7525, across = 0.2575;
  const double mixed = 0.99 * std::sqrt(0.1875);
  const auto slope = [](int place) { return place == 0 ? -1.0 : 1.0; };
  const auto value = [](int place, double at) { return place == 0 ? 1 - at : at; };
  const double ax = slope(a & 1) * value(a >> 1, t), ay = slope(a >> 1) * value(a & 1, s);
  const double bx = slope(b & 1) * value(b >> 1, t), by = slope(b >> 1) * value(b & 1, s);
  return ax * (along * bx + mixed * by) + ay * (mixed * bx + across * by);
}

/// n by n vertices among (n + 1)^2 elements with `coefficient` at 2 by 2 Gauss points, whose places
/// are those in the unit square; fixed around them.
template <class Coefficient>
HostMatrix<double> diffusion(int n, const Coefficient& coefficient) {
  const double gauss[] = {0.5 - 0.5 / std::sqrt(3.0), 0.5 + 0.5 / std::sqrt(3.0)};
  return by_rows<double>(n * n, n * n, [&](auto& A, std::int32_t row) {
    const int x = row % n, y = row / n;
    for (int v = std::max(0, y - 1); v <= std::min(n - 1, y + 1); ++v) {
      for (int u = std::max(0, x - 1); u <= std::min(n - 1, x + 1); ++u) {
        double sum = 0;
        for (int cy = std::max(y, v); cy <= std::min(y, v) + 1; ++cy) {
          for (int cx = std::max(x, u); cx <= std::min(x, u) + 1; ++cx) {
            const int a = (x + 1 - cx) + 2 * (y + 1 - cy), b = (u + 1 - cx) + 2 * (v + 1 - cy);
            for (const double s : gauss) {
              for (const double t : gauss)
                sum +=
                    coefficient((cx + s) / (n + 1), (cy + t) / (n + 1)) / 4 * integrand(a, b, s, t);
            }
          }
        }
        A.push(v * n + u, sum);
      }
    }
  });
}

HostMatrix<double> discs(int n) {
  return diffusion(n, [](double x, double y) {
    const double dx = std::fmod(7.3 * x, 1.0) - 0.5, dy = std::fmod(7.3 * y, 1.0) - 0.5;
    return std::hypot(dx, dy) < 0.35 ? 1e3 : 1.0;
  });
}

HostMatrix<double> graded(int n) {
  return diffusion(n, [](double x, double) { return std::pow(1e3, x); });
}

HostMatrix<double> uniform(int n) {
  return diffusion(n, [](double, double) { return 1.0; });
}

MatrixFacts facts_of(const HostMatrix<double>& A) {
  const Space exec;
  const CrsMatrix<double, Space> stored(exec, make_csr(exec, A));
  return inspect(exec, stored.view(), stored.plan());
}

TEST(JumpingRows, AreToldFromGradedOnes) {
  const auto of_discs = facts_of(discs(80));
  EXPECT_GT(of_discs.positive_couplings, rules::few_positive_couplings.value);
  EXPECT_GT(of_discs.jumping_rows, 0.1);
  EXPECT_LT(of_discs.jumping_rows, 0.9);
  const auto of_graded = facts_of(graded(80));
  EXPECT_GT(of_graded.largest_diagonal, 100 * of_graded.smallest_diagonal);
  EXPECT_EQ(of_graded.jumping_rows, 0);
  EXPECT_EQ(facts_of(uniform(80)).jumping_rows, 0);
  const auto blocks = make_problem<double, Space>(Space(), {.problem = ProblemKind::jump2d});
  EXPECT_EQ(facts_of(to_host(blocks.A)).jumping_rows, 0) << "no couplings are positive";
}

/// The threshold that is picked, and the iterations.
std::pair<double, int> solve(const HostMatrix<double>& A) {
  const Space exec;
  SolveParameters p;
  p.preconditioner = PreconditionerKind::amg;
  auto solver = set_up(exec, make_csr(exec, A), p);
  const auto x = zeros<double>(exec, A.num_rows);
  const auto result = solver.solve(exec, hashed_rhs(exec, A.num_rows), x);
  EXPECT_TRUE(result.converged()) << to_string(result.status);
  return {solver.parameters().amg.smoothed_aggregation.strength_threshold, result.iterations};
}

TEST(JumpingRows, TakeALowerThreshold) {
  const auto [threshold, iterations] = solve(discs(80));
  EXPECT_EQ(threshold, 0.25);
  EXPECT_LE(iterations, 30);
  EXPECT_GT(solve(graded(80)).first, 0.25);
  EXPECT_GT(solve(uniform(80)).first, 0.25);
}

}  // namespace tessera::test::jumping_rows_test
