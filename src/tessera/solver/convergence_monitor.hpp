// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tells early that a solve will take long.
#pragma once

#include "tessera/kernels/persistent/slow_rate.hpp"
#include "tessera/solver/logger.hpp"

#include <vector>

namespace tessera {

/// Estimates from the last iterations' mean rate how many are left, once some are done.
class ConvergenceMonitor {
 public:
  /// `tolerance`: where the solve ends by its relative residual; `limit`: its most iterations, near
  /// which nothing is changed any more; `too_many`: further iterations that are slow;
  /// `has_absolute`: it may end earlier, where no residual is over its bound; `looks_early`: from
  /// `rules::iterations_before_early_look` on, for `rules::too_many_iterations`.
  ConvergenceMonitor(double tolerance, int limit, int too_many, bool has_absolute = false,
                     bool looks_early = false)
      : m_tolerance(tolerance),
        m_limit(limit),
        m_too_many(too_many),
        m_has_absolute(has_absolute),
        m_looks_early(looks_early) {}

  /// True where more than `too_many` are to be expected after this one.
  bool is_slow(const IterationInfo& now);

  /// How many iterations are to be expected where the last look found too many: by
  /// `rules::hopeless_per_iteration` where the limit comes before the end. Else 0, and 0 before the
  /// first look.
  double estimated() const { return m_estimated; }
  int too_many() const { return m_too_many; }
  /// Whether the last look was one before `rules::iterations_before_estimate`.
  bool is_early() const;
  /// The same look for a solve in one kernel, after so many further iterations or `too_many()`.
  kernels::SlowRate in_one_kernel(int too_many) const;

 private:
  double m_tolerance;
  int m_limit;
  int m_too_many;
  bool m_has_absolute;
  bool m_looks_early;
  double m_estimated = 0;
  std::vector<double> m_residuals;
};

}  // namespace tessera
