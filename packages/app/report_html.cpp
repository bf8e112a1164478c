// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/html_page.hpp"
#include "app/report.hpp"
#include "app/svg_chart.hpp"

namespace tessera::app {

namespace {

std::string summary(const SolveReport& report) {
  std::string status(to_string(report.result.status));
  std::replace(status.begin(), status.end(), '_', ' ');
  std::string html = R"(<div class="cards">)";
  html += card(status, "status", report.result.converged() ? "good" : "bad");
  html += card(fmt::format("{}", report.result.iterations), "iterations");
  html +=
      card(fmt::format("{:.2e}", report.result.true_relative_residual), "true relative residual");
  html += card(fmt::format("{:.2f} ms", report.setup_ms), "setup");
  html += card(fmt::format("{:.2f} ms", report.solve_ms), "solve");
  html += card(fmt::format("{:.3f}", report.hierarchy.operator_complexity), "operator complexity");
  return html + "</div>";
}

/// "csr, float" with memory and kernel below; a dash where the level has no such matrix.
std::string storage(const StorageInfo& stored) {
  if (stored.format.empty()) return "–";
  return fmt::format("{}<br><small>{:.2f} MB, {}</small>",
                     html_escape(stored.format + ", " + stored.storage),
                     1e-6 * static_cast<double>(stored.bytes), html_escape(stored.kernel));
}

/// "pairwise" with "pairs" below; how it is solved on the coarsest level.
std::string coarsening(const LevelInfo& level) {
  if (level.coarsening.empty()) return html_escape(level.aggregation);
  return fmt::format("{}<br><small>{}</small>", html_escape(level.coarsening),
                     html_escape(level.aggregation));
}

std::string hierarchy(const SolveReport& report) {
  const std::vector<LevelInfo>& levels = report.hierarchy.levels;
  if (levels.empty()) return {};
  std::string html =
      R"(<h2>Hierarchy</h2><div class="wide"><table><tr><th scope="col">level<th scope="col">unknowns<th scope="col">nonzeros<th scope="col">nnz/row<th class="text" scope="col">of the finest<th class="text" scope="col">vectors<th class="text" scope="col">A<th class="text" scope="col">P<th class="text" scope="col">R<th class="text" scope="col">memory<th class="text" scope="col">coarsening<th class="text" scope="col">smoother<th scope="col">setup</tr>)";
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const LevelInfo& level = levels[l];
    const double share = levels[0].entries == 0 ? 0
                                                : 100.0 * static_cast<double>(level.entries) /
                                                      static_cast<double>(levels[0].entries);
    html += fmt::format(
        R"(<tr><td>{}<td>{}<td>{}<td>{:.2f}<td class="bar"><i style="width:{:.2f}%" title="{:.2f}% of the finest level's nonzeros"></i><td class="text">{}<td class="text">{}<td class="text">{}<td class="text">{}<td>{:.2f} MB<td class="text">{}<td class="text">{}<td>{:.2f} ms</tr>)",
        l, grouped_digits(level.rows), grouped_digits(level.entries), level.entries_per_row,
        std::min(share, 100.0), share, html_escape(level.precision), storage(level.A),
        storage(level.P), storage(level.R),
        1e-6 * static_cast<double>(level.A.bytes + level.P.bytes + level.R.bytes),
        coarsening(level), level.smoother.empty() ? "–" : html_escape(level.smoother),
        level.setup_ms);
  }
  html += fmt::format(
      R"(</table></div><p class="note">Operator complexity {:.3f}, grid complexity {:.3f}, memory complexity {:.3f}. {:.2f} MB in all, {:.2f} MB at the peak of setup{}.</p>)",
      report.hierarchy.operator_complexity, report.hierarchy.grid_complexity,
      report.hierarchy.memory_complexity, 1e-6 * static_cast<double>(report.hierarchy.bytes),
      1e-6 * static_cast<double>(report.hierarchy.setup_peak_bytes),
      report.hierarchy.setup_forecast_bytes == 0
          ? std::string()
          : fmt::format(", forecast {:.2f} MB",
                        1e-6 * static_cast<double>(report.hierarchy.setup_forecast_bytes)));
  for (const std::string& note : report.hierarchy.notes)
    html += "<p class=\"note\">" + html_escape(note) + "</p>";
  return html;
}

std::string phases(const SolveReport& report) {
  std::vector<Bar> bars;
  double named = 0;
  for (const auto& [name, ms] : report.hierarchy.setup_phases_ms) {
    bars.push_back({name, {{name, ms}}});
    named += ms;
  }
  const char* rest = named > 0 ? "rest of setup" : "setup";
  if (report.setup_ms > named) bars.push_back({rest, {{rest, report.setup_ms - named}}});
  bars.push_back({"solve", {{"solve", report.solve_ms}}});
  return "<h2>Time by phase</h2>" +
         figure(plain_bars(bars),
                "Wall-clock time of each step of setup over all levels, and of the solve; medians "
                "where the solve was repeated.");
}

/// Adds a kernel's time to the segment of its group.
void add_to_group(Bar& bar, const KernelTime& kernel) {
  const std::string group = kernel_group(kernel.kernel);
  for (Segment& segment : bar.segments) {
    if (segment.group == group) {
      segment.value += kernel.ms;
      return;
    }
  }
  bar.segments.push_back({group, kernel.ms});
}

/// The two phases' kernels.
std::vector<Bar> phase_bars(const ProfileReport& profile) {
  Bar setup{"setup", {}}, solve{"solve", {}};
  for (const KernelTime& kernel : profile.setup)
    add_to_group(setup, kernel);
  for (const KernelTime& kernel : profile.solve)
    add_to_group(solve, kernel);
  return {setup, solve};
}

/// The solve by level; what runs outside all levels is the Krylov method's own.
std::vector<Bar> level_bars(const ProfileReport& profile) {
  std::map<int, Bar> by_level;
  for (const KernelTime& kernel : profile.solve) {
    Bar& bar = by_level[kernel.level];
    bar.label = kernel.level < 0 ? std::string("Krylov") : fmt::format("level {}", kernel.level);
    add_to_group(bar, kernel);
  }
  std::vector<Bar> bars;
  for (auto& [level, bar] : by_level)
    bars.push_back(std::move(bar));
  return bars;
}

std::string kernel_table(const std::vector<KernelTime>& kernels, const char* phase) {
  constexpr std::size_t max_rows = 15;
  std::map<std::string, KernelTime> merged;
  double total = 0;
  for (const KernelTime& kernel : kernels) {
    KernelTime& sum = merged[kernel.kernel];
    sum.calls += kernel.calls;
    sum.ms += kernel.ms;
    total += kernel.ms;
  }
  std::vector<std::pair<std::string, KernelTime>> order(merged.begin(), merged.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second.ms > b.second.ms; });
  std::string html = fmt::format(
      R"(<div class="wide"><table><tr><th class="text" scope="col">{}<th scope="col">calls<th scope="col">time<th scope="col">share<th scope="col"></tr>)",
      phase);
  for (std::size_t i = 0; i < std::min(order.size(), max_rows); ++i) {
    const auto& [name, sum] = order[i];
    const double share = total > 0 ? 100 * sum.ms / total : 0;
    html += fmt::format(
        R"(<tr><td class="text">{}<td>{}<td>{:.3f} ms<td>{:.1f}%<td class="bar"><i style="width:{:.2f}%"></i></tr>)",
        html_escape(name), sum.calls, sum.ms, share, share);
  }
  html += "</table></div>";
  if (order.size() > max_rows) {
    html += fmt::format(R"(<p class="note">{} shorter kernels are left out.</p>)",
                        order.size() - max_rows);
  }
  return html;
}

