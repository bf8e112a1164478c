// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Smoothers that each process has for its own rows, on a level in every format and storage.
#include "distributed/shares.hpp"
#include "support/storage_formats.hpp"
#include "tessera/distributed/hybrid_smoother.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/smoother/smoother_needs.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

namespace tessera::test::hybrid_formats_test {

constexpr SmootherType hybrids[] = {SmootherType::ilu, SmootherType::block_jacobi,
                                    SmootherType::gauss_seidel,
                                    SmootherType::two_stage_gauss_seidel, SmootherType::fsai};

/// Over all processes.
double largest_difference(const Vectors& x, const Vectors& y) {
  const auto a = on_host(x), b = on_host(y);
  double most[] = {0};
  for (std::size_t i = 0; i < a.size(); ++i)
    most[0] = std::max(most[0], std::abs(a[i] - b[i]));
  all_processes()->maximum(std::span<double>(most));
  return most[0];
}

double dot(const Vectors& x, const Vectors& y) {
  const auto a = on_host(x), b = on_host(y);
  double sum[] = {0};
  for (std::size_t i = 0; i < a.size(); ++i)
    sum[0] += a[i] * b[i];
  all_processes()->sum(std::span<double>(sum));
  return sum[0];
}

/// Elasticity, whose entries half does not hold as they are. Residuals are by the stored values, so
/// that a solution of the stored system stays; own rows are A's.
TEST(HybridFormats, SweepInPlaceAndStaySymmetric) {
  const Space exec;
  const SharedProblem problem({.problem = ProblemKind::elasticity3d, .n = 4});
  const Share share(problem.host);
  const auto A = distributed::numbered(exec, all_processes(), share.rows()).matrix;
  const int n = problem.num_rows();
  for (const auto type : hybrids) {
    const SmootherParameters p{.type = type, .sweeps = 2};
    const auto made = [&](const auto& op) {
      return distributed::make_hybrid_smoother<double>(exec, p, op, A, 1);
    };
    const auto rows = distributed::make_operator<double>(exec, A, StorageParameters{});
    const auto on_rows = made(rows);
    EXPECT_TRUE(on_rows->works_in_place());
    for (const auto format : storage_formats_to_choose()) {
      for (const auto scalar : {StorageScalar::same, StorageScalar::half}) {
        SCOPED_TRACE(std::string(smoother_name(type)) + ' ' +
                     std::to_string(static_cast<int>(format)) + ' ' +
                     std::to_string(static_cast<int>(scalar)));
        const auto op = distributed::make_operator<double>(exec, A, {format, scalar});
        const auto smoother = made(op);
        for (const int k : {3, 1}) {
          const Vectors solution = waves(problem.first, n, k), x = waves(problem.first, n, k);
          const Vectors b = zeros(n, k), expected = zeros(n, k);
          op->apply(exec, 1, x, 0, b);
          smoother->smooth(exec, b, x, x);
          EXPECT_LT(largest_difference(x, solution), 1e-12) << k;
          smoother->smooth_after(exec, b, x, x);
          EXPECT_LT(largest_difference(x, solution), 1e-12) << k;
          smoother->apply(exec, solution, x);
          on_rows->apply(exec, solution, expected);
          const double size = largest_difference(expected, zeros(n, k));
          const double unit = scalar == StorageScalar::half ? 0x1p-11 : 0x1p-40;
          EXPECT_LT(largest_difference(x, expected), 64 * unit * size) << k;
        }
        const Vectors u = waves(problem.first, n), v = zeros(n), Mu = zeros(n), Mv = zeros(n);
        rows->apply(exec, 1, u, 0, v);
        smoother->apply(exec, u, Mu);
        smoother->smooth_after(exec, v, Mv, Mv);
        const double left = dot(Mu, v);
        EXPECT_NEAR(left, dot(u, Mv), 1e-10 * std::abs(left));
      }
    }
  }
}

}  // namespace tessera::test::hybrid_formats_test
