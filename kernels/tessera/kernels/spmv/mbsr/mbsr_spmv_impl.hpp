// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of the mBSR products: one update each for the shared sweep over the tile rows.
#pragma once

#include "tessera/kernels/spmv/mbsr/detail/tile_sweep.hpp"
#include "tessera/kernels/spmv/mbsr/mbsr_spmv.hpp"

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

}  // namespace detail

template <class Working, class Storage, class Space>
void spmv(const Space& exec, const MbsrSpmvPlan<Space>& plan, Working alpha,
          const MbsrView<Storage, Space>& A,
          const NonDeduced<ConstMultiVectorView<Working, Space>>& x, NonDeduced<Working> beta,
          const NonDeduced<MultiVectorView<Working, Space>>& y) {
  detail::require_shape(x, "x", A.num_cols, x.extent(1));
  detail::require_shape(y, "y", A.num_rows, x.extent(1));
  if (alpha == Working(0)) {
    detail::scale_in_place<Working, Space>(exec, beta, y);
    return;
  }
  const detail::RowUpdate<Working> update{.kind = detail::RowUpdate<Working>::Kind::scale_add,
                                          .alpha = alpha,
                                          .beta = beta,
                                          .out = detail::Columns<Working>(y)};
  detail::sweep_tiles<detail::sweeps_by_teams<Space>>(exec, "tessera::spmv", plan, A, x, update);
}

template <class Working, class Storage, class Space>
void residual(const Space& exec, const MbsrSpmvPlan<Space>& plan, const MbsrView<Storage, Space>& A,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
              const NonDeduced<MultiVectorView<Working, Space>>& r) {
  detail::require_shape(x, "x", A.num_cols, x.extent(1));
  detail::require_shape(b, "b", A.num_rows, x.extent(1));
  detail::require_shape(r, "r", A.num_rows, x.extent(1));
  detail::sweep_tiles<detail::sweeps_by_teams<Space>>(exec, "tessera::residual", plan, A, x,
                                                      detail::subtract_from<Working, Space>(b, r));
}

template <class Working, class Storage, class Space>
void residual_norm(const Space& exec, const MbsrSpmvPlan<Space>& plan,
                   const MbsrView<Storage, Space>& A,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
                   const NonDeduced<MultiVectorView<Working, Space>>& r,
                   const NonDeduced<ArrayView<double, Space>>& result) {
  detail::require_shape(x, "x", A.num_cols, x.extent(1));
  detail::require_shape(b, "b", A.num_rows, x.extent(1));
  detail::require_shape(r, "r", A.num_rows, x.extent(1));
  detail::require_result(result, x.extent(1));
  detail::sweep_tiles_and_dot<detail::sweeps_by_teams<Space>>(
      exec, "tessera::residual_norm", plan, A, x, detail::subtract_from<Working, Space>(b, r),
      ConstMultiVectorView<Working, Space>(r), ConstMultiVectorView<Working, Space>(r), result);
}

template <class Working, class Storage, class Space>
void spmv_dot(const Space& exec, const MbsrSpmvPlan<Space>& plan, const MbsrView<Storage, Space>& A,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
              const NonDeduced<MultiVectorView<Working, Space>>& y,
              const NonDeduced<ArrayView<Working, Space>>& result) {
  detail::require_square(A, A.num_rows);
  detail::require_shape(x, "x", A.num_rows, x.extent(1));
  detail::require_shape(y, "y", A.num_rows, x.extent(1));
  detail::require_result(result, x.extent(1));
  const detail::RowUpdate<Working> update{.kind = detail::RowUpdate<Working>::Kind::scale_add,
                                          .out = detail::Columns<Working>(y)};
  detail::sweep_tiles_and_dot<detail::sweeps_by_teams<Space>>(
      exec, "tessera::spmv_dot", plan, A, x, update, x, ConstMultiVectorView<Working, Space>(y),
      result);
}

template <class Working, class Storage, class Space>
void jacobi_sweep(const Space& exec, const MbsrSpmvPlan<Space>& plan,
                  const MbsrView<Storage, Space>& A,
                  const NonDeduced<ArrayView<const Working, Space>>& d,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& x_in,
                  const NonDeduced<MultiVectorView<Working, Space>>& x_out) {
  detail::require_square(A, d.extent(0));
  detail::require_shape(x_in, "x_in", A.num_rows, x_in.extent(1));
  detail::require_shape(b, "b", A.num_rows, x_in.extent(1));
  detail::require_shape(x_out, "x_out", A.num_rows, x_in.extent(1));
  const detail::RowUpdate<Working> update{.kind = detail::RowUpdate<Working>::Kind::jacobi,
                                          .d = d.data(),
                                          .b = detail::Columns<const Working>(b),
                                          .x_in = detail::Columns<const Working>(x_in),
                                          .out = detail::Columns<Working>(x_out)};
  detail::sweep_tiles<detail::sweeps_by_teams<Space>>(exec, "tessera::jacobi_sweep", plan, A, x_in,
                                                      update);
}

