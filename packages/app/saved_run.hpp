// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A solve as its JSON report tells of it, as far as solves are compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tessera/parameters/parameter_tree.hpp"

namespace tessera::app {

/// The time of a part of the work.
struct MeasuredTime {
  double ms = 0;  ///< the median where the solve was repeated
  std::vector<double> repeats_ms;  ///< one a run

  bool repeated() const { return repeats_ms.size() > 1; }
  /// The shortest and the longest of the runs; `ms` where it was not repeated.
  double min_ms() const;
  double max_ms() const;
};

/// What `tessera solve --report` wrote.
struct SavedRun {
  std::string file;  ///< of the report
  std::string date;  ///< empty in reports that have none
  std::string command_line;  ///< empty in reports that have none

  std::string problem;  ///< the matrix's path, or the gallery's name
  std::string description;  ///< of a gallery's problem
  bool generated = false;  ///< from the gallery
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  std::string rhs;
  std::int64_t num_rhs = 1;
  std::int64_t seed = 0;

  std::string space;  ///< "openmp", "cuda", ...
  std::string machine;  ///< the processor's or the GPU's name
  std::int64_t threads = 1;
  std::int64_t processes = 1;
  std::string version;
  std::string commit;

  std::string solver;
  std::string preconditioner;
  std::string precision;
  /// By dotted key, in the report's order.
  std::vector<std::pair<std::string, parameters::ParameterValue>> parameters;

  std::string status;
  std::int64_t iterations = 0;
  double true_relative_residual = 0;  ///< NaN where the report has null
  std::vector<double> residual_history;  ///< NaN where the report has null

  MeasuredTime setup, solve, total;
  std::vector<std::pair<std::string, double>> setup_phases_ms;
  double operator_complexity = 1;
  std::size_t num_levels = 0;  ///< 0 where the preconditioner is not multigrid
  std::int64_t hierarchy_bytes = 0;

  /// The parameter's value, or null where the report has none of that key.
  const parameters::ParameterValue* parameter(const std::string& key) const;
  /// Time of a step of setup; negative where there was none.
  double setup_phase_ms(const std::string& name) const;
};

/// Reads a JSON report. "-" was replaced by the name of standard input before.
/// @throws Error of kind bad_input, which names the file and says what to do, where it cannot be
/// read, is not JSON, is no report, or has a value of another type than reports have
SavedRun read_saved_run(const std::string& path);

/// The same of text; `path` is what messages call it.
SavedRun parse_saved_run(const std::string& text, const std::string& path);

}  // namespace tessera::app
