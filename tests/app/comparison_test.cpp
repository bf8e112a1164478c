// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a comparison says of runs.
#include "app/comparison.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/command_fixture.hpp"
#include "app/example_runs.hpp"

namespace tessera::app::comparison_test {

/// The cells of the row of that name.
std::vector<std::string> cells_of(const std::vector<ComparedRow>& rows, const std::string& name) {
  for (const ComparedRow& row : rows) {
    if (row.name == name) return row.cells;
  }
  ADD_FAILURE() << "no row " << name;
  return {};
}

using Cells = std::vector<std::string>;
using Sentences = std::vector<std::string>;

TEST(Comparison, TimesHaveRatiosToTheFirst) {
  std::vector<SavedRun> runs{example("a.json"), example("b.json"), example("c.json")};
  runs[1].setup.ms = 15;
  runs[2].setup.ms = 0.002;
  EXPECT_EQ(cells_of(result_rows(runs), "setup"),
            (Cells{"10.00 ms", "15.00 ms x1.50", "0.00 ms x0.0002"}));
  runs[1].solve.ms = 25000;
  EXPECT_EQ(cells_of(result_rows(runs), "solve"),
            (Cells{"20.00 ms", "25.00 s x1250.00", "20.00 ms x1.00"}));
  runs[0].setup.ms = 0;
  EXPECT_EQ(cells_of(result_rows(runs), "setup"), (Cells{"0.00 ms", "15.00 ms", "0.00 ms"}))
      << "nothing is a multiple of no time";
}

TEST(Comparison, RepeatsHaveTheirExtremes) {
  std::vector<SavedRun> runs{example("a.json"), example("b.json")};
  for (const ComparedRow& row : result_rows(runs))
    EXPECT_NE(row.name, "  its extremes");
  runs[1].setup = {12, {14, 11, 12}};
  const std::vector<ComparedRow> rows = result_rows(runs);
  EXPECT_EQ(cells_of(rows, "setup"), (Cells{"10.00 ms", "12.00 ms x1.20"}));
  EXPECT_EQ(cells_of(rows, "  its extremes"), (Cells{"one run", "11.00 ms to 14.00 ms"}));
}

TEST(Comparison, SaysWhichDifferencesMayBeChance) {
  std::vector<SavedRun> runs{example("a.json"), example("b.json")};
  EXPECT_EQ(comparison_notes(runs).size(), 1U);
  EXPECT_TRUE(comparison_notes(runs)[0].starts_with("A, B: times of one run"));
  for (SavedRun& run : runs)
    run.total.repeats_ms = {30, 31};
  runs[0].setup = {10, {9, 10, 11}};
  runs[1].setup = {11.5, {11, 11.5, 12}};
  runs[0].solve = {20, {19, 21}};
  runs[1].solve = {22.5, {22, 23}};
  EXPECT_EQ(comparison_notes(runs),
            Sentences{"setup: the runs of A and B overlap, so that the difference may be chance"});
  runs[1].setup.repeats_ms[0] = 11.01;
  EXPECT_EQ(comparison_notes(runs), Sentences{});
  runs[1].threads = 4;
  EXPECT_EQ(comparison_notes(runs), Sentences{"the machines differ: times compare them, too"});
}

TEST(Comparison, WarnsOfOtherSystems) {
  const SavedRun first = example("a.json");
  const auto warning = [&first](const auto& change) {
    std::vector<SavedRun> runs{first, first};
    change(runs[1]);
    const Sentences warnings = comparison_warnings(runs);
    EXPECT_LE(warnings.size(), 1U);
    return warnings.empty() ? std::string() : warnings[0];
  };
  EXPECT_EQ(warning([](SavedRun&) {}), "");
  EXPECT_EQ(warning([](SavedRun& run) { run.rows = 2000; }),
            "B solves another system than A (folder/A.mtx, 2,000 unknowns, 5,000 entries; A: "
            "folder/A.mtx, 1,000 unknowns, 5,000 entries): ratios compare systems, not settings");
  EXPECT_TRUE(contains(warning([](SavedRun& run) { run.entries = 1; }), "another system"));
  EXPECT_EQ(warning([](SavedRun& run) { run.problem = "/elsewhere/A.mtx"; }), "")
      << "the same file in another folder";
  EXPECT_TRUE(contains(warning([](SavedRun& run) { run.problem = "folder/B.mtx"; }),
                       "another name than A (folder/B.mtx; A: folder/A.mtx)"));
  EXPECT_TRUE(
      contains(warning([](SavedRun& run) { run.description = "shift 0.1"; }), "another name"));
  EXPECT_EQ(warning([](SavedRun& run) { run.rhs = "random"; }),
            "B has another right-hand side than A (random; A: ones)");
  EXPECT_EQ(warning([](SavedRun& run) { run.num_rhs = 3; }),
            "B has another right-hand side than A (ones, 3 columns; A: ones)");
  EXPECT_EQ(warning([](SavedRun& run) { run.seed = 5; }), "") << "nothing is random";
  EXPECT_EQ(warning([](SavedRun& run) { run.parameters[1].second = 1e-10; }),
            "B has another tolerance than A (1e-10; A: 1e-08): more digits take more iterations");
  EXPECT_EQ(
      warning([](SavedRun& run) { run.parameters.emplace_back("solver.absolute_tolerance", 0.5); }),
      "")
      << "a report of a version that had none";
  EXPECT_EQ(warning([](SavedRun& run) { run.status = "least_squares"; }), "");
  EXPECT_EQ(warning([](SavedRun& run) { run.status = "max_iterations"; }),
            "B did not converge (max_iterations): its times are not those of a solution");
}

TEST(Comparison, TheSeedCountsWhereSomethingIsRandom) {
  std::vector<SavedRun> runs{example("a.json"), example("b.json")};
  for (SavedRun& run : runs)
    run.rhs = "random";
  runs[1].seed = 5;
  EXPECT_EQ(comparison_warnings(runs), Sentences{"B has another seed than A (5; A: 0)"});
}

TEST(Comparison, ParametersThatDiffer) {
  std::vector<SavedRun> runs{example("a.json"), example("b.json")};
  EXPECT_TRUE(parameter_rows(runs).empty());
  runs[1].parameters[2].second = std::string("chebyshev");
  runs[1].parameters.emplace_back("amg.levels.0.A.scalar", std::string("half"));
  runs[0].parameters.emplace_back("amg.max_levels", 7);
  const std::vector<ComparedRow> rows = parameter_rows(runs);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(cells_of(rows, "amg.smoother.type"), (Cells{"l1_jacobi", "chebyshev"}));
  EXPECT_EQ(cells_of(rows, "amg.max_levels"), (Cells{"7", "-"}));
  EXPECT_EQ(cells_of(rows, "amg.levels.0.A.scalar"), (Cells{"-", "half"}));
}

TEST(Comparison, StepsOfSetupByTheirDifference) {
  std::vector<SavedRun> runs{example("a.json"), example("b.json")};
  runs[1].setup_phases_ms = {{"strength", 1.5}, {"galerkin", 6.9}, {"smoother", 4}};
  EXPECT_EQ(differing_phases(runs),
            (std::vector<std::string>{"smoother", "aggregation", "strength", "galerkin"}));
  const std::vector<ComparedRow> rows = phase_rows(runs, 3);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].name, "setup: smoother");
  EXPECT_EQ(rows[0].cells, (Cells{"-", "4.00 ms"}));
  EXPECT_EQ(rows[1].cells, (Cells{"2.00 ms", "-"}));
  EXPECT_EQ(rows[2].cells, (Cells{"1.00 ms", "1.50 ms x1.50"}));
}

