// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The fused vector kernels of BiCGSTAB: each one launch over all columns, with the coefficients
/// computed on the device. Letters as in van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992).
#pragma once

#include "tessera/kernels/vector/column_steps.hpp"

namespace tessera::kernels {

/// BiCGSTAB's scalars, one per column.
template <class Space>
struct BicgstabScalars {
  Array<double, Space> rho;  ///< <shadow, r>
  Array<double, Space> alpha;  ///< the step last taken along p
  Array<double, Space> omega;  ///< the step last taken along s
  Array<double, Space> beta;
  Array<double, Space> shadow_norm;  ///< ||shadow||^2
  Array<double, Space> norm_scale;  ///< squared norms are multiplied by it before they are judged

  BicgstabScalars() = default;
  BicgstabScalars(const Space& exec, int k)
      : rho(allocate<double>(exec, "tessera::bicgstab::rho", k)),
        alpha(allocate<double>(exec, "tessera::bicgstab::alpha", k)),
        omega(allocate<double>(exec, "tessera::bicgstab::omega", k)),
        beta(allocate<double>(exec, "tessera::bicgstab::beta", k)),
        shadow_norm(allocate<double>(exec, "tessera::bicgstab::shadow_norm", k)),
        norm_scale(allocate<double>(exec, "tessera::bicgstab::norm_scale", k)) {}
};

/// shadow = p = r; starts all columns whose `norm(j)`, the squared norm of the true residual, is
/// above their target. `r` may be the preconditioned residual: norms of later r are scaled by
/// norm(j) / ||r_j||^2.
template <class Scalar, class Space>
void bicgstab_start(const Space& exec, const ReductionWorkspace<Space>& workspace,
                    const ColumnState<Space>& columns, const BicgstabScalars<Space>& scalars,
                    const NonDeduced<ArrayView<const double, Space>>& norm,
                    const ConstMultiVectorView<Scalar, Space>& r,
                    const NonDeduced<MultiVectorView<Scalar, Space>>& shadow,
                    const NonDeduced<MultiVectorView<Scalar, Space>>& p);

/// alpha = rho / <shadow, v>. A zero divisor or a NaN is an event.
template <class Scalar, class Space>
void bicgstab_alpha(const Space& exec, const ReductionWorkspace<Space>& workspace,
                    const ColumnState<Space>& columns, const BicgstabScalars<Space>& scalars,
                    const ConstMultiVectorView<Scalar, Space>& shadow,
                    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& v);

/// s = r - alpha v, written over r.
template <class Scalar, class Space>
void bicgstab_half_step(const Space& exec, const ColumnState<Space>& columns,
                        const BicgstabScalars<Space>& scalars,
                        const ConstMultiVectorView<Scalar, Space>& v,
                        const NonDeduced<MultiVectorView<Scalar, Space>>& r);

/// omega = <t, s> / <t, t>; 0 where t = 0.
template <class Scalar, class Space>
void bicgstab_omega(const Space& exec, const ReductionWorkspace<Space>& workspace,
                    const ColumnState<Space>& columns, const BicgstabScalars<Space>& scalars,
                    const ConstMultiVectorView<Scalar, Space>& t,
                    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& s);

/// x += alpha p_hat + omega s_hat; r = s - omega t, where r holds s; the norm of r; the next rho
/// and beta. omega = 0 or a rho that is rounding error alone is an event. `settle` false: r is
/// replaced by another kernel, and `bicgstab_settle` follows.
template <class Scalar, class Space>
void bicgstab_update(const Space& exec, const ReductionWorkspace<Space>& workspace,
                     const ColumnState<Space>& columns, const BicgstabScalars<Space>& scalars,
                     const NonDeduced<ConstMultiVectorView<Scalar, Space>>& shadow,
                     const NonDeduced<ConstMultiVectorView<Scalar, Space>>& p_hat,
                     const NonDeduced<ConstMultiVectorView<Scalar, Space>>& s_hat,
                     const NonDeduced<ConstMultiVectorView<Scalar, Space>>& t,
                     const MultiVectorView<Scalar, Space>& x,
                     const NonDeduced<MultiVectorView<Scalar, Space>>& r, bool settle);

/// The norm, rho and beta of an r that was recomputed after `bicgstab_update`.
template <class Scalar, class Space>
void bicgstab_settle(const Space& exec, const ReductionWorkspace<Space>& workspace,
                     const ColumnState<Space>& columns, const BicgstabScalars<Space>& scalars,
                     const ConstMultiVectorView<Scalar, Space>& shadow,
                     const NonDeduced<ConstMultiVectorView<Scalar, Space>>& r);

/// p = r + beta (p - omega v) in the columns that iterate.
template <class Scalar, class Space>
void bicgstab_direction(const Space& exec, const ColumnState<Space>& columns,
                        const BicgstabScalars<Space>& scalars,
                        const ConstMultiVectorView<Scalar, Space>& r,
                        const NonDeduced<ConstMultiVectorView<Scalar, Space>>& v,
                        const NonDeduced<MultiVectorView<Scalar, Space>>& p);

}  // namespace tessera::kernels
