// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/report.hpp"

namespace tessera::app {

namespace {

struct Column {
  const char* name;
  std::function<double(const ProcessReport&)> value;
  std::function<std::string(double)> text;
};

std::string count_text(double number) { return grouped_digits(std::llround(number)); }
std::string ms_text(double ms) { return fmt::format("{:.2f} ms", ms); }
std::string memory_text(double bytes) {
  return bytes > 0 ? fmt::format("{:.1f} MB", 1e-6 * bytes) : std::string("unknown");
}

std::vector<Column> columns(bool with_forecasts) {
  using Report = ProcessReport;
  std::vector<Column> all{
      {"rows", [](const Report& p) { return static_cast<double>(p.rows); }, count_text},
      {"entries", [](const Report& p) { return static_cast<double>(p.entries); }, count_text},
      {"ghost rows", [](const Report& p) { return static_cast<double>(p.ghost_rows); }, count_text},
      {"setup", [](const Report& p) { return p.setup_ms; }, ms_text},
      {"solve", [](const Report& p) { return p.solve_ms; }, ms_text},
      {"memory", [](const Report& p) { return static_cast<double>(p.peak_memory_bytes); },
       memory_text}};
  if (with_forecasts)
    all.push_back({"forecast",
                   [](const Report& p) { return static_cast<double>(p.peak_forecast_bytes); },
                   memory_text});
  return all;
}

/// A line whose columns' texts are `cell`'s.
std::string line(const std::vector<Column>& columns, const std::string& head,
                 const std::function<std::string(const Column&)>& cell) {
  std::string out = fmt::format("{:>7}", head);
  for (const Column& column : columns)
    out += fmt::format("  {:>13}", cell(column));
  return out + "\n";
}

}  // namespace

std::string processes_text(const SolveReport& report) {
  constexpr std::size_t max_lines = 16;
  const std::vector<ProcessReport>& all = report.processes;
  if (all.size() < 2) return {};
  const bool with_forecasts =
      std::ranges::any_of(all, [](const ProcessReport& p) { return p.peak_forecast_bytes > 0; });
  const std::vector<Column> shown = columns(with_forecasts);
  std::string out =
      line(shown, "process", [](const Column& column) { return std::string(column.name); });
  if (all.size() <= max_lines) {
    for (std::size_t p = 0; p < all.size(); ++p)
      out += line(shown, fmt::format("{}", p),
                  [&](const Column& column) { return column.text(column.value(all[p])); });
    return out;
  }
  const auto of_order = [&](const char* head,
                            const std::function<double(std::vector<double>&)>& pick) {
    return line(shown, head, [&](const Column& column) {
      std::vector<double> values;
      for (const ProcessReport& process : all)
        values.push_back(column.value(process));
      return column.text(pick(values));
    });
  };
  out += of_order("least", [](auto& v) { return *std::min_element(v.begin(), v.end()); });
  out += of_order("median", [](auto& v) { return median(v); });
  out += of_order("most", [](auto& v) { return *std::max_element(v.begin(), v.end()); });
  return out;
}

}  // namespace tessera::app
