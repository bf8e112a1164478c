// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of the mBSR products: one update each for the shared sweep over the tile rows.
#pragma once

#include "tessera/kernels/spmv/mbsr/detail/tile_sweep.hpp"
#include "tessera/kernels/spmv/mbsr/mbsr_spmv.hpp"
#include "tessera/kernels/spmv/products_impl.hpp"

namespace tessera::kernels {
namespace detail {

/// b - A x into `r`.
template <class Working, class Space>
RowUpdate<Working> subtract_from(const ConstMultiVectorView<Working, Space>& b,
                                 const MultiVectorView<Working, Space>& r) {
  return {.kind = RowUpdate<Working>::Kind::subtract,
          .b = Columns<const Working>(b),
          .out = Columns<Working>(r)};
}

template <class Storage, class Space>
struct Products<MbsrView<Storage, Space>> {
  using Matrix = MbsrView<Storage, Space>;

  template <class Working, class>
  static void spmv(const Space& exec, const MbsrSpmvPlan<Space>& plan, Working alpha,
                   const Matrix& A, const ConstMultiVectorView<Working, Space>& x, Working beta,
                   const MultiVectorView<Working, Space>& y) {
    require_shape(x, "x", A.num_cols, x.extent(1));
    require_shape(y, "y", A.num_rows, x.extent(1));
    if (alpha == Working(0)) {
      scale_in_place<Working, Space>(exec, beta, y);
      return;
    }
    const RowUpdate<Working> update{.kind = RowUpdate<Working>::Kind::scale_add,
                                    .alpha = alpha,
                                    .beta = beta,
                                    .out = Columns<Working>(y)};
    sweep_tiles<sweeps_by_teams<Space>>(exec, "tessera::spmv", plan, A, x, update);
  }

  template <class Working, class>
  static void residual(const Space& exec, const MbsrSpmvPlan<Space>& plan, const Matrix& A,
                       const ConstMultiVectorView<Working, Space>& b,
                       const ConstMultiVectorView<Working, Space>& x,
                       const MultiVectorView<Working, Space>& r) {
    require_shape(x, "x", A.num_cols, x.extent(1));
    require_shape(b, "b", A.num_rows, x.extent(1));
    require_shape(r, "r", A.num_rows, x.extent(1));
    sweep_tiles<sweeps_by_teams<Space>>(exec, "tessera::residual", plan, A, x,
                                        subtract_from<Working, Space>(b, r));
  }

  template <class Working, class>
  static void residual_norm(const Space& exec, const MbsrSpmvPlan<Space>& plan, const Matrix& A,
                            const ConstMultiVectorView<Working, Space>& b,
                            const ConstMultiVectorView<Working, Space>& x,
                            const MultiVectorView<Working, Space>& r,
                            const ArrayView<double, Space>& result) {
    require_shape(x, "x", A.num_cols, x.extent(1));
    require_shape(b, "b", A.num_rows, x.extent(1));
    require_shape(r, "r", A.num_rows, x.extent(1));
    require_result(result, x.extent(1));
    sweep_tiles_and_dot<sweeps_by_teams<Space>>(
        exec, "tessera::residual_norm", plan, A, x, subtract_from<Working, Space>(b, r),
        ConstMultiVectorView<Working, Space>(r), ConstMultiVectorView<Working, Space>(r), result);
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
    const RowUpdate<Working> update{.kind = RowUpdate<Working>::Kind::scale_add,
                                    .out = Columns<Working>(y)};
    sweep_tiles_and_dot<sweeps_by_teams<Space>>(exec, "tessera::spmv_dot", plan, A, x, update, x,
                                                ConstMultiVectorView<Working, Space>(y), result);
  }

  template <class Working, class>
  static void jacobi_sweep(const Space& exec, const MbsrSpmvPlan<Space>& plan, const Matrix& A,
                           const ArrayView<const Working, Space>& d,
                           const ConstMultiVectorView<Working, Space>& b,
                           const ConstMultiVectorView<Working, Space>& x_in,
                           const MultiVectorView<Working, Space>& x_out) {
    require_square(A, d.extent(0));
    require_shape(x_in, "x_in", A.num_rows, x_in.extent(1));
    require_shape(b, "b", A.num_rows, x_in.extent(1));
    require_shape(x_out, "x_out", A.num_rows, x_in.extent(1));
    const RowUpdate<Working> update{.kind = RowUpdate<Working>::Kind::jacobi,
                                    .d = d.data(),
                                    .b = Columns<const Working>(b),
                                    .x_in = Columns<const Working>(x_in),
                                    .out = Columns<Working>(x_out)};
    sweep_tiles<sweeps_by_teams<Space>>(exec, "tessera::jacobi_sweep", plan, A, x_in, update);
  }

  template <class Working, class>
  static void chebyshev_step(const Space& exec, const MbsrSpmvPlan<Space>& plan, const Matrix& A,
                             const ArrayView<const Working, Space>& d, Working alpha, Working beta,
                             const ConstMultiVectorView<Working, Space>& b,
                             const ConstMultiVectorView<Working, Space>& x_in,
                             const MultiVectorView<Working, Space>& p,
                             const MultiVectorView<Working, Space>& x_out) {
    require_square(A, d.extent(0));
    require_shape(x_in, "x_in", A.num_rows, x_in.extent(1));
    require_shape(b, "b", A.num_rows, x_in.extent(1));
    require_shape(p, "p", A.num_rows, x_in.extent(1));
    require_shape(x_out, "x_out", A.num_rows, x_in.extent(1));
    const RowUpdate<Working> update{.kind = RowUpdate<Working>::Kind::chebyshev,
                                    .alpha = alpha,
                                    .beta = beta,
                                    .d = d.data(),
                                    .b = Columns<const Working>(b),
                                    .x_in = Columns<const Working>(x_in),
                                    .p = Columns<Working>(p),
                                    .out = Columns<Working>(x_out)};
    sweep_tiles<sweeps_by_teams<Space>>(exec, "tessera::chebyshev_step", plan, A, x_in, update);
  }
};

}  // namespace detail
}  // namespace tessera::kernels
