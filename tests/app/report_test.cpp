// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app/report.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "app/command_fixture.hpp"
#include "app/example_report.hpp"
#include "app/settings.hpp"
#include "app/svg_chart.hpp"

namespace tessera::app::report_test {

TEST(ReportJson, HoldsWhatIsPromised) {
  const auto json = json_of(example());
  for (const char* key :
       {"status", "iterations", "true_relative_residual", "residual_history", "operator_complexity",
        "grid_complexity", "memory_complexity", "hierarchy_bytes", "setup_peak_bytes", "levels",
        "setup_ms", "solve_ms", "parameters", "device", "version", "problem", "in_one_kernel"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_EQ(json["status"], "converged");
  EXPECT_EQ(json["levels"].size(), 2u);
  for (const char* key : {"rows", "entries", "format", "precision"}) {
    EXPECT_TRUE(json["levels"][1].contains(key)) << key;
  }
  EXPECT_EQ(json["residual_history"].size(), 4u);
  EXPECT_EQ(json["parameters"]["solver"]["tolerance"], 1e-8);
  EXPECT_EQ(json["parameters"]["amg"]["max_levels"], 7);
  EXPECT_FALSE(json.contains("kernels")) << "nothing was measured";
}

TEST(ReportJson, StaysValidWithNanAndBadText) {
  SolveReport report = example();
  report.result.true_relative_residual = std::numeric_limits<double>::quiet_NaN();
  report.problem.name = "\xff\xfe quote\" \\ ";
  const auto json = json_of(report);
  EXPECT_TRUE(json["true_relative_residual"].is_null());
}

TEST(ReportText, ShowsTheUsualColumns) {
  const std::string table = hierarchy_text(example());
  expect_parts(table, {"level", "unknowns", "nonzeros", "nnz/row", "c ratio", "1,234,567",
                       "1234.57", "operator complexity 1.250", "memory complexity 1.125",
                       "25.73 MB in all, 50.50 MB at the peak"});
  SolveReport plain = example();
  plain.hierarchy.levels.clear();
  EXPECT_EQ(hierarchy_text(plain), "");
}

TEST(Report, EachMatrixHasFormatStorageBytesAndKernel) {
  SolveReport report = example();
  report.hierarchy.levels[0].R.kernel = "patterns";
  const auto json = json_of(report);
  const auto& finest = json["levels"][0];
  EXPECT_EQ(finest["A"]["format"], "mbsr packed");
  EXPECT_EQ(finest["P"]["storage"], "float");
  EXPECT_EQ(finest["P"]["bytes"], 76004);
  EXPECT_EQ(finest["R"]["kernel"], "patterns");
  EXPECT_TRUE(json["levels"][1]["P"].is_null());
  const std::string table = hierarchy_text(report);
  expect_parts(table,
               {"mbsr packed in half   csr in float", "   25.50 MB      76.0 kB      76.0 kB  ",
                "A: staged, 4 lanes per tile row; P: rows; R: patterns",
                "    76.0 kB            -            -  rows"});
  const std::string page = report_html(report);
  expect_parts(page, {"mbsr packed, half<br><small>25.50 MB, staged, 4 lanes per tile row",
                      "csr, float<br><small>0.08 MB, patterns"});
}

TEST(ReportText, SaysOnceWhatAllMatricesAre) {
  SolveReport report = example();
  report.hierarchy.levels[0].A = {"csr", "float", "staged", 1500000};
  const std::string table = hierarchy_text(report);
  EXPECT_EQ(count(table, "csr in float"), 1U) << table;
  EXPECT_TRUE(contains(table, "all matrices csr in float\nlevel  memory of A"));
  EXPECT_TRUE(contains(table, "    0      1.50 MB      76.0 kB      76.0 kB  A: staged; P: rows"));
}

TEST(Report, SaysWhatMadeEachLevel) {
  SolveReport report = example();
  auto& levels = report.hierarchy.levels;
  levels.insert(levels.begin() + 1, levels[0]);
  levels[0].coarsening = levels[1].coarsening = "pairwise";
  EXPECT_FALSE(contains(hierarchy_text(report), "coarsening from")) << "they are alike";
  levels[0].coarsening = "smoothed_aggregation";
  EXPECT_TRUE(contains(hierarchy_text(report),
                       "coarsening from level 0 on: smoothed_aggregation, pairwise\n"));
  const auto json = json_of(report);
  EXPECT_EQ(json["levels"][1]["coarsening"], "pairwise");
  EXPECT_TRUE(json["levels"][2]["coarsening"].is_null());
  EXPECT_TRUE(contains(report_html(report), "pairwise<br><small>MIS(2)"));
}

TEST(ReportText, CondensesALongHistory) {
  SolveReport report = example();
  EXPECT_EQ(count(convergence_text(report), "\n"), 5u) << "a heading and four lines";
  report.result.residual_history.assign(1000, 0.5);
  const std::string text = convergence_text(report);
  EXPECT_EQ(count(text, "\n"), 1u + 12u + 1u + 12u);
  EXPECT_TRUE(contains(text, "976 iterations left out"));
  EXPECT_TRUE(contains(text, "\n      999 ")) << "the last one is shown";
}

TEST(ReportText, SaysWhichRightHandSidesAreRandom) {
  ProblemReport problem;
  problem.rhs = "ones";
  EXPECT_EQ(rhs_text(problem), "ones");
  problem.num_rhs = 3;
  problem.num_random_rhs = 2;
  EXPECT_EQ(rhs_text(problem), "ones, and 2 random ones: 3 columns");
  problem.num_random_rhs = 1;
  EXPECT_EQ(rhs_text(problem), "ones, and 1 random one: 3 columns");
  problem.num_random_rhs = 0;
  problem.rhs = "b.mtx";
  EXPECT_EQ(rhs_text(problem), "b.mtx, 3 columns");
}

TEST(ReportText, EndsWithStatusAndTimes) {
  expect_parts(result_text(example()),
               {"converged, 3 iterations", "1.000e-09", "mean rate 0.001", "setup 4.00 ms",
                "solve 5.00 ms", "1.67 ms per iteration", "galerkin 2.00 ms"});
}

TEST(ReportText, CountsInGrammar) {
  EXPECT_EQ(counted(1, "entry", "entries"), "1 entry");
  EXPECT_EQ(counted(0, "entry", "entries"), "0 entries");
  EXPECT_EQ(counted(2000, "entry", "entries"), "2,000 entries");
  SolveReport report = example();
  report.machine.threads = 1;
  EXPECT_TRUE(contains(header_text(report), ", 1 thread\n")) << header_text(report);
  EXPECT_FALSE(contains(report_html(report), "1 threads"));
}

TEST(ReportText, OneIterationHasNoMeanRate) {
  SolveReport report = example();
  report.result.iterations = 1;
  report.result.residual_history = {1, 1e-15};
  const std::string text = result_text(report);
  EXPECT_TRUE(contains(text, "converged, 1 iteration, true")) << text;
  EXPECT_FALSE(contains(text, "mean rate")) << text;
  report.result.iterations = 2;
  report.result.residual_history = {1, 1e-8, 1e-12};
  EXPECT_TRUE(contains(result_text(report), "mean rate 1e-06")) << result_text(report);
  report.result.residual_history.clear();
  EXPECT_FALSE(contains(result_text(report), "mean rate")) << "there is no history";
}

TEST(Report, SaysHowEachOfSeveralColumnsEnded) {
  SolveReport report = example();
  report.result.columns = {{SolveStatus::converged, 3, 1e-9}};
  EXPECT_FALSE(contains(result_text(report), "column")) << "there is only one";
  report.result.columns.push_back({SolveStatus::converged, 2, 1e-10});
  EXPECT_TRUE(contains(result_text(report), "2 columns: 2 to 3 iterations each"));
  report.result.status = SolveStatus::breakdown;
  report.result.columns[1] = {SolveStatus::breakdown, 1, 0.5};
  const std::string text = result_text(report);
  EXPECT_TRUE(contains(text, "column 1: breakdown, 1 iteration, true relative residual 5.000e-01"))
      << text;
  EXPECT_FALSE(contains(text, "column 0")) << text;
  EXPECT_TRUE(contains(text, "1 of 2 columns converged")) << text;
  const auto json = json_of(report);
  ASSERT_EQ(json["columns"].size(), 2u);
  EXPECT_EQ(json["columns"][0]["status"], "converged");
  EXPECT_EQ(json["columns"][1]["status"], "breakdown");
  EXPECT_EQ(json["columns"][1]["iterations"], 1);
  EXPECT_EQ(json["columns"][1]["true_relative_residual"], 0.5);
  // Of many, the first twenty that failed.
  report.result.columns.assign(30, {SolveStatus::not_a_number, 0, 1});
  EXPECT_EQ(count(result_text(report), "not_a_number, 0 iterations"), 20u);
  EXPECT_TRUE(contains(result_text(report), "(10 more that did not converge"));
}

TEST(ReportText, SaysInWhatTilesWereRead) {
  SolveReport report = example();
  EXPECT_FALSE(contains(result_text(report), "tiles read"));
  EXPECT_FALSE(json_of(report).contains("tile_work"));
  report.result.tile_work = {10, 0, 30, 0, 0, 160};
  report.result.in_one_kernel = true;
  EXPECT_TRUE(
      contains(result_text(report), "\ntiles read: 80.0 % fp64, 15.0 % half, 5.0 % bypassed\n"))
      << result_text(report);
  const auto json = json_of(report);
  EXPECT_EQ(json["tile_work"]["bypassed"], 10);
  EXPECT_EQ(json["tile_work"]["fp64"], 160);
  EXPECT_EQ(json["in_one_kernel"], true);
}

TEST(ReportText, SaysWhyItEnded) {
  SolveReport report = example();
  report.result.status = SolveStatus::breakdown;
  EXPECT_TRUE(contains(result_text(report), "BREAKDOWN: cg divided")) << result_text(report);
  EXPECT_TRUE(contains(result_text(report), "positive definite"));
  for (const char* solver : {"gmres", "bicgstab"}) {
    report.solver = solver;
    const std::string text = result_text(report);
    EXPECT_TRUE(contains(text, std::string("BREAKDOWN: ") + solver + " divided")) << text;
    EXPECT_FALSE(contains(text, "cg needs") || contains(text, "it needs a positive")) << text;
  }
  report.result.status = SolveStatus::stagnated;
  report.result.true_relative_residual = 1e-7;
  EXPECT_TRUE(contains(result_text(report), "the limit of this precision"));
  report.result.true_relative_residual = 0.5;
  EXPECT_TRUE(contains(result_text(report), "ill-conditioned"));
  report.result.outside_range = 0.5;
  EXPECT_TRUE(contains(result_text(report), "the limit of this precision")) << "of the rest";
  report.result.status = SolveStatus::least_squares;
  EXPECT_TRUE(contains(result_text(report), "LEAST SQUARES: the matrix is singular"));
  EXPECT_TRUE(contains(result_text(report), "relative residual of 5.000e-01"));
  EXPECT_EQ(json_of(report)["outside_range"], 0.5);
  report.problem.entries = 0;
  EXPECT_TRUE(contains(result_text(report), "no entries"));
}

TEST(ReportText, SaysWhichToleranceWasMet) {
  SolveReport report = example();
  report.result.columns = {{.status = SolveStatus::converged, .reference_norm = 4}};
  EXPECT_TRUE(contains(header_text(report), "tolerance 1e-08\n"));
  EXPECT_EQ(relative_bound(report), 1e-8);
  report.absolute_tolerance = 0.5;
  EXPECT_TRUE(contains(header_text(report), "tolerance 1e-08 or 0.5 absolute\n"));
  EXPECT_TRUE(result_text(report).starts_with("converged, "));
  EXPECT_EQ(json_of(report)["columns"][0]["by_absolute_tolerance"], false);
  report.result.columns[0].by_absolute_tolerance = true;
  EXPECT_TRUE(result_text(report).starts_with("converged by the absolute tolerance, "));
  EXPECT_EQ(json_of(report)["columns"][0]["by_absolute_tolerance"], true);
  EXPECT_EQ(relative_bound(report), 0.125);
  report.result.columns.push_back({.status = SolveStatus::converged, .reference_norm = 8});
  EXPECT_TRUE(result_text(report).starts_with("converged, 1 of 2 columns by the absolute "));
  EXPECT_EQ(relative_bound(report), 0.0625);
}

TEST(ReportText, SaysHowManyRunsCtrlCLeft) {
  SolveReport report = example();
  report.runs_asked = 5;
  report.setup_repeats_ms = report.solve_repeats_ms = {4, 5};
  EXPECT_TRUE(contains(result_text(report), "interrupted after 2 of 5 runs"))
      << result_text(report);
  EXPECT_EQ(json_of(report)["repeats"]["asked"], 5);
}

TEST(ReportText, MedianOfRepeats) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
}

TEST(Report, SaysWhenAndByWhichCommand) {
  SolveReport report = example();
  EXPECT_EQ(json_of(report)["peak_memory_bytes"], nullptr) << "unknown";
  report.date = "2026-01-31T12:34:56Z";
  report.command_line = shell_line({"tessera", "solve", "A & B.mtx", "-p", "a=b", "it's", ""});
  report.peak_memory_bytes = 123000000;
  EXPECT_EQ(report.command_line, R"(tessera solve 'A & B.mtx' -p a=b 'it'\''s' '')");
  EXPECT_EQ(json_of(report)["date"], report.date);
  EXPECT_EQ(json_of(report)["command_line"], report.command_line);
  EXPECT_EQ(json_of(report)["peak_memory_bytes"], 123000000);
  const std::string page = report_html(report);
  for (const std::string& part :
       {report.date, html_escape(report.command_line), std::string("123 MB")})
    EXPECT_TRUE(contains(page, part)) << part;
}

}  // namespace tessera::app::report_test
