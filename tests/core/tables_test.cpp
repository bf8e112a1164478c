// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tables of a hierarchy, of a setup's times and of a convergence.
#include "tessera/tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::test::tables_test {

SolveResult with_history(std::vector<double> history) {
  SolveResult result;
  result.residual_history = std::move(history);
  return result;
}

std::ptrdiff_t num_lines(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Tables, OfAConvergence) {
  const auto lines = convergence_lines(with_history({1, 0.5, 0.1}));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].rate, 0);
  EXPECT_EQ(lines[2].iteration, 2);
  EXPECT_EQ(lines[2].relative_residual, 0.1);
  EXPECT_DOUBLE_EQ(lines[2].rate, 0.2);
  EXPECT_EQ(convergence_table(with_history({1, 0.5, 0.1})),
            "iteration      residual      rate\n"
            "        0    1.0000e+00\n"
            "        1    5.0000e-01    0.5000\n"
            "        2    1.0000e-01    0.2000\n");
}

TEST(Tables, OfConvergencesWithNothingToDivideBy) {
  EXPECT_EQ(convergence_table(SolveResult()), "");
  EXPECT_TRUE(convergence_lines(SolveResult()).empty());
  const auto lines = convergence_lines(with_history({0, 0}));
  EXPECT_EQ(lines[1].rate, 0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(convergence_lines(with_history({1, nan}))[1].rate));
  EXPECT_EQ(num_lines(convergence_table(with_history({1, nan}))), 3);
}

TEST(Tables, LeaveOutTheMiddleOfALongHistory) {
  const SolveResult result = with_history(std::vector<double>(100, 1.0));
  const std::string text = convergence_table(result, 5, "all of them elsewhere");
  EXPECT_EQ(num_lines(text), 12);
  EXPECT_TRUE(holds(text, "(90 iterations left out; all of them elsewhere)"));
  EXPECT_TRUE(holds(text, "\n       99  "));
  EXPECT_FALSE(holds(text, "\n       94  "));
  EXPECT_TRUE(holds(convergence_table(result, 5), "(90 iterations left out)"));
  EXPECT_EQ(num_lines(convergence_table(result, 50)), 101);
  EXPECT_EQ(num_lines(convergence_table(result, 34)), 101) << "32 more are soon read";
  EXPECT_EQ(num_lines(convergence_table(result, 33)), 68);
  EXPECT_EQ(num_lines(convergence_table(result, 0)), 2);
  EXPECT_EQ(num_lines(convergence_table(result, -3)), 2);
}

TEST(Tables, OfASetupsTimes) {
  HierarchyInfo hierarchy;
  EXPECT_EQ(setup_times_table(hierarchy), "");
  hierarchy.setup_phases_ms = {{"strength", 3}, {"Galerkin product", 1}};
  const auto times = setup_times(hierarchy);
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[0].step, "strength");
  EXPECT_EQ(times[0].share, 0.75);
  EXPECT_EQ(setup_times_table(hierarchy),
            "step                      ms       %\n"
            "strength                3.00    75.0\n"
            "Galerkin product        1.00    25.0\n"
            "sum                     4.00   100.0\n");
  hierarchy.setup_phases_ms = {{"strength", 0}};
  EXPECT_EQ(setup_times(hierarchy)[0].share, 0);
}

TEST(Tables, OfAHierarchy) {
  HierarchyInfo hierarchy;
  EXPECT_EQ(hierarchy_table(hierarchy), "");
  hierarchy.notes = {"preconditioner jacobi: the diagonal dominates"};
  EXPECT_EQ(hierarchy_table(hierarchy), "preconditioner jacobi: the diagonal dominates\n");
  LevelInfo fine;
  fine.rows = 1234567;
  fine.entries = 6000000;
  fine.A = fine.P = fine.R = {.format = "csr", .storage = "float", .kernel = "", .bytes = 1000};
  LevelInfo coarse = fine;
  coarse.rows = 100;
  coarse.P = coarse.R = {};
  coarse.aggregation = "dense cholesky";
  hierarchy.levels = {fine, coarse};
  hierarchy.operator_complexity = 1.25;
  hierarchy.bytes = 5000000;
  const std::string text = hierarchy_table(hierarchy);
  for (const char* part : {"1,234,567", "12345.67", "dense cholesky", "all matrices csr in float",
                           "operator complexity 1.250", "5.00 MB in all", "the diagonal dom"})
    EXPECT_TRUE(holds(text, part)) << part << "\n" << text;
  EXPECT_FALSE(holds(text, "at the peak of setup")) << "that was not measured";
}

TEST(Tables, GroupDigits) {
  EXPECT_EQ(grouped_digits(0), "0");
  EXPECT_EQ(grouped_digits(999), "999");
  EXPECT_EQ(grouped_digits(1234567), "1,234,567");
}

}  // namespace tessera::test::tables_test