template <class Working, class Storage, class Space>
void chebyshev_step(const Space& exec, const MbsrSpmvPlan<Space>& plan,
                    const MbsrView<Storage, Space>& A,
                    const NonDeduced<ArrayView<const Working, Space>>& d, Working alpha,
                    NonDeduced<Working> beta,
                    const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                    const NonDeduced<ConstMultiVectorView<Working, Space>>& x_in,
                    const NonDeduced<MultiVectorView<Working, Space>>& p,
                    const NonDeduced<MultiVectorView<Working, Space>>& x_out) {
  detail::require_square(A, d.extent(0));
  detail::require_shape(x_in, "x_in", A.num_rows, x_in.extent(1));
  detail::require_shape(b, "b", A.num_rows, x_in.extent(1));
  detail::require_shape(p, "p", A.num_rows, x_in.extent(1));
  detail::require_shape(x_out, "x_out", A.num_rows, x_in.extent(1));
  const detail::RowUpdate<Working> update{.kind = detail::RowUpdate<Working>::Kind::chebyshev,
                                          .alpha = alpha,
                                          .beta = beta,
                                          .d = d.data(),
                                          .b = detail::Columns<const Working>(b),
                                          .x_in = detail::Columns<const Working>(x_in),
                                          .p = detail::Columns<Working>(p),
                                          .out = detail::Columns<Working>(x_out)};
  detail::sweep_tiles<detail::sweeps_by_teams<Space>>(exec, "tessera::chebyshev_step", plan, A,
                                                      x_in, update);
}

}  // namespace tessera::kernels

/// The products of a matrix in `Storage` with vectors of `Working`, for an instantiating source.
#define TESSERA_DETAIL_INSTANTIATE_MBSR_PRODUCTS(Storage, Working, Space)                        \
  template void spmv<Working, Storage, Space>(const Space&, const MbsrSpmvPlan<Space>&, Working, \
                                              const MbsrView<Storage, Space>&,                   \
                                              const ConstMultiVectorView<Working, Space>&,       \
                                              Working, const MultiVectorView<Working, Space>&);  \
  template void residual<Working, Storage, Space>(                                               \
      const Space&, const MbsrSpmvPlan<Space>&, const MbsrView<Storage, Space>&,                 \
      const ConstMultiVectorView<Working, Space>&, const ConstMultiVectorView<Working, Space>&,  \
      const MultiVectorView<Working, Space>&);                                                   \
  template void residual_norm<Working, Storage, Space>(                                          \
      const Space&, const MbsrSpmvPlan<Space>&, const MbsrView<Storage, Space>&,                 \
      const ConstMultiVectorView<Working, Space>&, const ConstMultiVectorView<Working, Space>&,  \
      const MultiVectorView<Working, Space>&, const ArrayView<double, Space>&);                  \
  template void spmv_dot<Working, Storage, Space>(                                               \
      const Space&, const MbsrSpmvPlan<Space>&, const MbsrView<Storage, Space>&,                 \
      const ConstMultiVectorView<Working, Space>&, const MultiVectorView<Working, Space>&,       \
      const ArrayView<Working, Space>&);                                                         \
  template void jacobi_sweep<Working, Storage, Space>(                                           \
      const Space&, const MbsrSpmvPlan<Space>&, const MbsrView<Storage, Space>&,                 \
      const ArrayView<const Working, Space>&, const ConstMultiVectorView<Working, Space>&,       \
      const ConstMultiVectorView<Working, Space>&, const MultiVectorView<Working, Space>&);      \
  template void chebyshev_step<Working, Storage, Space>(                                         \
      const Space&, const MbsrSpmvPlan<Space>&, const MbsrView<Storage, Space>&,                 \
      const ArrayView<const Working, Space>&, Working, Working,                                  \
      const ConstMultiVectorView<Working, Space>&, const ConstMultiVectorView<Working, Space>&,  \
      const MultiVectorView<Working, Space>&, const MultiVectorView<Working, Space>&);
