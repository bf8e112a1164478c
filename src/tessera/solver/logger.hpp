// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a solver tells about each iteration.
#pragma once

#include <functional>

namespace tessera {

/// One iteration, or the start (iteration 0).
struct IterationInfo {
  int iteration = 0;
  double relative_residual = 0;  ///< the largest of all right-hand sides
  double elapsed_ms = 0;  ///< since the solve began
};

/// Called at the start and after each iteration; returns false to stop the solve, whose status is
/// then `interrupted`.
using Logger = std::function<bool(const IterationInfo&)>;

/// When a logger has to hear of an iteration.
enum class LogTiming {
  live,  ///< before the next one is over
  may_be_late  ///< or when the solve is over, if that takes less than about a second
};

}  // namespace tessera
