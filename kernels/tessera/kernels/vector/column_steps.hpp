// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Steps along a direction in the columns that iterate, and back.
#pragma once

#include "tessera/kernels/vector/column_state.hpp"

namespace tessera::kernels {

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
