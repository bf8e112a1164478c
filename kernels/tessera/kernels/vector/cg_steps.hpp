// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The fused vector kernels of conjugate gradients: each one launch over all columns, with the
/// coefficients computed on the device. Letters as in Saad, Iterative Methods for Sparse Linear
/// Systems, algorithm 9.1: alpha = <r,z> / <p,q>, beta = <r,z>_new / <r,z>.
#pragma once

#include "tessera/kernels/vector/column_steps.hpp"

namespace tessera::kernels {

/// Where the iterate of least residual norm is, by the norms that the recurrence gave.
enum class CgPlace : int {
  newest = 0,  ///< x after the step alpha p
  before_step = 1,  ///< x before that step
  kept = 2  ///< in `kept`
};

/// CG's scalars, one per column.
template <class Space>
struct CgScalars {
  Array<double, Space> rz;  ///< <r, z>; 0 before the first direction
  Array<double, Space> alpha;  ///< the step last found; 0: none
  Array<double, Space> beta;
  Array<double, Space> min_norm;  ///< the least squared residual norm so far
  Array<int, Space> place;  ///< a CgPlace
  Array<int, Space> place_before;  ///< the same before the last iteration; never `before_step`

  CgScalars() = default;
  CgScalars(const Space& exec, int k)
      : rz(allocate<double>(exec, "tessera::cg::rz", k)),
        alpha(allocate<double>(exec, "tessera::cg::alpha", k)),
        beta(allocate<double>(exec, "tessera::cg::beta", k)),
        min_norm(allocate<double>(exec, "tessera::cg::min_norm", k)),
        place(allocate<int>(exec, "tessera::cg::place", k)),
        place_before(allocate<int>(exec, "tessera::cg::place_before", k)) {}
};

/// When x takes the step alpha p.
///
/// `deferred` reads p once less in an iteration, and lets the host queue an iteration before it
/// knows what the one before has done: as long as it has not gone on to the next direction, x is
/// the iterate before that iteration's step.
enum class CgStep {
  deferred,  ///< with the next direction, or in `cg_finish`
  at_once  ///< in `cg_update`: r is computed from x again
};

/// Starts all columns with ||r||^2 above their target; reports begin with their first half. Without
/// a preconditioner <r, z> = ||r||^2.
template <class Space>
void cg_start(const Space& exec, const ColumnState<Space>& columns, const CgScalars<Space>& scalars,
              const NonDeduced<ArrayView<const double, Space>>& norm, bool preconditioned);

/// What `cg_update` does at the end of a column.
enum class CgAfterUpdate {
  settle,  ///< takes the norm of r; a preconditioner follows
  settle_and_beta,  ///< takes the norm of r, and beta from it: there is no preconditioner
  leave  ///< r is replaced by another kernel, and `cg_settle` follows
};

/// alpha = <r,z> / pq; r -= alpha q; the norm of r. `pq(j)` = <p_j, q_j>, q = A p. Where `after`
/// is `leave`, also x += alpha p; else x is not touched, see CgStep. <p,q> <= 0 or NaN is an event:
/// the column's x and r stay as they are. `r_float`, where it is not empty, becomes r in float for
/// a preconditioner that works in it: where a column makes no step, it holds that already.
template <class Scalar, class Space>
void cg_update(const Space& exec, const ReductionWorkspace<Space>& workspace,
               const ColumnState<Space>& columns, const CgScalars<Space>& scalars,
               const NonDeduced<ArrayView<const Scalar, Space>>& pq,
               const NonDeduced<ConstMultiVectorView<Scalar, Space>>& p,
               const NonDeduced<ConstMultiVectorView<Scalar, Space>>& q,
               const MultiVectorView<Scalar, Space>& x,
               const NonDeduced<MultiVectorView<Scalar, Space>>& r, CgAfterUpdate after,
               const NonDeduced<MultiVectorView<float, Space>>& r_float = {});

/// Takes the norm of an r that was recomputed after `cg_update`; `after` is one of the settles.
template <class Scalar, class Space>
void cg_settle(const Space& exec, const ReductionWorkspace<Space>& workspace,
               const ColumnState<Space>& columns, const CgScalars<Space>& scalars,
               const ConstMultiVectorView<Scalar, Space>& r, CgAfterUpdate after);

/// <r,z> and beta from it, summed in double; `z` may be in float under an r in double. `flexible`:
/// Polak and Ribiere's beta = <z, r - r_old> / <r,z>_old with r - r_old = -alpha q, which tolerates
/// a preconditioner that is not quite symmetric (Notay, SIAM J. Sci. Comput. 22, 2000).
/// <r,z> <= 0 or NaN is an event.
template <class Scalar, class Preconditioned, class Space>
void cg_beta(const Space& exec, const ReductionWorkspace<Space>& workspace,
             const ColumnState<Space>& columns, const CgScalars<Space>& scalars,
             const ConstMultiVectorView<Scalar, Space>& r,
             const ConstMultiVectorView<Preconditioned, Space>& z,
             const NonDeduced<ConstMultiVectorView<Scalar, Space>>& q, bool flexible);

/// p = z + beta p in the columns that iterate; beta == 0 overwrites p. `z` may be in float under a
/// p in double. Before that, where steps are `deferred`, x += alpha p in every column. `kept`
/// becomes the iterate before the step where `place` says that it is the one of least norm.
template <class Scalar, class Preconditioned, class Space>
void cg_direction(const Space& exec, const ColumnState<Space>& columns,
                  const CgScalars<Space>& scalars, CgStep step,
                  const ConstMultiVectorView<Preconditioned, Space>& z,
                  const MultiVectorView<Scalar, Space>& p,
                  const NonDeduced<MultiVectorView<Scalar, Space>>& x,
                  const NonDeduced<MultiVectorView<Scalar, Space>>& kept);

/// Leaves in x the iterate of least norm. `one_more`: of those before the last iteration, which is
/// as if it had not been; only where steps are deferred.
template <class Scalar, class Space>
void cg_finish(const Space& exec, const CgScalars<Space>& scalars, CgStep step, bool one_more,
               const ConstMultiVectorView<Scalar, Space>& p,
               const NonDeduced<ConstMultiVectorView<Scalar, Space>>& kept,
               const NonDeduced<MultiVectorView<Scalar, Space>>& x);

}  // namespace tessera::kernels
