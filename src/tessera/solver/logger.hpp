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
  /// The largest residual norm over the one at which its right-hand side has converged, by the
  /// relative or the absolute tolerance: 1 or less once all have; infinite where that is 0.
  double residual_over_bound = 0;
};

/// Called at the start and after each iteration; returns false to stop the solve, whose status is
/// then `interrupted`.
using Logger = std::function<bool(const IterationInfo&)>;

/// When a logger has to be called for an iteration.
enum class LogTiming {
  live,  ///< before the next one is over
  may_be_late  ///< or when the solve is over, if that takes less than about a second
};

}  // namespace tessera
