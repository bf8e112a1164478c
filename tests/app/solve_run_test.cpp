// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Ctrl-C in a later one of several runs leaves the last whole one.
#include "app/solve_run.hpp"

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <string_view>

#include "app/interrupt.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::app::solve_run_test {

/// Points per direction: enough for a hierarchy of two levels.
constexpr int n = 16;

/// The fences of a name so far, and the one at which the signal comes; 0: at none.
struct Trap {
  std::string_view name;
  int at = 0;
  int seen = 0;
};
Trap trap;

void on_fence(const char* name, std::uint32_t, std::uint64_t*) {
  if (name == trap.name && ++trap.seen == trap.at) std::raise(SIGINT);
}

class RepeatedRunsTest : public ::testing::Test {
 protected:
  RepeatedRunsTest() { Kokkos::Tools::Experimental::set_begin_fence_callback(on_fence); }
  ~RepeatedRunsTest() override { Kokkos::Tools::Experimental::set_begin_fence_callback(nullptr); }

  /// Three runs after a warm-up.
  SolveReport solve() {
    const HostSpace exec;
    const InterruptGuard interrupt(true);
    SolveOptions options;
    options.quiet = true;
    options.repeat = 3;
    options.problem.name = "poisson2d";
    Progress progress(false);
    SolveReport report;
    const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = n};
    const auto system = load_system<double, HostSpace, std::int32_t>(
        exec, options, gallery, progress, report.problem, report.picks);
    Transcript transcript(false);
    const auto x =
        solve_system(exec, system, SolveParameters(), options, transcript, progress, report);
    // 5-point stencil, b = 1: the residual of x itself, not of the report.
    m_residual = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const auto at = [&](int u, int v) {
          return u < 0 || u >= n || v < 0 || v >= n ? 0.0 : x(u * n + v, 0);
        };
        const double r =
            1 - (4 * at(i, j) - at(i - 1, j) - at(i + 1, j) - at(i, j - 1) - at(i, j + 1));
        m_residual = std::max(m_residual, std::abs(r));
      }
    }
    return report;
  }

  double m_residual = 0;
};

constexpr std::string_view iteration = "tessera::cg::iteration";
constexpr std::string_view start_and_end_of_setup = "tessera::app::setup";

TEST_F(RepeatedRunsTest, CtrlCDuringALaterSolveLeavesTheRunBefore) {
  trap = {iteration};
  const SolveReport whole = solve();
  EXPECT_EQ(whole.result.status, SolveStatus::converged);
  EXPECT_EQ(whole.solve_repeats_ms.size(), 3u);
  EXPECT_LT(m_residual, 1e-6);
  const int each_run = trap.seen / 4;
  ASSERT_GT(each_run, 2);

  // After the warm-up and a run, in the second iteration of the next.
  trap = {iteration, 2 * each_run + 2};
  const SolveReport cut = solve();
  EXPECT_EQ(trap.seen, trap.at);
  EXPECT_EQ(cut.result.status, SolveStatus::converged);
  EXPECT_EQ(cut.result.iterations, whole.result.iterations);
  EXPECT_EQ(cut.solve_repeats_ms.size(), 1u);
  EXPECT_EQ(cut.setup_repeats_ms.size(), 1u);
  EXPECT_LT(m_residual, 1e-6);
}

TEST_F(RepeatedRunsTest, CtrlCDuringALaterSetupEndsBeforeItsSolve) {
  trap = {start_and_end_of_setup, 2 * 2 + 1};
  const SolveReport cut = solve();
  EXPECT_EQ(trap.seen, trap.at + 1) << "the setup itself goes on to its end";
  EXPECT_EQ(cut.result.status, SolveStatus::converged);
  EXPECT_EQ(cut.solve_repeats_ms.size(), 1u);
  EXPECT_LT(m_residual, 1e-6);
}

TEST_F(RepeatedRunsTest, CtrlCDuringTheWarmUpLeavesItsBestIterate) {
  trap = {iteration, 2};
  const SolveReport cut = solve();
  EXPECT_EQ(cut.result.status, SolveStatus::interrupted);
  EXPECT_EQ(cut.solve_repeats_ms.size(), 1u);
}

}  // namespace tessera::app::solve_run_test
