// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// When a solve within one launch ends. All lanes of a cooperative group take each decision by
/// themselves, from sums that are the same bits everywhere.
///
/// It goes in cycles, as KrylovSolver does: each starts from the true residual b - A x, iterates
/// until the recurrence says that it is done or cannot go on, and ends with the true residual.
#pragma once

#include "tessera/kernels/persistent/solve.hpp"

namespace tessera::kernels::detail {

/// What has become of an iteration.
enum class Iterated { well, broke_down, not_a_number };

/// A coefficient in the vectors' scalar, 0 where it has none.
template <class Scalar>
struct Quotient {
  Scalar value = 0;
  Iterated what = Iterated::well;

  KOKKOS_FUNCTION static Quotient of(double numerator, double denominator) {
    if (!Kokkos::isfinite(numerator) || !Kokkos::isfinite(denominator))
      return {0, Iterated::not_a_number};
    const auto quotient = static_cast<Scalar>(numerator / denominator);
    if (denominator == 0 || !Kokkos::isfinite(quotient)) return {0, Iterated::broke_down};
    return {quotient, Iterated::well};
  }
};

class SolveControl {
 public:
  /// `epsilon`: of the vectors' scalar. `scale`: what b was multiplied by.
  KOKKOS_FUNCTION SolveControl(const PersistentLimits& limits, double epsilon, double scale,
                               double* history)
      : m_limits(limits), m_reduction(epsilon / 100), m_scale(scale), m_history(history) {}

  /// With the squared norms of b and of b - A x. True where there is something to do.
  KOKKOS_FUNCTION bool begin(double rhs, double residual, bool records) {
    m_rhs = rhs;
    m_reference = m_limits.relative_to_rhs ? rhs : residual;
    if (m_limits.reference_norm >= 0) {
      const double scaled = m_limits.reference_norm * m_scale;
      m_reference = scaled * scaled;
    }
    m_threshold = m_limits.tolerance * m_limits.tolerance * m_reference;
    const double absolute = m_limits.absolute_tolerance * m_scale;
    if (absolute * absolute > m_threshold) m_threshold = absolute * absolute;
    const double start = relative(residual);
    m_divergence = m_limits.divergence_limit * (start > 1 ? start : 1);
    m_true = residual;
    m_kept = residual;
    record(residual, records);
    if (!Kokkos::isfinite(rhs) || !Kokkos::isfinite(residual))
      return end(PersistentEnd::not_a_number);
    if (residual <= m_threshold) return end(PersistentEnd::converged);
    if (m_limits.max_iterations <= 0) return end(PersistentEnd::max_iterations);
    return true;
  }

  KOKKOS_FUNCTION void begin_cycle() {
    const double least = m_reduction * m_reduction * m_true;
    m_target = m_threshold > least ? m_threshold : least;
    m_has_failed = false;
    m_believes_done = false;
  }

  /// With the squared norm of the residual after an iteration, by its recurrence. True where the
  /// cycle goes on.
  KOKKOS_FUNCTION bool advance(double residual, Iterated what, bool time_is_up, bool records) {
    ++m_iterations;
    record(residual, records);
    if (what == Iterated::not_a_number || !Kokkos::isfinite(residual)) {
      fail(PersistentEnd::not_a_number);
    } else if (what == Iterated::broke_down) {
      fail(PersistentEnd::breakdown);
    } else if (residual <= m_target) {
      m_believes_done = true;
    } else if (has_diverged(residual)) {
      fail(PersistentEnd::diverged);
    }
    if (m_iterations >= m_limits.max_iterations) {
      m_stop = PersistentEnd::max_iterations;
    } else if (time_is_up) {
      m_stop = PersistentEnd::time_limit;
    } else if (is_slow(residual)) {
      m_stop = PersistentEnd::slow;
    }
    return !m_has_failed && !m_believes_done && m_stop == PersistentEnd::none;
  }

