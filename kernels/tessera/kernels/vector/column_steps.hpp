// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the fused solver kernels keep for each right-hand side, on the device, and the steps that
/// all methods share.
#pragma once

#include "tessera/kernels/vector/reductions.hpp"

namespace tessera::kernels {

/// What may go wrong in one column; the kernels note it, but for `stopped`, and leave the column's
/// iterate alone from then on.
enum class ColumnEvent : int {
  none = 0,
  breakdown = 1,  ///< a divisor is zero, or has a sign that the method excludes
  not_a_number = 2,  ///< a scalar is NaN or infinite
  stopped = 3  ///< the host has seen that the column fails
};

/// Whether each column still iterates, and what the host reads after each iteration. A column that
/// does not iterate keeps its x and r: its coefficients are zero and its directions are not read.
template <class Space>
struct ColumnState {
  Array<double, Space> target;  ///< squared residual norm at which a column is done
  Array<int, Space> active;  ///< 1 while the column iterates
  Array<int, Space> event;  ///< a ColumnEvent; anything but none stops the column
  /// Which half of the reports an iteration writes, 0 or 1. A method whose next iteration is queued
  /// before the host has read the last one's report changes it in turn; for others it stays 0.
  Array<int, Space> turn;
  Report<double, Space> norm_report;  ///< squared residual norm after the iteration; 2 k
  Report<int, Space> event_report;  ///< `event` after the iteration; 2 k

  ColumnState() = default;
  ColumnState(const Space& exec, int k)
      : target(allocate<double>(exec, "tessera::solver::target", k)),
        active(allocate<int>(exec, "tessera::solver::active", k)),
        event(allocate<int>(exec, "tessera::solver::event", k)),
        turn(Kokkos::view_alloc(exec, "tessera::solver::turn"), k),
        norm_report(allocate_report<double>(exec, "tessera::solver::norm_report", 2 * k)),
        event_report(allocate_report<int>(exec, "tessera::solver::event_report", 2 * k)) {}
};

/// Starts all columns whose squared norm is above their target.
template <class Space>
void start_columns(const Space& exec, const ColumnState<Space>& columns,
                   const NonDeduced<ArrayView<const double, Space>>& norm);

/// Takes the norm of r after an iteration.
template <class Scalar, class Space>
void settle_columns(const Space& exec, const ReductionWorkspace<Space>& workspace,
                    const ColumnState<Space>& columns,
                    const ConstMultiVectorView<Scalar, Space>& r);

/// y = x + omega z in the columns that iterate, y = x in the others.
template <class Scalar, class Space>
void step_columns(const Space& exec, const ColumnState<Space>& columns, double omega,
                  const ConstMultiVectorView<Scalar, Space>& x,
                  const NonDeduced<ConstMultiVectorView<Scalar, Space>>& z,
                  const NonDeduced<MultiVectorView<Scalar, Space>>& y);

/// y_j = x_j - alpha(j) u_j: back to the iterate before a step. `alpha(j) == 0` does not read u_j;
/// `y` may be `x`.
template <class Scalar, class Space>
void step_back(const Space& exec, const ConstMultiVectorView<Scalar, Space>& x,
               const NonDeduced<ArrayView<const double, Space>>& alpha,
               const NonDeduced<ConstMultiVectorView<Scalar, Space>>& u,
               const NonDeduced<MultiVectorView<Scalar, Space>>& y);

}  // namespace tessera::kernels
