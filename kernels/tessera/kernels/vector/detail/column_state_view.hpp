// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How the fused kernels read and write a ColumnState.
#pragma once

#include "tessera/kernels/vector/column_steps.hpp"

namespace tessera::kernels::detail {

/// The parts of a ColumnState, unmanaged, as a functor holds them.
template <class Space>
struct ColumnStateView {
  ArrayView<const double, Space> target;
  ArrayView<int, Space> active;
  ArrayView<int, Space> event;
  ArrayView<int, Space> turn;
  ReportView<double, Space> norm_report;
  ReportView<int, Space> event_report;

  explicit ColumnStateView(const ColumnState<Space>& state)
      : target(state.target),
        active(state.active),
        event(state.event),
        turn(state.turn),
        norm_report(state.norm_report),
        event_report(state.event_report) {}

  KOKKOS_FUNCTION bool iterates(int j) const {
    return active(j) != 0 && event(j) == static_cast<int>(ColumnEvent::none);
  }
  /// Notes the first event of a column that iterates.
  KOKKOS_FUNCTION void note(int j, ColumnEvent what) const {
    if (iterates(j)) {
      event(j) = static_cast<int>(what);
    }
  }
  /// Takes the residual's squared norm after an iteration: is the column done?
  KOKKOS_FUNCTION void settle(int j, double norm) const {
    if (!Kokkos::isfinite(norm)) {
      note(j, ColumnEvent::not_a_number);
    }
    active(j) = norm > target(j) ? 1 : 0;
    const int place = turn(j) * static_cast<int>(active.extent(0)) + j;
    norm_report(place) = norm;
    event_report(place) = event(j);
  }
  /// The next report goes to the other half.
  KOKKOS_FUNCTION void take_turns(int j) const { turn(j) = 1 - turn(j); }
};

/// numerator / denominator as `Scalar`, or 0 and the event that forbids it.
template <class Scalar>
struct ColumnQuotient {
  double value = 0;
  ColumnEvent event = ColumnEvent::none;

  KOKKOS_FUNCTION static ColumnQuotient of(double numerator, double denominator) {
    if (!Kokkos::isfinite(numerator) || !Kokkos::isfinite(denominator)) {
      return {0, ColumnEvent::not_a_number};
    }
    const Scalar quotient = static_cast<Scalar>(numerator / denominator);
    if (denominator == 0 || !Kokkos::isfinite(quotient)) {
      return {0, ColumnEvent::breakdown};
    }
    return {static_cast<double>(quotient), ColumnEvent::none};
  }
};

}  // namespace tessera::kernels::detail
