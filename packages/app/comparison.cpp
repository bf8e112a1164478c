// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The rows of a comparison.
#include "app/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/report.hpp"

namespace tessera::app {

namespace {

constexpr const char* no_value = "-";

/// A row by what `cell` says of each run.
template <class Cell>
ComparedRow row_of(const char* name, const std::vector<SavedRun>& runs, const Cell& cell) {
  ComparedRow row{name, {}};
  for (const SavedRun& run : runs)
    row.cells.push_back(cell(run));
  return row;
}

std::string time_text(double ms) {
  return ms < 10000 ? fmt::format("{:.2f} ms", ms) : fmt::format("{:.2f} s", ms / 1000);
}

/// " x1.50" for a time of so many times the first run's; nothing where there is no ratio.
std::string ratio_text(double ms, double first_ms) {
  if (!(first_ms > 0) || !(ms >= 0)) return {};
  const double ratio = ms / first_ms;
  return ratio == 0 || ratio >= 0.095 ? fmt::format(" x{:.2f}", ratio)
                                      : fmt::format(" x{:.1g}", ratio);
}

std::string time_cell(double ms, std::size_t i, double first_ms) {
  if (ms < 0) return no_value;
  return time_text(ms) + (i == 0 ? std::string() : ratio_text(ms, first_ms));
}

/// The times of all runs and, below them, the extremes of those that were repeated.
void add_times(const char* name, const std::vector<SavedRun>& runs, MeasuredTime SavedRun::* time,
               std::vector<ComparedRow>& rows) {
  ComparedRow medians{name, {}};
  for (std::size_t i = 0; i < runs.size(); ++i)
    medians.cells.push_back(time_cell((runs[i].*time).ms, i, (runs[0].*time).ms));
  rows.push_back(std::move(medians));
  if (std::none_of(runs.begin(), runs.end(),
                   [time](const SavedRun& run) { return (run.*time).repeated(); })) {
    return;
  }
  rows.push_back(row_of("  its extremes", runs, [time](const SavedRun& run) {
    const MeasuredTime& of = run.*time;
    if (!of.repeated()) return std::string("one run");
    return fmt::format("{} to {}", time_text(of.min_ms()), time_text(of.max_ms()));
  }));
}

std::string machine_text(const SavedRun& run) {
  return fmt::format(
      "{} ({}), {}{}", run.space, run.machine,
      run.processes > 1 ? fmt::format("{} processes of ", run.processes) : std::string(),
      counted(run.threads, "thread", "threads"));
}

}  // namespace

bool ComparedRow::is_same() const {
  return std::all_of(cells.begin(), cells.end(),
                     [this](const std::string& cell) { return cell == cells.front(); });
}

std::string run_letter(std::size_t i) { return std::string(1, static_cast<char>('A' + i)); }

std::string_view file_name(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::vector<ComparedRow> input_rows(const std::vector<SavedRun>& runs) {
  std::vector<ComparedRow> rows{
      row_of("problem", runs, [](const SavedRun& run) { return run.problem; }),
      row_of("unknowns", runs, [](const SavedRun& run) { return grouped_digits(run.rows); }),
      row_of("entries", runs, [](const SavedRun& run) { return grouped_digits(run.entries); }),
      row_of("right-hand side", runs,
             [](const SavedRun& run) {
               return run.num_rhs == 1 ? run.rhs
                                       : fmt::format("{}, {} columns", run.rhs, run.num_rhs);
             }),
      row_of("machine", runs, machine_text),
      row_of("build", runs,
             [](const SavedRun& run) { return fmt::format("{} ({})", run.version, run.commit); }),
      row_of("solver", runs, [](const SavedRun& run) { return run.solver; }),
      row_of("preconditioner", runs, [](const SavedRun& run) { return run.preconditioner; }),
      row_of("precision", runs, [](const SavedRun& run) { return run.precision; })};
  return rows;
}

std::vector<ComparedRow> result_rows(const std::vector<SavedRun>& runs) {
  std::vector<ComparedRow> rows{
      row_of("date", runs,
             [](const SavedRun& run) { return run.date.empty() ? no_value : run.date; }),
      row_of("status", runs, [](const SavedRun& run) { return run.status; }),
      row_of("iterations", runs,
             [](const SavedRun& run) { return grouped_digits(run.iterations); }),
      row_of("true residual", runs, [](const SavedRun& run) {
        return std::isnan(run.true_relative_residual)
                   ? std::string("NaN")
                   : fmt::format("{:.3e}", run.true_relative_residual);
      })};
  add_times("setup", runs, &SavedRun::setup, rows);
  add_times("solve", runs, &SavedRun::solve, rows);
  add_times("setup + solve", runs, &SavedRun::total, rows);
  rows.push_back(row_of("levels", runs, [](const SavedRun& run) {
    return run.num_levels == 0 ? std::string(no_value) : fmt::format("{}", run.num_levels);
  }));
  rows.push_back(row_of("operator complexity", runs, [](const SavedRun& run) {
    return run.num_levels == 0 ? std::string(no_value)
                               : fmt::format("{:.3f}", run.operator_complexity);
  }));
  rows.push_back(row_of("hierarchy", runs, [](const SavedRun& run) {
    return run.num_levels == 0
               ? std::string(no_value)
               : fmt::format("{:.2f} MB", 1e-6 * static_cast<double>(run.hierarchy_bytes));
  }));
  return rows;
}

std::vector<std::string> differing_parameters(const std::vector<SavedRun>& runs) {
  std::vector<std::string> keys;
  for (const SavedRun& run : runs) {
    for (const auto& [key, value] : run.parameters) {
      if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
      const bool same = std::all_of(runs.begin(), runs.end(), [&](const SavedRun& other) {
        const parameters::ParameterValue* found = other.parameter(key);
        return found != nullptr && *found == value;
      });
      if (!same) keys.push_back(key);
    }
  }
  return keys;
}

std::vector<ComparedRow> parameter_rows(const std::vector<SavedRun>& runs) {
  std::vector<ComparedRow> rows;
  for (const std::string& key : differing_parameters(runs)) {
    rows.push_back(row_of(key.c_str(), runs, [&key](const SavedRun& run) {
      const parameters::ParameterValue* value = run.parameter(key);
      return value == nullptr ? std::string(no_value) : parameters::to_text(*value);
    }));
  }
  return rows;
}

std::vector<std::string> differing_phases(const std::vector<SavedRun>& runs) {
  std::vector<std::pair<double, std::string>> found;
  for (const SavedRun& run : runs) {
    for (const auto& [name, ms] : run.setup_phases_ms) {
      const bool known = std::any_of(found.begin(), found.end(),
                                     [&](const auto& phase) { return phase.second == name; });
      if (known) continue;
      double low = ms, high = ms;
      for (const SavedRun& other : runs) {
        low = std::min(low, std::max(0.0, other.setup_phase_ms(name)));
        high = std::max(high, other.setup_phase_ms(name));
      }
      found.emplace_back(high - low, name);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> names;
  for (auto& [difference, name] : found)
    names.push_back(std::move(name));
  return names;
}

std::vector<ComparedRow> phase_rows(const std::vector<SavedRun>& runs, std::size_t max_rows) {
  std::vector<std::string> names = differing_phases(runs);
  names.resize(std::min(names.size(), max_rows));
  std::vector<ComparedRow> rows;
  for (const std::string& name : names) {
    ComparedRow row{"setup: " + name, {}};
    for (std::size_t i = 0; i < runs.size(); ++i)
      row.cells.push_back(time_cell(runs[i].setup_phase_ms(name), i, runs[0].setup_phase_ms(name)));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace tessera::app
