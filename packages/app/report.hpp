// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The command's views of a report beside its JSON: the terminal's tables and the HTML page.
#pragma once

#include <cstdint>
#include <string>

#include "app/kernel_profiler.hpp"
#include "app/machine.hpp"
#include "frontend/report.hpp"
#include "tessera/tables.hpp"

namespace tessera::app {

using frontend::advice;
using frontend::mean_rate;
using frontend::median;
using frontend::ProblemReport;
using frontend::ProcessReport;
using frontend::ProfileReport;
using frontend::report_json;
using frontend::SolveReport;

/// "1 entry", "2,000 entries".
std::string counted(std::int64_t number, const char* one, const char* many);

/// Line by line what is solved, where and how.
std::string header_text(const SolveReport& report);

/// What the right-hand sides are, and how many.
std::string rhs_text(const ProblemReport& problem);

/// The hierarchy's table with its complexities, and what the solver noted.
std::string hierarchy_text(const SolveReport& report);

/// Iteration, residual and rate; the middle of a long history is left out.
std::string convergence_text(const SolveReport& report);

/// A line for each process, or of many the least, the median and the most of each column; empty for
/// one that is by itself.
std::string processes_text(const SolveReport& report);

/// The last lines: how it ended, and the times.
std::string result_text(const SolveReport& report);

/// The report as one self-contained page: no script, nothing loaded from elsewhere.
std::string report_html(const SolveReport& report);

}  // namespace tessera::app
