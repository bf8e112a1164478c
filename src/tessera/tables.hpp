// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a setup and a solve leave behind as tables, the same that `tessera solve` prints. The
/// figures themselves are plain data: `Solver::hierarchy()` and `SolveResult`.
#pragma once

#include "tessera/amg/cycle/hierarchy_info.hpp"
#include "tessera/operator/solve_result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

/// One line of a convergence table.
struct ConvergenceLine {
  int iteration = 0;
  double relative_residual = 0;
  double rate = 0;  ///< over the line before; 0 at the start, and after a residual of 0
};

/// A line for the start and one for each iteration.
std::vector<ConvergenceLine> convergence_lines(const SolveResult& result);

/// Iteration, relative residual and rate, a line each below a heading. Of a history of more than
/// three times as many lines so many are shown at each end, and `left_out_note` says at the gap
/// where the others are. Empty where there is no history.
std::string convergence_table(const SolveResult& result, int shown_at_each_end = 12,
                              const std::string& left_out_note = {});

/// Sizes, precision, storage and kernels of each level, the complexities and the memory, and the
/// notes, a line each. Without levels (a preconditioner that is not multigrid) the notes alone.
std::string hierarchy_table(const HierarchyInfo& hierarchy);

/// One step of a setup, summed over the levels.
struct SetupTime {
  std::string step;
  double ms = 0;
  double share = 0;  ///< of all steps' time; 0 where that is 0
};

/// In the order of the algorithm; empty unless `amg::Parameters::measure_phases`.
std::vector<SetupTime> setup_times(const HierarchyInfo& hierarchy);

/// Step, milliseconds and per cent, a line each below a heading, and the sum. Empty where steps
/// were not measured.
std::string setup_times_table(const HierarchyInfo& hierarchy);

/// 1234567 as "1,234,567".
std::string grouped_digits(std::int64_t number);

}  // namespace tessera
