// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A comparison as a page. A colour is a run: in headings, in curves and in bars.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "app/comparison.hpp"
#include "app/html_page.hpp"
#include "app/report.hpp"
#include "app/svg_chart.hpp"

namespace tessera::app {

namespace {

/// "A: base.json".
std::string run_label(const std::vector<SavedRun>& runs, std::size_t i) {
  return run_letter(i) + ": " + std::string(file_name(runs[i].file));
}

Colours colours_of_runs(const std::vector<SavedRun>& runs) {
  Colours colours;
  for (std::size_t i = 0; i < runs.size(); ++i)
    colours[run_label(runs, i)] = i;
  return colours;
}

std::string chip(std::size_t i) { return fmt::format(R"(<i class="chip series-{}"></i>)", i); }

/// A line for each run: its file, when it was and by which command.
std::string runs_of_page(const std::vector<SavedRun>& runs) {
  std::string html;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const SavedRun& run = runs[i];
    html += fmt::format("<p>{}<b>{}</b> {}</p>", chip(i), run_letter(i), html_escape(run.file));
    if (run.date.empty() && run.command_line.empty()) continue;
    html += fmt::format(R"(<p class="note">{} <code>{}</code></p>)", html_escape(run.date),
                        html_escape(run.command_line));
  }
  return html;
}

std::string table_of(const std::vector<SavedRun>& runs, const std::vector<ComparedRow>& rows) {
  std::string html = R"(<div class="wide"><table><tr><th class="text" scope="col">)";
  for (std::size_t i = 0; i < runs.size(); ++i)
    html += fmt::format(R"(<th class="text" scope="col">{}{})", chip(i), run_letter(i));
  html += "</tr>";
  for (const ComparedRow& row : rows) {
    html += fmt::format(R"(<tr><th class="text" scope="row">{})", html_escape(row.name));
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const bool failed = row.name == "status" && runs[i].status != "converged";
      html +=
          fmt::format(R"(<td class="text{}">{})", failed ? " bad" : "", html_escape(row.cells[i]));
    }
    html += "</tr>";
  }
  return html + "</table></div>";
}

/// A bar per run in the run's colour, the label at the first.
void add_bars(const std::vector<SavedRun>& runs, const std::string& label,
              const std::vector<double>& times, std::vector<Bar>& bars) {
  for (std::size_t i = 0; i < runs.size(); ++i)
    bars.push_back({i == 0 ? label : "", {{run_label(runs, i), std::max(0.0, times[i])}}});
}

std::string times_chart(const std::vector<SavedRun>& runs) {
  std::vector<Bar> bars;
  const std::pair<const char*, MeasuredTime SavedRun::*> times[] = {
      {"setup", &SavedRun::setup},
      {"solve", &SavedRun::solve},
      {"setup + solve", &SavedRun::total}};
  for (const auto& [name, time] : times) {
    std::vector<double> ms;
    for (const SavedRun& run : runs)
      ms.push_back((run.*time).ms);
    add_bars(runs, name, ms, bars);
  }
  return "<h2>Times</h2>" + figure(stacked_bars(bars, false, colours_of_runs(runs)),
                                   "Wall-clock times; medians where the solve was repeated.");
}

std::string phases_chart(const std::vector<SavedRun>& runs) {
  constexpr std::size_t max_phases = 8;
  std::vector<std::string> names = differing_phases(runs);
  if (names.empty()) return {};
  names.resize(std::min(names.size(), max_phases));
  std::vector<Bar> bars;
  for (const std::string& name : names) {
    std::vector<double> ms;
    for (const SavedRun& run : runs)
      ms.push_back(run.setup_phase_ms(name));
    add_bars(runs, name, ms, bars);
  }
  return "<h2>Steps of setup that differ most</h2>" +
         figure(stacked_bars(bars, false, colours_of_runs(runs)),
                "Wall-clock time of each step over all levels, the largest difference first.") +
         table_of(runs, phase_rows(runs, max_phases));
}

std::string curves_chart(const std::vector<SavedRun>& runs) {
  std::vector<Curve> curves;
  std::vector<double> tolerances;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    curves.push_back({run_label(runs, i), runs[i].residual_history});
    const auto* tolerance = runs[i].parameter("solver.tolerance");
    const double* value = tolerance == nullptr ? nullptr : std::get_if<double>(tolerance);
    if (value != nullptr &&
        std::find(tolerances.begin(), tolerances.end(), *value) == tolerances.end())
      tolerances.push_back(*value);
  }
  const bool drawn = std::any_of(curves.begin(), curves.end(),
                                 [](const Curve& curve) { return !curve.history.empty(); });
  if (!drawn) return {};
  return "<h2>Convergence</h2>" +
         figure(convergence_chart(curves, tolerances),
                "Relative residual after each iteration, on a logarithmic scale; dashed: the "
                "tolerance.");
}

std::string sentences_html(const std::vector<std::string>& texts, const char* before) {
  std::string html;
  for (const std::string& text : texts)
    html += fmt::format("<p{}{}</p>", before, html_escape(text));
  return html;
}

}  // namespace

std::string comparison_html(const std::vector<SavedRun>& runs) {
  const std::string title = fmt::format("{} solves side by side", runs.size());
  std::string html = page_begin("Tessera: " + title) + "<h1>" + title + "</h1>";
  html += runs_of_page(runs);
  html += sentences_html(comparison_warnings(runs), "><b>Warning:</b> ");
  std::vector<ComparedRow> rows = input_rows(runs);
  for (ComparedRow& row : result_rows(runs))
    rows.push_back(std::move(row));
  html += table_of(runs, rows);
  html += R"(<p class="note">x: times that of A.</p>)";
  html += sentences_html(comparison_notes(runs), R"( class="note">)");
  html += curves_chart(runs) + times_chart(runs);
  const std::vector<ComparedRow> parameters = parameter_rows(runs);
  html += "<h2>Parameters that differ</h2>" +
          (parameters.empty() ? std::string("<p>None.</p>") : table_of(runs, parameters));
  return html + phases_chart(runs) + "</body></html>\n";
}

}  // namespace tessera::app
