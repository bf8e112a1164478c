// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What PCView shows of a preconditioner that is set up, as plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::petsc {

struct LevelReport {
  double rows = 0;  ///< of all processes, as are the entries
  double entries = 0;
  double entries_per_row = 0;
  std::string precision;
  std::string format;
  std::string smoother;  ///< empty where the level is solved directly
  std::string coarsening;  ///< that made the next level
};

struct Report {
  std::string preconditioner;
  std::string precision;
  int near_nullspace_vectors = 0;
  double setup_ms = 0;  ///< of the last setup or update
  std::vector<LevelReport> levels;
  double operator_complexity = 0;
  double grid_complexity = 0;
  double bytes = 0;  ///< of this process
  std::vector<std::string> notes;  ///< what was picked, and why
};

}  // namespace tessera::petsc
