// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Saved solves side by side. The table of the terminal, the JSON file and the HTML page are three
/// views of the same rows, in which the first run is what the others are compared with.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/saved_run.hpp"

namespace tessera::app {

/// As many runs as pages have colours.
constexpr std::size_t max_compared_runs = 8;

/// What all runs have of one thing.
struct ComparedRow {
  std::string name;
  std::vector<std::string> cells;  ///< one a run

  bool is_same() const;
};

/// "A" for the first run.
std::string run_letter(std::size_t i);

/// The last part of a path.
std::string_view file_name(std::string_view path);

/// The system, the machine and the method.
std::vector<ComparedRow> input_rows(const std::vector<SavedRun>& runs);

/// How the solves ended, and their times with ratios to the first run's: "12.00 ms x1.50".
std::vector<ComparedRow> result_rows(const std::vector<SavedRun>& runs);

/// The parameters that not all runs have the same value of; "-" where a run has none.
std::vector<ComparedRow> parameter_rows(const std::vector<SavedRun>& runs);

/// The keys of these parameters, in the order of the runs.
std::vector<std::string> differing_parameters(const std::vector<SavedRun>& runs);

/// The steps of setup by how much their times differ, the most first.
std::vector<std::string> differing_phases(const std::vector<SavedRun>& runs);

/// The times of so many of these steps, each name with "setup: " before it.
std::vector<ComparedRow> phase_rows(const std::vector<SavedRun>& runs, std::size_t max_rows);

/// Why the runs, or some of their figures, cannot be compared: other systems, right-hand sides or
/// tolerances, or no solution. A sentence each; empty where nothing is in the way.
std::vector<std::string> comparison_warnings(const std::vector<SavedRun>& runs);

/// What to know of the times: what they are of, and which differences may be chance.
std::vector<std::string> comparison_notes(const std::vector<SavedRun>& runs);

/// The tables for a terminal.
std::string comparison_text(const std::vector<SavedRun>& runs);

/// All of it as JSON text.
std::string comparison_json(const std::vector<SavedRun>& runs);

/// All of it as one page, with the convergence of all runs in one chart: no script, nothing loaded
/// from elsewhere.
std::string comparison_html(const std::vector<SavedRun>& runs);

}  // namespace tessera::app
