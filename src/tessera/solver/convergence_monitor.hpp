// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tells early that a solve will take long.
#pragma once

#include "tessera/solver/logger.hpp"

#include <vector>

namespace tessera {

/// Estimates from the last iterations' mean rate how many are left, once some are done.
class ConvergenceMonitor {
 public:
  /// `tolerance`: where the solve ends; `limit`: its most iterations, near which nothing is changed
  /// any more.
  ConvergenceMonitor(double tolerance, int limit) : m_tolerance(tolerance), m_limit(limit) {}

  /// True where more than `rules::too_many_iterations` are to be expected after this one.
  bool is_slow(const IterationInfo& now);

  /// Of the last look that found the solve slow, how many iterations are to be expected: no more
  /// than the limit leaves.
  double estimated() const { return m_estimated; }

 private:
  double m_tolerance;
  int m_limit;
  double m_estimated = 0;
  std::vector<double> m_residuals;
};

}  // namespace tessera
