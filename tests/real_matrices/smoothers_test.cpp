// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Every small square matrix of the folder with multigrid by each smoother of its own, and by each
/// coarsening with smoothers in turn, whether it is of any use or not: a solve ends with a result,
/// and says converged where it has. checks/every_choice.py has every pair.
#include "real_matrix.hpp"
#include "tessera/smoother/smoother_needs.hpp"

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

/// Solves with multigrid and nothing in its place; whether it converged.
bool ends_with_a_result_that_holds(const std::string& name, const amg::Parameters& amg,
                                   int block_size) {
  const Space exec;
  const auto A = read_real_matrix(exec, name);
  const HostMatrix<double> host = to_host(A);
  const std::size_t n = A.num_rows;
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::amg;
  parameters.direct.max_memory_mb = 0;
  parameters.solver.max_iterations = iteration_limit(100);
  parameters.amg = amg;
  parameters.amg.coarse_size = 50;
  auto solver = set_up(exec, A, parameters, {}, block_size);
  const auto rhs = vector_in_range(host);
  const auto x = zeros<double>(exec, n);
  const auto result = solver.solve(exec, to_multivector(exec, rhs, n), x);
  const double residual = true_relative_residual(host, rhs, to_host(x));
  EXPECT_TRUE(std::isfinite(residual));
  EXPECT_LE(residual, 1 + 1e-8) << "the best iterate, and the guess is one";
  EXPECT_NEAR(residual, result.true_relative_residual, 1e-7 + 1e-3 * residual);
  if (result.converged()) {
    EXPECT_LE(residual, 1.001e-8);
  }
  return result.converged();
}

class SmootherOnRealMatrices : public ::testing::TestWithParam<Choice> {};

TEST_P(SmootherOnRealMatrices, EndsWithAResultThatHolds) {
  if (const auto why = why_unreadable(); !why.empty()) GTEST_SKIP() << why;
  const auto names = small_matrices();
  ASSERT_GT(names.size(), 50U);
  Share share;
  int solved = 0, converged = 0;
  for (const auto& name : names) {
    if (!share.takes()) continue;
    SCOPED_TRACE(name);
    amg::Parameters amg;
    amg.smoother = GetParam().smoother;
    converged += ends_with_a_result_that_holds(name, amg, 0) ? 1 : 0;
    ++solved;
  }
  std::printf("%s: %d matrices, %d converged\n", GetParam().name, solved, converged);
  if (asked_share() == 1) {
    EXPECT_GT(converged, solved / 3);
  }
}

INSTANTIATE_TEST_SUITE_P(RealMatrices, SmootherOnRealMatrices, ::testing::ValuesIn(choices),
                         [](const auto& test) { return std::string(test.param.name); });

using amg::CoarseningKind;

struct Coarsened {
  const char* name;
  CoarseningKind kind;
  amg::Aggregation aggregation = amg::Aggregation::automatic;
  amg::ClassicalParameters classical = {};
};

const Coarsened coarsenings[] = {
    {"mis2", CoarseningKind::smoothed_aggregation, amg::Aggregation::mis2},
    {"pairwise", CoarseningKind::pairwise},
    {"classical", CoarseningKind::classical},
    {"advancing_front",
     CoarseningKind::classical,
     amg::Aggregation::automatic,
     {.strong_couplings = amg::StrongCouplings::by_magnitude,
      .splitting = amg::PointSplitting::advancing_front}},
    {"aggressive",
     CoarseningKind::classical,
     amg::Aggregation::automatic,
     {.aggressive_levels = 1}},
    {"reduction", CoarseningKind::reduction}};

constexpr SmootherType smoothers_in_turn[] = {
    SmootherType::jacobi,       SmootherType::l1_jacobi,
    SmootherType::chebyshev,    SmootherType::spai0,
    SmootherType::ilu,          SmootherType::block_jacobi,
    SmootherType::gauss_seidel, SmootherType::two_stage_gauss_seidel,
    SmootherType::fsai};

class CoarseningOnRealMatrices : public ::testing::TestWithParam<Coarsened> {};

TEST_P(CoarseningOnRealMatrices, EndsWithAResultThatHoldsByAnySmoother) {
  if (const auto why = why_unreadable(); !why.empty()) GTEST_SKIP() << why;
  const auto names = small_matrices();
  ASSERT_GT(names.size(), 50U);
  Share share;
  int solved = 0, converged = 0;
  // Another smoother of each matrix for each coarsening.
  std::size_t turn = static_cast<std::size_t>(std::string(GetParam().name).size());
  for (const auto& name : names) {
    const SmootherType smoother = smoothers_in_turn[turn++ % std::size(smoothers_in_turn)];
    if (!share.takes()) continue;
    SCOPED_TRACE(name + ", smoother " + std::string(smoother_name(smoother)));
    amg::Parameters amg;
    amg.coarsening = GetParam().kind;
    amg.smoothed_aggregation.aggregation = GetParam().aggregation;
    amg.classical = GetParam().classical;
    amg.smoother.type = smoother;
    converged += ends_with_a_result_that_holds(name, amg, 1) ? 1 : 0;
    ++solved;
  }
  std::printf("%s: %d matrices, %d converged\n", GetParam().name, solved, converged);
  if (asked_share() == 1) {
    EXPECT_GT(converged, solved / 4);
  }
}

INSTANTIATE_TEST_SUITE_P(RealMatrices, CoarseningOnRealMatrices, ::testing::ValuesIn(coarsenings),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace tessera::test::smoothers_test
