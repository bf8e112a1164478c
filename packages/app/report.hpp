// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Everything that is known after a solve, as plain data: the terminal's tables, the JSON report
/// and the HTML page are three views of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/kernel_profiler.hpp"
#include "app/machine.hpp"
#include "tessera/amg/cycle/hierarchy_info.hpp"
#include "tessera/operator/solve_result.hpp"
#include "tessera/parameters/parameter_tree.hpp"

namespace tessera::app {

/// The system that is solved.
struct ProblemReport {
  std::string name;  ///< the file's path or the gallery's name
  std::string description;  ///< one line, empty for a file
  bool generated = false;  ///< from the gallery
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  std::string rhs;  ///< "ones", "random", "problem" or a path
  int seed = 0;
  int num_rhs = 1;
  int near_nullspace = 0;  ///< near-nullspace vectors; 0 means the constant
  double load_ms = 0;  ///< reading or generating, with the copy to the device
};

/// Kernel times of a run of its own with a fence after each kernel.
struct ProfileReport {
  bool measured = false;
  std::vector<KernelTime> setup;
  std::vector<KernelTime> solve;
};

/// A solve from end to end.
struct SolveReport {
  BuildInfo build;
  MachineInfo machine;
  std::string requested_device;
  std::string date;  ///< when the command began: "2026-01-31T12:34:56Z"
  std::string command_line;  ///< as a shell takes it
  std::size_t peak_memory_bytes = 0;  ///< of the process on the host, up to the report; 0: unknown
  ProblemReport problem;
  std::vector<std::pair<std::string, parameters::ParameterValue>> parameters;
  std::vector<std::string> picks;  ///< what the command picked and why, one sentence each
  std::string solver;  ///< such as "cg"
  std::string preconditioner;
  bool preconditioner_picked = false;  ///< the user left it open
  std::string precision;  ///< "double", "float", or "mixed": multigrid in float, the rest in double
  double tolerance = 0;

  HierarchyInfo hierarchy;  ///< no levels where the preconditioner is not multigrid
  SolveResult result;
  double setup_ms = 0;  ///< the median where the solve was repeated
  double solve_ms = 0;  ///< the median where the solve was repeated
  std::vector<double> setup_repeats_ms;
  std::vector<double> solve_repeats_ms;
  std::optional<double> warm_up_ms;  ///< of --warm-up; in no other time
  int runs_asked = 1;  ///< of --repeat; fewer have times where Ctrl-C came first
  ProfileReport profile;
};

/// The middle value, the mean of the middle two; 0 for none.
double median(std::vector<double> values);

/// Mean factor by which an iteration reduced the residual; 0 where there was none.
double mean_rate(const SolveResult& result);

/// What to try where the solve did not converge, or slowly, in one line; empty where there is
/// nothing to be said, and where it was interrupted.
std::string advice(const SolveReport& report);

/// "1 entry", "2,000 entries".
std::string counted(std::int64_t number, const char* one, const char* many);

/// 1234567 as "1,234,567".
std::string grouped_digits(std::int64_t number);

/// The report as JSON text.
std::string report_json(const SolveReport& report);

/// Line by line what is solved, where and how.
std::string header_text(const SolveReport& report);

/// The hierarchy's table with its complexities, and what the solver noted.
std::string hierarchy_text(const SolveReport& report);

/// Iteration, residual and rate; the middle of a long history is left out.
std::string convergence_text(const SolveReport& report);

/// The last lines: how it ended, and the times.
std::string result_text(const SolveReport& report);

/// The report as one self-contained page: no script, nothing loaded from elsewhere.
std::string report_html(const SolveReport& report);

}  // namespace tessera::app