TEST(Comparison, WhatAllHaveIsSaidOnce) {
  std::vector<SavedRun> runs{example("a.json"), example("b.json")};
  runs[1].precision = "mixed";
  const std::string text = comparison_text(runs);
  EXPECT_EQ(text.find("folder/A.mtx"), text.rfind("folder/A.mtx")) << text;
  EXPECT_TRUE(contains(text, "the same in all\nproblem              folder/A.mtx\n")) << text;
  EXPECT_TRUE(contains(text, "\nprecision            double                mixed\n")) << text;
  EXPECT_TRUE(contains(text, "no parameter differs\n")) << text;
}

/// Where B's column begins in that line, in characters.
std::size_t second_column(const std::string& text, const std::string& name,
                          const std::string& cell) {
  const std::size_t line = text.find("\n" + name) + 1;
  const std::size_t at = text.find(cell, line);
  return static_cast<std::size_t>(
      std::count_if(text.begin() + static_cast<std::ptrdiff_t>(line),
                    text.begin() + static_cast<std::ptrdiff_t>(at),
                    [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

TEST(Comparison, ColumnsAreStraightWithAnyLetters) {
  std::vector<SavedRun> runs{example("a.json"), example("b.json")};
  runs[0].problem = "größe-∇.mtx";
  const std::string text = comparison_text(runs);
  EXPECT_EQ(second_column(text, "problem", "folder/A.mtx"),
            second_column(text, "iterations", "3\n"))
      << text;
}

TEST(Comparison, NothingMovesTheTerminal) {
  std::vector<SavedRun> runs{example("a\x1b[31m.json"), example("b.json")};
  runs[1].status = "\x1b]0;title\x07";
  runs[1].parameters[0].second = std::string("c\ng\r");
  const std::string text = comparison_text(runs);
  EXPECT_TRUE(contains(text, "a?[31m.json") && contains(text, "?]0;title?")) << text;
  EXPECT_TRUE(std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\n';
  })) << text;
}

TEST(Comparison, AsJson) {
  std::vector<SavedRun> runs{example("a.json"), example("b.json")};
  runs[1].solve = {30, {29, 30, 31}};
  runs[1].true_relative_residual = std::numeric_limits<double>::quiet_NaN();
  runs[1].parameters[1].second = 1e-10;
  runs[1].setup_phases_ms.pop_back();
  const auto json = nlohmann::json::parse(comparison_json(runs));
  ASSERT_EQ(json["runs"].size(), 2U);
  EXPECT_EQ(json["runs"][0]["file"], "a.json");
  EXPECT_EQ(json["runs"][1]["solve"]["ratio_to_first"], 1.5);
  EXPECT_EQ(json["runs"][1]["solve"]["max_ms"], 31);
  EXPECT_EQ(json["runs"][1]["solve"]["runs"], 3);
  EXPECT_TRUE(json["runs"][1]["true_relative_residual"].is_null());
  EXPECT_EQ(json["parameters"]["solver.tolerance"], (nlohmann::json{1e-8, 1e-10}));
  EXPECT_TRUE(json["setup_phases_ms"]["galerkin"][1].is_null());
  EXPECT_EQ(json["warnings"].size(), 1U);
}

}  // namespace tessera::app::comparison_test