std::string profile(const SolveReport& report) {
  if (!report.profile.measured) return {};
  const char* how =
      R"(<p class="note">Measured in a separate run with a fence after each kernel: these times do not add up to those above.</p>)";
  const std::vector<Bar> phases = phase_bars(report.profile);
  // A kernel has one colour on the whole page; the bars of levels hold no others.
  const Colours colours = colours_of(phases);
  return std::string("<h2>Kernels by phase</h2>") + how +
         figure(stacked_bars(phases, true, colours),
                "Share of each group of kernels in the time of setup and of the solve.") +
         "<h2>Time by level, solve</h2>" +
         figure(stacked_bars(level_bars(report.profile), false, colours),
                "Time of the solve on each level by group of kernels; Krylov is what the method "
                "does outside of multigrid.") +
         "<h2>Time by kernel</h2>" + kernel_table(report.profile.setup, "setup") +
         kernel_table(report.profile.solve, "solve");
}

/// When, by what command, and with how much memory.
std::string origin(const SolveReport& report) {
  std::string html;
  if (!report.date.empty()) html += html_escape(report.date) + ". ";
  if (report.peak_memory_bytes > 0) {
    html += fmt::format("Peak memory of the process on the host: {:.0f} MB. ",
                        1e-6 * static_cast<double>(report.peak_memory_bytes));
  }
  if (!report.command_line.empty()) html += "<code>" + html_escape(report.command_line) + "</code>";
  return html.empty() ? html : "<p class=\"note\">" + html + "</p>";
}

