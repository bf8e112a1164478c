// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The page of a report: its colours and charts.
#include "app/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "app/command_fixture.hpp"
#include "app/example_report.hpp"
#include "app/svg_chart.hpp"

namespace tessera::app::report_test {

TEST(Html, EscapesText) {
  EXPECT_EQ(html_escape("<a href=\"x\">'&'</a>"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
}

TEST(Html, IsOnePageWithoutScriptsOrLinks) {
  SolveReport report = example();
  report.profile.measured = true;
  report.profile.setup = {{"spgemm::numeric", "galerkin", 0, 2, 1.5}};
  report.profile.solve = {{"spmv", "", 0, 8, 2.0}, {"dot", "", -1, 8, 0.5}};
  const std::string page = report_html(report);
  EXPECT_FALSE(contains(page, "<script"));
  EXPECT_FALSE(contains(page, "http"));
  EXPECT_FALSE(contains(page, "<link"));
  EXPECT_FALSE(contains(page, "a <fast> processor")) << "text must be escaped";
  EXPECT_TRUE(contains(page, "A &amp; B.mtx"));
  EXPECT_TRUE(contains(page, "separate run with a fence after each kernel"));
  EXPECT_TRUE(contains(page, "level 0"));
  EXPECT_TRUE(contains(page, "Krylov"));
  EXPECT_EQ(count(page, "<svg"), 4u) << "convergence, phases, kernels by phase, levels";
  EXPECT_EQ(count(page, "<svg"), count(page, "</svg>"));
  EXPECT_EQ(count(page, "<figcaption"), count(page, "<svg"));
  EXPECT_EQ(count(page, "<th "), count(page, "scope=\"col\""));
}

/// The colours of the page's variables: of the light scheme, or of the dark one.
std::map<std::string, std::array<double, 3>> colours_of_page(bool dark) {
  const std::string page = report_html(example());
  const std::size_t turn = page.find("prefers-color-scheme: dark");
  const std::string style =
      dark ? page.substr(turn, page.find("body {") - turn) : page.substr(0, turn);
  std::map<std::string, std::array<double, 3>> colours;
  for (std::size_t at = style.find("--"); at != std::string::npos; at = style.find("--", at + 2)) {
    const std::size_t hash = style.find(": #", at);
    if (hash == std::string::npos) break;
    std::array<double, 3>& colour = colours[style.substr(at + 2, hash - at - 2)];
    for (std::size_t i = 0; i < 3; ++i)
      colour[i] = std::stoi(style.substr(hash + 3 + 2 * i, 2), nullptr, 16) / 255.0;
  }
  return colours;
}

/// Relative luminance as WCAG 2 defines it.
double luminance(const std::array<double, 3>& colour) {
  const auto linear = [](double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
}

TEST(Html, TextHasContrast) {
  for (const bool dark : {false, true}) {
    auto colours = colours_of_page(dark);
    const auto expect_contrast = [&](const std::string& text, const std::string& ground) {
      ASSERT_TRUE(colours.contains(text) && colours.contains(ground)) << text << " on " << ground;
      const double a = luminance(colours[text]), b = luminance(colours[ground]);
      EXPECT_GE((std::max(a, b) + 0.05) / (std::min(a, b) + 0.05), 4.5)
          << text << " on " << ground << (dark ? ", dark" : ", light");
    };
    for (const char* text : {"ink", "faint", "good", "bad"}) {
      for (const char* ground : {"paper", "panel"})
        expect_contrast(text, ground);
    }
    expect_contrast("measure", "paper");
    for (int i = 0; i < 8; ++i) {
      expect_contrast("on-series", "series-" + std::to_string(i));
      expect_contrast("series-" + std::to_string(i), "paper");  // curves
    }
  }
}

/// The colour's class of each bar's segment of that group.
std::vector<std::string> classes_of(const std::string& page, const std::string& group) {
  std::vector<std::string> found;
  const std::string title = "\"><title>" + group + ":";
  for (std::size_t at = page.find(title); at != std::string::npos; at = page.find(title, at + 1)) {
    const std::size_t quote = page.rfind('"', at - 1);
    found.push_back(page.substr(quote + 1, at - quote - 1));
  }
  return found;
}

TEST(Html, AColourHasOneMeaning) {
  SolveReport report = example();
  report.profile.measured = true;
  report.profile.setup = {{"spgemm::numeric", "galerkin", 0, 2, 9.5}, {"copy", "", -1, 1, 0.1}};
  report.profile.solve = {{"spmv", "", 0, 8, 2.0}, {"dot", "", -1, 8, 0.5}, {"copy", "", 1, 1, 3}};
  const std::string page = report_html(report);
  const auto copy = classes_of(page, "copy");
  ASSERT_EQ(copy.size(), 3u) << "setup, solve, level 1";
  EXPECT_EQ(copy, std::vector<std::string>(3, copy.front()));
  EXPECT_NE(copy.front(), classes_of(page, "spmv").front());
  EXPECT_EQ(classes_of(page, "strength"), std::vector<std::string>{"measure"})
      << "phases are no kernels";
}

TEST(Chart, SurvivesWhatCannotBeDrawn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& history :
       {std::vector<double>{}, {0.0}, {1.0}, {nan, 1.0, infinity}, {1.0, 0.0, 1e-300}}) {
    const std::string svg = convergence_chart(history, 1e-8);
    EXPECT_FALSE(contains(svg, "nan"));
    EXPECT_FALSE(contains(svg, "inf"));
    EXPECT_TRUE(svg.ends_with("</svg>"));
  }
}

TEST(Chart, BarsShareColoursByGroupAndFoldTheRest) {
  std::vector<Bar> bars(2);
  for (int g = 0; g < 12; ++g) {
    bars[0].segments.push_back({"group" + std::to_string(g), 12.0 - g});
  }
  bars[1].segments.push_back({"group0", 1});
  const std::string svg = stacked_bars(bars, true, colours_of(bars));
  EXPECT_EQ(count(svg, "<rect"), 13u);
  EXPECT_TRUE(contains(svg, "other"));
  EXPECT_FALSE(contains(svg, "series-8"));
  EXPECT_EQ(stacked_bars({{"empty", {}}}, false, {}), "<p>Nothing was measured.</p>");
  EXPECT_EQ(plain_bars({{"empty", {}}}), "<p>Nothing was measured.</p>");
}

}  // namespace tessera::app::report_test
