// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Charts as inline SVG, drawn for pages that load nothing and run no script. Colours come from the
/// page's CSS: classes series-0 to series-7, line-0 to line-7 of the same colours, measure, grid,
/// tick, limit, curve, inside, and legend.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::app {

/// Text safe inside HTML and inside attributes.
std::string html_escape(std::string_view text);

/// Residual by iteration, the residual's axis logarithmic with a tick for each power of ten.
/// `tolerance` is drawn as a dashed line where it is positive. Values that are not positive and
/// finite are gaps.
std::string convergence_chart(const std::vector<double>& history, double tolerance);

/// The residuals of one run.
struct Curve {
  std::string label;
  std::vector<double> history;
};

/// Colours that a chart has, one a run or a group.
constexpr std::size_t num_colours = 8;

/// The curves in one chart with a legend: the i-th has colour i, of which there are `num_colours`.
/// Each of the tolerances is a dashed line. Of a long history each stretch is drawn by its
/// extremes.
std::string convergence_chart(const std::vector<Curve>& curves,
                              const std::vector<double>& tolerances);

/// One coloured part of a bar.
struct Segment {
  std::string group;  ///< the same group has the same colour in all bars of a chart
  double value = 0;
};

/// One bar.
struct Bar {
  std::string label;
  std::vector<Segment> segments;
  double total() const;
};

/// A number of a colour for each group.
using Colours = std::map<std::string, std::size_t>;

/// The seven largest groups of all these bars have colours of their own, the rest is "other".
Colours colours_of(const std::vector<Bar>& bars);

/// Horizontal stacked bars with a legend. `as_shares`: each bar fills the width and segments are
/// percentages. Charts of one page share the colours of all their bars. A bar of one segment shows
/// no share.
std::string stacked_bars(const std::vector<Bar>& bars, bool as_shares, const Colours& colours);

/// Horizontal bars of one colour, each as long as its total.
std::string plain_bars(const std::vector<Bar>& bars);

}  // namespace tessera::app