/// A row for each of several processes.
std::string processes(const SolveReport& report) {
  if (report.processes.size() < 2) return {};
  std::string html =
      R"(<h2>Processes</h2><div class="wide"><table><tr><th>process<th>rows<th>entries<th>ghost rows<th>setup, ms<th>solve, ms<th>memory, MB</tr>)";
  for (std::size_t p = 0; p < report.processes.size(); ++p) {
    const ProcessReport& process = report.processes[p];
    html += fmt::format("<tr><td>{}<td>{}<td>{}<td>{}<td>{:.2f}<td>{:.2f}<td>{:.1f}</tr>", p,
                        grouped_digits(process.rows), grouped_digits(process.entries),
                        grouped_digits(process.ghost_rows), process.setup_ms, process.solve_ms,
                        1e-6 * static_cast<double>(process.peak_memory_bytes));
  }
  return html + "</table></div>";
}

std::string settings(const SolveReport& report) {
  std::string html = R"(<h2>Parameters</h2><div class="wide"><table>)";
  for (const auto& [key, value] : report.parameters) {
    html += fmt::format(R"(<tr><td class="text">{}<td class="text">{}</tr>)", html_escape(key),
                        html_escape(parameters::to_text(value)));
  }
  html += "</table></div>";
  for (const std::string& pick : report.picks)
    html += "<p class=\"note\">" + html_escape(pick) + "</p>";
  return html;
}

}  // namespace

std::string report_html(const SolveReport& report) {
  const ProblemReport& problem = report.problem;
  std::string html = page_begin("Tessera: " + problem.name);
  html += fmt::format(R"(<h1>{}</h1><p class="note">{}{}{}, {}, right-hand side: {}</p>)",
                      html_escape(problem.name), html_escape(problem.description),
                      problem.description.empty() ? "" : "; ",
                      counted(problem.rows, "unknown", "unknowns"),
                      counted(problem.entries, "entry", "entries"), html_escape(rhs_text(problem)));
  html +=
      fmt::format(R"(<p class="note">{} with {}, {}; {} ({}), {}</p>)", html_escape(report.solver),
                  html_escape(report.preconditioner), html_escape(report.precision),
                  html_escape(report.machine.space), html_escape(report.machine.name),
                  counted(report.machine.threads, "thread", "threads"));
  html += origin(report);
  const std::string what_to_try = advice(report);
  if (!what_to_try.empty()) {
    html += fmt::format(R"(<p class="note">{}</p>)", html_escape(what_to_try));
  }
  html += summary(report);
  html += hierarchy(report);
  if (!report.result.residual_history.empty()) {
    html += "<h2>Convergence</h2>" +
            figure(convergence_chart(report.result.residual_history, relative_bound(report)),
                   "Relative residual after each iteration, on a logarithmic scale; dashed: the "
                   "tolerance.");
  }
  html += processes(report) + phases(report) + profile(report) + settings(report);
  html +=
      fmt::format(R"(<p class="note">Tessera {} ({}), Kokkos {}, compiled by {}</p></body></html>)",
                  html_escape(report.build.version), html_escape(report.build.commit),
                  html_escape(report.build.kokkos_version), html_escape(report.build.compiler));
  return html + "\n";
}

}  // namespace tessera::app
