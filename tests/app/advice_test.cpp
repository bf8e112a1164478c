// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the report advises to try.
#include <gtest/gtest.h>

#include "app/command_fixture.hpp"
#include "app/example_report.hpp"
#include "app/report.hpp"
#include "app/svg_chart.hpp"

namespace tessera::app::report_test {

TEST(ReportText, SaysWhatToTry) {
  SolveReport report = example();
  EXPECT_EQ(advice(report), "");
  const std::pair<SolveStatus, const char*> expected[] = {
      {SolveStatus::least_squares, "right-hand side"},
      {SolveStatus::max_iterations, "amg.smoother.type=chebyshev"},
      {SolveStatus::time_limit, "solver.time_limit_s"},
      {SolveStatus::stagnated, "solver.tolerance"},
      {SolveStatus::diverged, "solver.name=gmres"},
      {SolveStatus::not_a_number, "tessera info"},
      {SolveStatus::breakdown, "solver.name=gmres"}};
  for (const auto& [status, part] : expected) {
    report.result.status = status;
    const std::string line = advice(report);
    EXPECT_TRUE(line.starts_with("try ") && contains(line, part)) << line;
    EXPECT_FALSE(contains(line, "\n"));
    EXPECT_TRUE(contains(result_text(report), "\n" + line + "\n"));
    EXPECT_EQ(json_of(report)["advice"], line);
    EXPECT_TRUE(contains(report_html(report), html_escape(line)));
  }
  report.solver = "gmres";
  EXPECT_FALSE(contains(advice(report), "gmres")) << "it is what was tried";
}

TEST(ReportText, DoesNotAdviseWhatThePickAvoided) {
  SolveReport report = example();
  report.result.status = SolveStatus::max_iterations;
  report.solver = "gmres";
  report.preconditioner = "none";
  EXPECT_TRUE(contains(advice(report), "preconditioner=amg"));
  report.preconditioner_picked = true;
  EXPECT_TRUE(contains(advice(report), "solver.gmres.restart"));
  EXPECT_FALSE(contains(advice(report), "amg"));
  report.solver = "bicgstab";
  EXPECT_TRUE(contains(advice(report), "solver.name=gmres"));
}

/// Multigrid with 80 iterations of the given rate.
SolveReport with_rate(double rate) {
  SolveReport report = example();
  report.result.iterations = 80;
  report.result.residual_history = {1};
  for (int i = 0; i < 80; ++i)
    report.result.residual_history.push_back(rate * report.result.residual_history.back());
  return report;
}

TEST(ReportText, SaysWhatToTryWhereItConvergedSlowly) {
  SolveReport slow = with_rate(0.85);
  EXPECT_EQ(advice(slow), "") << "nothing is known to help a scalar symmetric matrix";
  slow.hierarchy.levels.front().unknowns_per_node = 3;
  EXPECT_TRUE(advice(slow).starts_with("try --coordinates FILE")) << advice(slow);
  EXPECT_TRUE(contains(result_text(slow), "\n" + advice(slow) + "\n"));
  EXPECT_EQ(json_of(slow)["advice"], advice(slow));
  EXPECT_TRUE(contains(report_html(slow), html_escape(advice(slow))));
  slow.problem.near_nullspace = 6;
  EXPECT_EQ(advice(slow), "") << "it has them";
  slow.solver = "fgmres";
  slow.hierarchy.levels.front().smoother = "jacobi";
  EXPECT_TRUE(contains(advice(slow), "amg.smoother.type=ilu"));
  slow.result.status = SolveStatus::max_iterations;
  EXPECT_TRUE(advice(slow).starts_with("try amg.smoother.type=ilu, or a limit")) << advice(slow);
  slow.hierarchy.levels.front().smoother = "ilu";
  EXPECT_FALSE(contains(advice(slow), "ilu")) << "it is what was tried";
}

TEST(ReportText, AdvisesNoneWhereTheRateIsGood) {
  for (const double rate : {0.2, 0.75}) {
    SolveReport report = with_rate(rate);
    report.hierarchy.levels.front().unknowns_per_node = 3;
    EXPECT_EQ(advice(report), "") << rate;
  }
  SolveReport direct = with_rate(0.85);
  direct.hierarchy.levels.front().unknowns_per_node = 3;
  direct.preconditioner = "direct";
  EXPECT_EQ(advice(direct), "");
}

}  // namespace tessera::app::report_test
