// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A comparison as tables for a terminal.
#include <algorithm>
#include <string_view>
#include <utility>

#include "app/comparison.hpp"

namespace tessera::app {

namespace {

/// Columns that the text takes: bytes but for those that go on with a character of UTF-8.
std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

/// The text without what would move a terminal's cursor: a report may hold anything.
std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
  return text;
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t taken = text_width(text);
  return text + std::string(taken < width ? width - taken : 0, ' ');
}

std::string line_of(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i)
    line += padded(printable(cells[i]), widths[i]) + "  ";
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

/// A line per row, their columns in these widths.
std::string lines_of(const std::vector<ComparedRow>& rows, const std::vector<std::size_t>& widths) {
  std::string out;
  for (const ComparedRow& row : rows) {
    std::vector<std::string> cells{row.name};
    cells.insert(cells.end(), row.cells.begin(), row.cells.end());
    out += line_of(cells, widths);
  }
  return out;
}

void widen(const std::vector<ComparedRow>& rows, std::vector<std::size_t>& widths) {
  for (const ComparedRow& row : rows) {
    widths[0] = std::max(widths[0], text_width(row.name));
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      widths[i + 1] = std::max(widths[i + 1], text_width(row.cells[i]));
  }
}

std::string sentences(const std::vector<std::string>& texts, const char* before) {
  std::string out;
  for (const std::string& text : texts)
    out += before + printable(text) + "\n";
  return out;
}

}  // namespace

std::string comparison_text(const std::vector<SavedRun>& runs) {
  constexpr std::size_t max_phases = 5;
  // What all runs have in common is said once.
  std::vector<ComparedRow> common, differing;
  for (ComparedRow& row : input_rows(runs)) {
    if (row.is_same()) row.cells.resize(1);
    (row.cells.size() == 1 ? common : differing).push_back(std::move(row));
  }
  const std::vector<ComparedRow> results = result_rows(runs);
  const std::vector<ComparedRow> parameters = parameter_rows(runs);
  const std::vector<ComparedRow> phases = phase_rows(runs, max_phases);
  std::vector<std::size_t> widths(runs.size() + 1, 0), of_common(2, 0);
  for (const std::vector<ComparedRow>* rows :
       {&std::as_const(differing), &results, &parameters, &phases})
    widen(*rows, widths);
  widths[0] = std::max(widths[0], std::string_view("operator complexity").size());
  of_common[0] = widths[0];

  std::string out;
  std::vector<std::string> letters{""};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    letters.push_back(run_letter(i));
    out += run_letter(i) + "  " + printable(runs[i].file) + "\n";
  }
  out += "\n";
  const std::vector<std::string> warnings = comparison_warnings(runs);
  if (!warnings.empty()) out += sentences(warnings, "WARNING: ") + "\n";
  if (!common.empty()) out += "the same in all\n" + lines_of(common, of_common) + "\n";
  out += line_of(letters, widths) + lines_of(differing, widths) + lines_of(results, widths);
  out += "\n";
  if (parameters.empty()) {
    out += "no parameter differs\n";
  } else {
    out += "parameters that differ\n" + lines_of(parameters, widths);
  }
  if (!phases.empty()) {
    out += "\nsteps of setup that differ most\n" + lines_of(phases, widths);
  }
  const std::vector<std::string> notes = comparison_notes(runs);
  return out + "\nx: times that of A\n" + sentences(notes, "");
}

}  // namespace tessera::app
