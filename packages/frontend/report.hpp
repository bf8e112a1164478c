// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Everything that is known after a solve, as plain data, and its JSON, for whatever front end the
/// solve was asked through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/machine.hpp"
#include "tessera/amg/cycle/hierarchy_info.hpp"
#include "tessera/operator/solve_result.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/solve.hpp"

namespace tessera::frontend {

/// All calls of one kernel in one place.
struct KernelTime {
  std::string kernel;  ///< its label without the leading "tessera::"
  std::string step;  ///< innermost region "tessera::setup::STEP", or empty
  int level = -1;  ///< innermost region "tessera::level N", or -1 outside all levels
  long calls = 0;
  double ms = 0;  ///< without kernels that ran inside it
};

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
  int num_random_rhs = 0;  ///< of these, the last ones, which were added to what `rhs` names
  int near_nullspace = 0;  ///< near-nullspace vectors; 0 means the constant
  double load_ms = 0;  ///< reading or generating, with the copy to the device
  std::string partition;  ///< of rows over processes, "graph"; empty: in their order
  std::int64_t cut = 0;  ///< with a partition, entries in other processes' columns,
  std::int64_t cut_in_order = 0;  ///< and those that there would be in the order of the rows
};

/// What one of several processes has of a solve, and took for it.
struct ProcessReport {
  std::int64_t rows = 0;  ///< its own
  std::int64_t entries = 0;  ///< in them
  std::int64_t ghost_rows = 0;  ///< others' unknowns that they couple to
  double setup_ms = 0;
  double solve_ms = 0;
  std::size_t peak_memory_bytes = 0;  ///< on the host, up to the report; 0: unknown
  std::size_t peak_forecast_bytes = 0;  ///< of setup and a solve; 0: no forecast was asked for
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
  std::string command_line;  ///< as a shell takes it; empty: there was none
  std::size_t peak_memory_bytes = 0;  ///< of the process on the host, up to the report; 0: unknown
  ProblemReport problem;
  std::vector<std::pair<std::string, parameters::ParameterValue>> parameters;
  std::vector<std::string> picks;  ///< what the command picked and why, one sentence each
  std::string solver;  ///< such as "cg"
  std::string preconditioner;
  bool preconditioner_picked = false;  ///< the user left it open
  std::string precision;  ///< "double", "float", or "mixed": multigrid in float, the rest in double
  double tolerance = 0;
  double absolute_tolerance = 0;

  HierarchyInfo hierarchy;  ///< no levels where the preconditioner is not multigrid
  SolveResult result;
  bool solved = true;  ///< false: there is no result, as yet
  double setup_ms = 0;  ///< the median where the solve was repeated
  double solve_ms = 0;  ///< the median where the solve was repeated
  std::vector<double> setup_repeats_ms;
  std::vector<double> solve_repeats_ms;
  std::optional<double> warm_up_ms;  ///< of --warm-up; in no other time
  int runs_asked = 1;  ///< of --repeat; fewer have times where Ctrl-C came first
  ProfileReport profile;
  std::vector<ProcessReport> processes;  ///< by rank; empty for one that is by itself
};

/// The middle value, the mean of the middle two; 0 for none.
double median(std::vector<double> values);

/// Mean factor by which an iteration reduced the residual; 0 where there was none.
double mean_rate(const SolveResult& result);

/// The relative residual at which all right-hand sides have converged, by either tolerance.
double relative_bound(const SolveReport& report);

/// How a front end's users give what `advice` tells them to try.
struct AdviceWords {
  const char* coordinates;
  const char* near_nullspace;
  const char* both;  ///< the two in short
  const char* double_precision;
  const char* after_nan;  ///< what to look at where a NaN appeared
};

/// The command's.
inline constexpr AdviceWords command_words{"--coordinates FILE", "--near-nullspace FILE",
                                           "--near-nullspace, --coordinates", "--precision double",
                                           "'tessera info': it says whether the matrix holds a NaN "
                                           "or an infinity, and how far its magnitudes "
                                           "span"};

/// What to try where the solve did not converge, or slowly, in one line; empty where there is
/// nothing to be said, and where it was interrupted.
std::string advice(const SolveReport& report, const AdviceWords& words = command_words);

/// The report as JSON text.
std::string report_json(const SolveReport& report, const AdviceWords& words = command_words);

/// What the solver settled on: method, preconditioner, precision, parameters and hierarchy.
template <class Scalar, class Space, class Offset>
void describe_solver(const Solver<Scalar, Space, Offset>& solver, SolveReport& report);

}  // namespace tessera::frontend
