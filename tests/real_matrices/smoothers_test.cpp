// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Every small square matrix of the folder with multigrid by each smoother of its own, whether it
/// is of any use or not: a solve ends with a result, and says converged where it has.
#include "real_matrix.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

namespace tessera::test::smoothers_test {

using Space = DeviceSpace;

constexpr Ordinal max_rows = 2100;

/// By the folder's index: name, group, rows, columns.
std::set<std::string> small_matrices() {
  std::set<std::string> names;
  std::ifstream index(matrices() / "INDEX.tsv");
  for (std::string line; std::getline(index, line);) {
    std::istringstream fields(line);
    std::string name, group;
    Ordinal rows = 0, columns = 0;
    std::getline(fields, name, '\t');
    std::getline(fields, group, '\t');
    if (fields >> rows >> columns && rows == columns && rows <= max_rows &&
        why_unreadable(name).empty())
      names.insert(name);
  }
  return names;
}

struct Choice {
  const char* name;
  SmootherParameters smoother;
};

const Choice choices[] = {
    {"gauss_seidel", {.type = SmootherType::gauss_seidel}},
    {"gauss_seidel_symmetric",
     {.type = SmootherType::gauss_seidel, .gauss_seidel = {.omega = 1.2, .symmetric = true}}},
    {"two_stage_gauss_seidel", {.type = SmootherType::two_stage_gauss_seidel}},
    {"chebyshev_fourth",
     {.type = SmootherType::chebyshev, .chebyshev = {.kind = ChebyshevKind::fourth}}},
    {"chebyshev_fourth_optimized",
     {.type = SmootherType::chebyshev,
      .chebyshev = {.kind = ChebyshevKind::fourth_optimized, .degree = 3}}}};

class SmootherOnRealMatrices : public ::testing::TestWithParam<Choice> {};

TEST_P(SmootherOnRealMatrices, EndsWithAResultThatHolds) {
  if (const auto why = why_unreadable(); !why.empty()) GTEST_SKIP() << why;
  const Space exec;
  const auto names = small_matrices();
  ASSERT_GT(names.size(), 50U);
  Share share;
  int solved = 0, converged = 0;
  for (const auto& name : names) {
    if (!share.takes()) continue;
    SCOPED_TRACE(name);
    const auto A = read_real_matrix(exec, name);
    const HostMatrix<double> host = to_host(A);
    const std::size_t n = A.num_rows;
    SolveParameters parameters;
    parameters.preconditioner = PreconditionerKind::amg;
    parameters.direct.max_memory_mb = 0;
    parameters.solver.max_iterations = iteration_limit(100);
    parameters.amg.coarse_size = 50;
    parameters.amg.smoother = GetParam().smoother;
    auto solver = set_up(exec, A, parameters);
    const auto rhs = vector_in_range(host);
    const auto x = zeros<double>(exec, n);
    const auto result = solver.solve(exec, to_multivector(exec, rhs, n), x);
    const double residual = true_relative_residual(host, rhs, to_host(x));
    ASSERT_TRUE(std::isfinite(residual));
    EXPECT_LE(residual, 1 + 1e-8) << "the best iterate, and the guess is one";
    EXPECT_NEAR(residual, result.true_relative_residual, 1e-7 + 1e-3 * residual);
    if (result.converged()) {
      EXPECT_LE(residual, 1.001e-8);
      ++converged;
    }
    ++solved;
  }
  std::printf("%s: %d matrices, %d converged\n", GetParam().name, solved, converged);
  if (asked_share() == 1) {
    EXPECT_GT(converged, solved / 3);
  }
}

INSTANTIATE_TEST_SUITE_P(RealMatrices, SmootherOnRealMatrices, ::testing::ValuesIn(choices),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace tessera::test::smoothers_test