  /// With the squared norm of b - A x. True where another cycle begins.
  KOKKOS_FUNCTION bool end_cycle(double residual, bool time_is_up, int restarts) {
    const double before = m_true;
    m_true = residual;
    if (residual <= m_threshold) return end(PersistentEnd::converged);
    const bool broke_down = m_has_failed && m_failure == PersistentEnd::breakdown;
    if (m_has_failed && !broke_down) return end(m_failure);
    if (!Kokkos::isfinite(residual)) return end(PersistentEnd::not_a_number);
    if (broke_down && m_breakdowns++ == restarts) return end(PersistentEnd::breakdown);
    // Done by its recurrence and not in truth: the precision's limit, unless a cycle still gains.
    if (m_believes_done && (!m_limits.verify || residual > before / 4))
      return end(PersistentEnd::stagnated);
    if (has_diverged(residual)) return end(PersistentEnd::diverged);
    if (m_stop == PersistentEnd::none && time_is_up) m_stop = PersistentEnd::time_limit;
    if (m_stop != PersistentEnd::none) return end(m_stop);
    return true;
  }

  /// Whether the x of the true residual just measured is the best of all cycles so far.
  KOKKOS_FUNCTION bool is_best() const { return m_true < m_kept; }
  KOKKOS_FUNCTION void keep() { m_kept = m_true; }
  /// Whether x is worse than the one that was kept; negated, for the residual may be a NaN.
  KOKKOS_FUNCTION bool takes_kept() const {
    return m_end != PersistentEnd::converged && !(m_true <= m_kept);
  }
  KOKKOS_FUNCTION void take_kept() { m_true = m_kept; }

  /// The square of the true residual's norm at the start of the cycle.
  KOKKOS_FUNCTION double residual() const { return m_true; }
  KOKKOS_FUNCTION bool meets_target(double residual) const { return residual <= m_target; }
  KOKKOS_FUNCTION int iterations() const { return m_iterations; }
  /// `scale_of_x`: what x was multiplied by.
  KOKKOS_FUNCTION PersistentOutcome outcome(double scale_of_x) const {
    return {m_end, m_iterations, m_true, m_rhs, m_reference, 1 / m_scale, scale_of_x};
  }

 protected:
  KOKKOS_FUNCTION bool end(PersistentEnd how) {
    m_end = how;
    return false;
  }
  KOKKOS_FUNCTION void fail(PersistentEnd how) {
    m_has_failed = true;
    m_failure = how;
  }
  KOKKOS_FUNCTION double relative(double residual) const {
    return m_reference > 0 ? Kokkos::sqrt(residual / m_reference) : Kokkos::sqrt(residual);
  }
  KOKKOS_FUNCTION bool has_diverged(double residual) const {
    return relative(residual) > m_divergence;
  }
  /// The residual before the window is read one iteration ahead, from memory that all lanes share:
  /// many barriers lie between its lane's writing and that.
  KOKKOS_FUNCTION bool is_slow(double residual) {
    const SlowRate& rate = m_limits.slow_rate;
    const double before = m_before_window;
    if (rate.looks_after(m_iterations + 1, m_limits.max_iterations))
      m_before_window =
          *static_cast<const volatile double*>(m_history + (m_iterations + 1 - rate.window));
    return rate.looks_after(m_iterations, m_limits.max_iterations) && m_reference > 0 &&
           rate.is_slow(residual / m_reference, before * before, m_threshold / m_reference);
  }
  KOKKOS_FUNCTION void record(double residual, bool records) const {
    if (records) m_history[m_iterations] = relative(residual);
  }

  PersistentLimits m_limits;
  double m_reduction;
  double m_scale;
  double* m_history;
  double m_rhs = 0, m_reference = 0, m_threshold = 0, m_target = 0;
  double m_divergence = 0;  ///< the relative residual that a solve must not exceed
  double m_true = 0, m_kept = 0;
  double m_before_window = 0;  ///< the relative residual that the next look compares with
  int m_iterations = 0;
  int m_breakdowns = 0;
  bool m_has_failed = false;
  bool m_believes_done = false;
  PersistentEnd m_failure = PersistentEnd::none;
  PersistentEnd m_stop = PersistentEnd::none;
  PersistentEnd m_end = PersistentEnd::none;
};

}  // namespace tessera::kernels::detail
