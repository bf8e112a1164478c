// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The residual, restricted to the next level, in mBSR.
#pragma once

#include "tessera/kernels/spmv/mbsr/mbsr_spmv.hpp"

namespace tessera::kernels {

/// r = b - A x and r_coarse = R r: what a cycle hands to the next level. A and R may be stored in
/// different scalars. b and r: num_rows of A by k; x: num_cols of A by k; r_coarse: num_rows of R
/// by k. `r` may be `b`, and is the caller's to keep, rounded to `Working` as `residual` does it;
/// r_coarse overlaps none of them.
///
/// Both matrices are read once, and r is written once and read once: two launches, of which the
/// second finds r in the last-level cache where it fits there. `restrict_residual` of csr_spmv.hpp
/// says why neither a recomputation of r's rows nor a scatter is better; tiles make the former
/// dearer still, for a tile of A serves four rows of r.
template <class Working, class StorageA, class StorageR, class Space>
void restrict_residual(const Space& exec, const MbsrSpmvPlan<Space>& plan_A,
                       const MbsrView<StorageA, Space>& A, const MbsrSpmvPlan<Space>& plan_R,
                       const MbsrView<StorageR, Space>& R,
                       const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                       const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
                       const NonDeduced<MultiVectorView<Working, Space>>& r,
                       const NonDeduced<MultiVectorView<Working, Space>>& r_coarse) {
  residual<Working>(exec, plan_A, A, b, x, r);
  spmv<Working>(exec, plan_R, Working(1), R, ConstMultiVectorView<Working, Space>(r), Working(0),
                r_coarse);
}

}  // namespace tessera::kernels
