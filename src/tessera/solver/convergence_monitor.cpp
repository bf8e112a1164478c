// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/convergence_monitor.hpp"

#include "tessera/solver/selection_rules.hpp"

#include <algorithm>
#include <cmath>

namespace tessera {

bool ConvergenceMonitor::is_slow(const IterationInfo& now) {
  m_residuals.push_back(now.relative_residual);
  const auto done = static_cast<int>(m_residuals.size()) - 1;
  constexpr int window = rules::iterations_of_estimate;
  if (done < rules::iterations_before_estimate) return false;
  // The number of digits that are left, over those that an iteration gains.
  const double left = std::log(now.relative_residual / m_tolerance);
  const double gained = std::log(m_residuals[done - window] / now.relative_residual) / window;
  // A residual that grows gains nothing; a NaN is the solver's to report.
  const bool slow = left > 0 && gained < left / m_too_many;
  const double rest = m_limit - now.iteration;
  const bool arrives = gained * rest > left;
  const double hopeless = static_cast<double>(rules::hopeless_per_iteration) * now.iteration;
  m_estimated = !slow ? 0 : arrives ? left / gained : std::max(rest, hopeless);
  return slow && now.iteration + window <= m_limit;
}

kernels::SlowRate ConvergenceMonitor::in_one_kernel(int too_many) const {
  return kernels::SlowRate::of(too_many, rules::iterations_before_estimate,
                               rules::iterations_of_estimate, m_tolerance);
}

}  // namespace tessera
