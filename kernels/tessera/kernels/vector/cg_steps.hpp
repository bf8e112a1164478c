// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The fused vector kernels of conjugate gradients: each one launch over all columns, with the
/// coefficients computed on the device. Letters as in Saad, Iterative Methods for Sparse Linear
/// Systems, algorithm 9.1: alpha = <r,z> / <p,q>, beta = <r,z>_new / <r,z>.
#pragma once

#include "tessera/kernels/vector/column_state.hpp"

namespace tessera::kernels {

/// CG's scalars, one a column.
template <class Space>
struct CgScalars {
  Array<double, Space> rz;  ///< <r, z>; 0 before the first direction
  Array<double, Space> alpha;  ///< the step last taken
  Array<double, Space> beta;

  CgScalars() = default;
  CgScalars(const Space& exec, int k)
      : rz(allocate<double>(exec, "tessera::cg::rz", k)),
        alpha(allocate<double>(exec, "tessera::cg::alpha", k)),
        beta(allocate<double>(exec, "tessera::cg::beta", k)) {}
};

/// Starts all columns with ||r||^2 above their target. Without a preconditioner <r, z> = ||r||^2.
template <class Space>
void cg_start(const Space& exec, const ColumnState<Space>& columns, const CgScalars<Space>& scalars,
              const NonDeduced<ArrayView<const double, Space>>& norm, bool preconditioned);

/// What `cg_update` does at the end of a column.
enum class CgAfterUpdate {
  settle,  ///< takes the norm of r; a preconditioner follows
  settle_and_beta,  ///< takes the norm of r, and beta from it: there is no preconditioner
  leave  ///< r is replaced by another kernel, and `cg_settle` follows
};

/// alpha = <r,z> / pq; x += alpha p; r -= alpha q; the norm of r. `pq(j)` = <p_j, q_j>, q = A p.
/// <p,q> <= 0 or NaN is an event: the column's x and r stay as they are.
template <class Scalar, class Space>
void cg_update(const Space& exec, const ReductionWorkspace<Space>& workspace,
               const ColumnState<Space>& columns, const CgScalars<Space>& scalars,
               const NonDeduced<ArrayView<const Scalar, Space>>& pq,
               const NonDeduced<ConstMultiVectorView<Scalar, Space>>& p,
               const NonDeduced<ConstMultiVectorView<Scalar, Space>>& q,
               const MultiVectorView<Scalar, Space>& x,
               const NonDeduced<MultiVectorView<Scalar, Space>>& r, CgAfterUpdate after);

/// Takes the norm of an r that was computed anew after `cg_update`; `after` is one of the settles.
template <class Scalar, class Space>
void cg_settle(const Space& exec, const ReductionWorkspace<Space>& workspace,
               const ColumnState<Space>& columns, const CgScalars<Space>& scalars,
               const ConstMultiVectorView<Scalar, Space>& r, CgAfterUpdate after);

/// <r,z> and beta from it. `flexible`: Polak and Ribiere's beta = <z, r - r_old> / <r,z>_old with
/// r - r_old = -alpha q, which tolerates a preconditioner that is not quite symmetric (Notay, SIAM
/// J. Sci. Comput. 22, 2000). <r,z> <= 0 or NaN is an event.
template <class Scalar, class Space>
void cg_beta(const Space& exec, const ReductionWorkspace<Space>& workspace,
             const ColumnState<Space>& columns, const CgScalars<Space>& scalars,
             const ConstMultiVectorView<Scalar, Space>& r,
             const NonDeduced<ConstMultiVectorView<Scalar, Space>>& z,
             const NonDeduced<ConstMultiVectorView<Scalar, Space>>& q, bool flexible);

/// p = z + beta p in the columns that iterate; beta == 0 overwrites p.
template <class Scalar, class Space>
void cg_direction(const Space& exec, const ColumnState<Space>& columns,
                  const CgScalars<Space>& scalars, const ConstMultiVectorView<Scalar, Space>& z,
                  const NonDeduced<MultiVectorView<Scalar, Space>>& p);

}  // namespace tessera::kernels
