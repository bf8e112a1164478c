// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A comparison as a page: one file, a colour for each run, and what cannot be drawn.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "app/command_fixture.hpp"
#include "app/example_runs.hpp"
#include "app/html_page.hpp"
#include "app/svg_chart.hpp"

namespace tessera::app::comparison_test {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(ComparisonPage, IsOnePageWithoutScriptsOrLinks) {
  std::vector<SavedRun> runs{example("a.json"), example("<b>&.json")};
  runs[1].rows = 7;
  runs[1].status = "<script>";
  const std::string page = comparison_html(runs);
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_TRUE(page.ends_with("</body></html>\n"));
  for (const char* part : {"<script", "http", "src=", "<b>&.json"})
    EXPECT_FALSE(contains(page, part)) << part;
  expect_parts(page, {"&lt;b&gt;&amp;.json", "a &lt;fast&gt; processor", "<b>Warning:</b> B solves",
                      "Convergence", "Times", "Steps of setup", "2026-01-31T12:34:56Z"});
}

TEST(ComparisonPage, AColourIsARun) {
  std::vector<SavedRun> runs;
  for (const char* file : {"a.json", "b.json", "c.json"})
    runs.push_back(example(file));
  runs[0].setup.ms = 1;  // the order of times is not that of the runs
  const std::string page = comparison_html(runs);
  const char* names[] = {"A: a.json", "B: b.json", "C: c.json"};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto found = [&](const char* pattern) {
      return count_of(page, fmt::format(fmt::runtime(pattern), i, names[i]));
    };
    EXPECT_EQ(found(R"(class="curve line-{0}")"), 1U);
    EXPECT_EQ(found(R"(<circle class="series-{0}")"), 4U);
    EXPECT_EQ(found(R"(class="series-{0}"><title>{1}:)"), 6U) << "three times and three steps";
    EXPECT_EQ(found(R"(class="series-{0}"></i>{1})"), 3U) << "legends";
    EXPECT_EQ(found("<title>{1}:"), 6U) << "in no other colour";
  }
  EXPECT_FALSE(contains(page, "class=\"measure\"")) << "which is no run's";
}

TEST(ComparisonPage, EightRunsHaveAColourEach) {
  std::vector<SavedRun> runs(max_compared_runs, example("a.json"));
  for (std::size_t i = 0; i < runs.size(); ++i)
    runs[i].file += std::to_string(i);
  const std::string page = comparison_html(runs);
  EXPECT_TRUE(contains(page, "class=\"curve line-7\""));
  EXPECT_FALSE(contains(page, ">other<"));
  const std::string style = page_begin("");
  for (std::size_t i = 0; i < max_compared_runs; ++i) {
    EXPECT_TRUE(contains(style, fmt::format(".line-{0} {{ stroke: var(--series-{0}); }}", i)));
  }
}

TEST(ComparisonPage, SurvivesWhatCannotBeDrawn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<SavedRun> runs{example("a.json"), example("b.json")};
  for (const std::vector<double>& history :
       {std::vector<double>{}, {0.0}, {nan, 1.0, infinity}, {1.0, 0.0, 1e-300}}) {
    runs[0].residual_history = runs[1].residual_history = history;
    for (SavedRun& run : runs) {
      run.setup_phases_ms.clear();
      run.setup = run.solve = run.total = {};
    }
    const std::string page = comparison_html(runs);
    EXPECT_FALSE(contains(page, "\"nan") || contains(page, "Lnan") || contains(page, "inf "));
    EXPECT_TRUE(page.ends_with("</body></html>\n"));
  }
}

TEST(Chart, OfALongHistoryTheExtremesAreDrawn) {
  std::vector<double> history(100000, 1e-3);
  history[54321] = 10;
  history[54322] = 1e-7;
  history.back() = 1e-5;
  const std::string svg = convergence_chart({{"a", history}, {"b", {1, 0.1}}}, {});
  EXPECT_LT(svg.size(), 60000U);
  EXPECT_TRUE(contains(svg, " 15.0L")) << "the largest value is at the top";
  EXPECT_TRUE(contains(svg, " 305.0L")) << "the least at the bottom";
  EXPECT_TRUE(contains(svg, "L745.0 "));
}

}  // namespace tessera::app::comparison_test
