// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of the mBSR products: the sweep over the tile rows, and what it does in one pass.
#pragma once

#include "tessera/kernels/spmv/mbsr/detail/tile_sweep.hpp"
#include "tessera/kernels/spmv/mbsr/mbsr_format.hpp"
#include "tessera/kernels/spmv/products_impl.hpp"

namespace tessera::kernels {
namespace detail {

template <class Storage, class Space>
struct FusedProducts<MbsrView<Storage, Space>> {
  using Matrix = MbsrView<Storage, Space>;

  template <class Working, class>
  static void spmv_residual_norm(const Space& exec, const MbsrSpmvPlan<Space>& plan,
                                 const Matrix& A, const ConstMultiVectorView<Working, Space>& b,
                                 const ConstMultiVectorView<Working, Space>& x,
                                 const MultiVectorView<Working, Space>& r,
                                 const ArrayView<double, Space>& result) {
    require_shape(x, "x", A.num_cols, x.extent(1));
    require_shape(b, "b", A.num_rows, x.extent(1));
    require_shape(r, "r", A.num_rows, x.extent(1));
    require_result(result, x.extent(1));
    const SubtractFrom<Working> subtract{Columns<const Working>(b), Columns<Working>(r)};
    sweep_and_dot<sweeps_by_teams<Space>, Storage, Working, Space>(
        exec, "tessera::residual_norm", plan, A, x, subtract, r, r, result);
  }

  template <class Working, class>
  static void spmv_dot(const Space& exec, const MbsrSpmvPlan<Space>& plan, const Matrix& A,
                       const ConstMultiVectorView<Working, Space>& x,
                       const MultiVectorView<Working, Space>& y,
                       const ArrayView<Working, Space>& result) {
    require_square(A, A.num_rows);
    require_shape(x, "x", A.num_rows, x.extent(1));
    require_shape(y, "y", A.num_rows, x.extent(1));
    require_result(result, x.extent(1));
    const ScaleAdd<Working> overwrite{Working(1), Working(0), Columns<Working>(y)};
    sweep_and_dot<sweeps_by_teams<Space>, Storage, Working, Space>(exec, "tessera::spmv_dot", plan,
                                                                   A, x, overwrite, x, y, result);
  }
};

}  // namespace detail
}  // namespace tessera::kernels
