// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/convergence_monitor.hpp"

#include "tessera/solver/selection_rules.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tessera {

bool ConvergenceMonitor::is_early() const {
  return m_residuals.size() <= static_cast<std::size_t>(rules::iterations_before_estimate.value);
}

bool ConvergenceMonitor::is_slow(const IterationInfo& now) {
  // Of columns that the absolute tolerance ends, the relative residual says nothing.
  const double residual =
      m_has_absolute ? std::min(now.relative_residual, now.residual_over_bound * m_tolerance)
                     : now.relative_residual;
  m_residuals.push_back(residual);
  const auto done = static_cast<int>(m_residuals.size()) - 1;
  const bool early = is_early();
  const int first =
      m_looks_early ? rules::iterations_before_early_look : rules::iterations_before_estimate;
  const int window = early ? rules::iterations_of_early_look : rules::iterations_of_estimate;
  const int too_many = early ? rules::too_many_iterations.value : m_too_many;
  if (done < first) return false;
  // The number of digits that are left, over those that an iteration gains.
  const double left = std::log(residual / m_tolerance);
  const double gained = std::log(m_residuals[done - window] / residual) / window;
  // A residual that grows gains nothing; a NaN is the solver's to report.
  const bool slow = left > 0 && gained < left / too_many;
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
