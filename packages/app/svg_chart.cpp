// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/svg_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace tessera::app {

namespace {

constexpr double chart_width = 760;

bool drawable(double value) { return std::isfinite(value) && value > 0; }

/// 1, 2 or 5 times a power of ten: about `most` steps up to `range`.
int round_step(int range, int most) {
  int power = 1;
  while (true) {
    for (const int factor : {1, 2, 5}) {
      if (factor * power * most >= range) return factor * power;
    }
    power *= 10;
  }
}

/// Where the curve's chart puts iterations and residuals.
struct Axes {
  double left = 70, right = chart_width - 15, top = 15, bottom = 305;
  int iterations = 1;
  int low_power = -1, high_power = 0;

  double x(double iteration) const { return left + (right - left) * iteration / iterations; }
  double y(double residual) const {
    return bottom - (bottom - top) * (std::log10(residual) - low_power) / (high_power - low_power);
  }
};

Axes axes_for(const std::vector<Curve>& curves, const std::vector<double>& tolerances) {
  double low = 1, high = 0;
  std::size_t longest = 1;
  const auto include = [&](double value) {
    if (!drawable(value)) return;
    low = high > 0 ? std::min(low, value) : value;
    high = std::max(high, value);
  };
  for (const double tolerance : tolerances)
    include(tolerance);
  for (const Curve& curve : curves) {
    longest = std::max(longest, curve.history.size());
    for (const double value : curve.history)
      include(value);
  }
  if (high == 0) high = low;
  Axes axes;
  axes.iterations = std::max<int>(1, static_cast<int>(longest) - 1);
  axes.low_power = static_cast<int>(std::floor(std::log10(low)));
  axes.high_power = std::max(axes.low_power + 1, static_cast<int>(std::ceil(std::log10(high))));
  return axes;
}

std::string grid(const Axes& axes) {
  std::string svg;
  const int power_step = round_step(axes.high_power - axes.low_power, 12);
  for (int power = axes.low_power; power <= axes.high_power; power += power_step) {
    const double y = axes.y(std::pow(10.0, power));
    svg += fmt::format(R"(<line class="grid" x1="{0}" x2="{1}" y1="{2:.1f}" y2="{2:.1f}"/>)",
                       axes.left, axes.right, y);
    svg += fmt::format(R"(<text x="{}" y="{:.1f}" text-anchor="end">1e{}</text>)", axes.left - 8,
                       y + 4, power);
  }
  for (int i = 0; i <= axes.iterations; i += round_step(axes.iterations, 10)) {
    const double x = axes.x(i);
    svg += fmt::format(R"(<line class="tick" x1="{0:.1f}" x2="{0:.1f}" y1="{1}" y2="{2}"/>)", x,
                       axes.bottom, axes.bottom + 5);
    svg += fmt::format(R"(<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>)", x,
                       axes.bottom + 20, i);
  }
  svg += fmt::format(R"(<text x="{:.1f}" y="{}" text-anchor="middle">iteration</text>)",
                     (axes.left + axes.right) / 2, axes.bottom + 38);
  return svg;
}

/// Of the colours that the bars have.
std::string legend(const std::vector<Bar>& bars, const Colours& colours) {
  std::vector<std::string> names(num_colours);
  std::vector<int> groups(num_colours, 0);
  for (const auto& [group, colour] : colours) {
    names[colour] = group;
    ++groups[colour];
  }
  std::vector<bool> used(num_colours, false);
  for (const Bar& bar : bars) {
    for (const Segment& segment : bar.segments)
      used[colours.at(segment.group)] = true;
  }
  std::string html = R"(<p class="legend">)";
  for (std::size_t c = 0; c < num_colours; ++c) {
    if (!used[c]) continue;
    html += fmt::format(R"(<span><i class="series-{}"></i>{}</span> )", c,
                        html_escape(groups[c] > 1 ? std::string("other") : names[c]));
  }
  return html + "</p>";
}

}  // namespace

std::string html_escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

double Bar::total() const {
  double sum = 0;
  for (const Segment& segment : segments)
    sum += segment.value;
  return sum;
}

/// In the order of their totals; from the eighth on they share the last colour.
Colours colours_of(const std::vector<Bar>& bars) {
  std::map<std::string, double> totals;
  for (const Bar& bar : bars) {
    for (const Segment& segment : bar.segments)
      totals[segment.group] += segment.value;
  }
  std::vector<std::pair<std::string, double>> order(totals.begin(), totals.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  Colours colours;
  for (std::size_t i = 0; i < order.size(); ++i) {
    colours[order[i].first] = order.size() <= num_colours ? i : std::min(i, num_colours - 1);
  }
  return colours;
}

namespace {

/// What is drawn of a history: all of it or, where it is longer than the chart is wide, the least
/// and the largest value of each stretch, and the last.
std::vector<std::size_t> drawn_iterations(const std::vector<double>& history) {
  const std::size_t stretch = history.size() / static_cast<std::size_t>(chart_width) + 1;
  std::vector<std::size_t> drawn;
  for (std::size_t begin = 0; begin < history.size(); begin += stretch) {
    const auto first = history.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last =
        first + static_cast<std::ptrdiff_t>(std::min(stretch, history.size() - begin));
    const auto [low, high] = std::minmax_element(first, last);
    const auto [one, other] = std::minmax({low - history.begin(), high - history.begin()});
    drawn.push_back(static_cast<std::size_t>(one));
    if (other != one) drawn.push_back(static_cast<std::size_t>(other));
  }
  if (!drawn.empty() && drawn.back() + 1 != history.size()) drawn.push_back(history.size() - 1);
  return drawn;
}

/// `line` and `dot` are classes, `name` what a dot's title begins with.
std::string curve_path(const Axes& axes, const std::vector<double>& history, const char* line,
                       const char* dot, const std::string& name) {
  constexpr std::size_t max_dots = 100;
  std::string path, dots;
  bool pen_down = false;
  for (const std::size_t i : drawn_iterations(history)) {
    if (!drawable(history[i])) {
      pen_down = false;
      continue;
    }
    const double x = axes.x(static_cast<double>(i)), y = axes.y(history[i]);
    path += fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", x, y);
    pen_down = true;
    if (history.size() <= max_dots) {
      dots += fmt::format(
          R"(<circle{} cx="{:.1f}" cy="{:.1f}" r="3"><title>{}iteration {}: {:.3e}</title></circle>)",
          dot, x, y, name, i, history[i]);
    }
  }
  return fmt::format(R"(<path class="{}" d="{}"/>{})", line, path, dots);
}

/// The frame, the axes and the tolerances' lines; what is drawn in it and the frame's end follow.
std::string begin_convergence_chart(const Axes& axes, const std::vector<double>& tolerances) {
  std::string svg = fmt::format(
      R"(<svg viewBox="0 0 {} 350" role="img" aria-label="Relative residual by iteration">)",
      chart_width);
  svg += grid(axes);
  for (const double tolerance : tolerances) {
    if (!drawable(tolerance)) continue;
    svg += fmt::format(
        R"(<line class="limit" x1="{0}" x2="{1}" y1="{2:.1f}" y2="{2:.1f}"/><text x="{4}" y="{3:.1f}">tolerance {5:.4g}</text>)",
        axes.left, axes.right, axes.y(tolerance), axes.y(tolerance) - 5, axes.left + 6, tolerance);
  }
  return svg;
}

}  // namespace

std::string convergence_chart(const std::vector<double>& history, double tolerance) {
  const Axes axes = axes_for({{"", history}}, {tolerance});
  return begin_convergence_chart(axes, {tolerance}) + curve_path(axes, history, "curve", "", "") +
         "</svg>";
}

std::string convergence_chart(const std::vector<Curve>& curves,
                              const std::vector<double>& tolerances) {
  const Axes axes = axes_for(curves, tolerances);
  std::string svg = begin_convergence_chart(axes, tolerances);
  std::string names = R"(<p class="legend">)";
  for (std::size_t i = 0; i < std::min(curves.size(), num_colours); ++i) {
    svg += curve_path(axes, curves[i].history, fmt::format("curve line-{}", i).c_str(),
                      fmt::format(R"( class="series-{}")", i).c_str(),
                      html_escape(curves[i].label) + ", ");
    names += fmt::format(R"(<span><i class="series-{}"></i>{}</span> )", i,
                         html_escape(curves[i].label));
  }
  return svg + "</svg>" + names + "</p>";
}

namespace {

constexpr double row_height = 30;

/// The chart's frame around its rows; empty where all bars are.
std::string bar_chart(const std::vector<Bar>& bars, bool as_shares, const Colours* colours) {
  constexpr double label_width = 150, value_width = 90;
  const double full = chart_width - label_width - value_width;
  double largest = 0;
  for (const Bar& bar : bars)
    largest = std::max(largest, bar.total());
  if (!(largest > 0)) return "<p>Nothing was measured.</p>";

  std::string svg =
      fmt::format(R"(<svg viewBox="0 0 {} {}" role="img" aria-label="Times as bars">)", chart_width,
                  row_height * static_cast<double>(bars.size()));
  for (std::size_t row = 0; row < bars.size(); ++row) {
    const double total = bars[row].total();
    const double scale = full / (as_shares && total > 0 ? total : largest);
    const double y = row_height * static_cast<double>(row);
    double x = label_width;
    svg += fmt::format(R"(<text x="{}" y="{}" text-anchor="end">{}</text>)", label_width - 8,
                       y + 19, html_escape(bars[row].label));
    for (const Segment& segment : bars[row].segments) {
      const double width = segment.value * scale;
      const double share = total > 0 ? 100 * segment.value / total : 0;
      svg += fmt::format(
          R"(<rect x="{:.2f}" y="{}" width="{:.2f}" height="20" class="{}"><title>{}: {:.3f} ms, {:.1f}%</title></rect>)",
          x, y + 5, width,
          colours != nullptr ? fmt::format("series-{}", colours->at(segment.group)) : "measure",
          html_escape(segment.group), segment.value, share);
      if (colours != nullptr && width > 46 && bars[row].segments.size() > 1) {
        svg += fmt::format(
            R"(<text class="inside" x="{:.1f}" y="{}" text-anchor="middle">{:.0f}%</text>)",
            x + width / 2, y + 19, share);
      }
      x += width;
    }
    svg += fmt::format(R"(<text x="{:.1f}" y="{}">{:.2f} ms</text>)", x + 6, y + 19, total);
  }
  return svg + "</svg>" + (colours != nullptr ? legend(bars, *colours) : "");
}

}  // namespace

std::string stacked_bars(const std::vector<Bar>& bars, bool as_shares, const Colours& colours) {
  return bar_chart(bars, as_shares, &colours);
}

std::string plain_bars(const std::vector<Bar>& bars) { return bar_chart(bars, false, nullptr); }

}  // namespace tessera::app
