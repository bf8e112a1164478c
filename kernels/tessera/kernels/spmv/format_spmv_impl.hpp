// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of the products of COO, ELL and HYB; the format's own sweep is included beside.
#pragma once

#include "tessera/kernels/spmv/detail/products.hpp"
#include "tessera/kernels/spmv/format_spmv.hpp"

namespace tessera::kernels {

template <class Working, class Matrix, class Space>
void spmv(const NonDeduced<Space>& exec, const FormatPlan<Matrix>& plan, Working alpha,
          const Matrix& A, const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
          NonDeduced<Working> beta, const NonDeduced<MultiVectorView<Working, Space>>& y) {
  detail::sweep_spmv<Working, Space>(exec, plan, alpha, A, x, beta, y);
}

template <class Working, class Matrix, class Space>
void residual(const NonDeduced<Space>& exec, const FormatPlan<Matrix>& plan, const Matrix& A,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
              const NonDeduced<MultiVectorView<Working, Space>>& r) {
  detail::sweep_residual<Working, Space>(exec, plan, A, b, x, r);
}

template <class Working, class Matrix, class Space>
void residual_norm(const NonDeduced<Space>& exec, const FormatPlan<Matrix>& plan, const Matrix& A,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
                   const NonDeduced<MultiVectorView<Working, Space>>& r,
                   const NonDeduced<ArrayView<double, Space>>& result) {
  detail::sweep_residual_norm<Working, Space>(exec, plan, A, b, x, r, result);
}

template <class Working, class Matrix, class Space>
void spmv_dot(const NonDeduced<Space>& exec, const FormatPlan<Matrix>& plan, const Matrix& A,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
              const NonDeduced<MultiVectorView<Working, Space>>& y,
              const NonDeduced<ArrayView<Working, Space>>& result) {
  detail::sweep_spmv_dot<Working, Space>(exec, plan, A, x, y, result);
}

template <class Working, class Matrix, class Space>
void jacobi_sweep(const NonDeduced<Space>& exec, const FormatPlan<Matrix>& plan, const Matrix& A,
                  const NonDeduced<ArrayView<const Working, Space>>& d,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& x_in,
                  const NonDeduced<MultiVectorView<Working, Space>>& x_out) {
  detail::sweep_jacobi<Working, Space>(exec, plan, A, d, b, x_in, x_out);
}

template <class Working, class Matrix, class Space>
void chebyshev_step(const NonDeduced<Space>& exec, const FormatPlan<Matrix>& plan, const Matrix& A,
                    const NonDeduced<ArrayView<const Working, Space>>& d, Working alpha,
                    NonDeduced<Working> beta,
                    const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                    const NonDeduced<ConstMultiVectorView<Working, Space>>& x_in,
                    const NonDeduced<MultiVectorView<Working, Space>>& p,
                    const NonDeduced<MultiVectorView<Working, Space>>& x_out) {
  detail::sweep_chebyshev<Working, Space>(exec, plan, A, d, alpha, beta, b, x_in, p, x_out);
}

}  // namespace tessera::kernels

/// The products of `View` in the space, beside vectors of `Working`, for an instantiating source.
#define TESSERA_DETAIL_INSTANTIATE_PRODUCTS(View, Storage, Working, Space)                         \
  template void spmv<Working, View<Storage, Space>, Space>(                                        \
      const Space&, const FormatPlan<View<Storage, Space>>&, Working, const View<Storage, Space>&, \
      const ConstMultiVectorView<Working, Space>&, Working,                                        \
      const MultiVectorView<Working, Space>&);                                                     \
  template void residual<Working, View<Storage, Space>, Space>(                                    \
      const Space&, const FormatPlan<View<Storage, Space>>&, const View<Storage, Space>&,          \
      const ConstMultiVectorView<Working, Space>&, const ConstMultiVectorView<Working, Space>&,    \
      const MultiVectorView<Working, Space>&);                                                     \
  template void residual_norm<Working, View<Storage, Space>, Space>(                               \
      const Space&, const FormatPlan<View<Storage, Space>>&, const View<Storage, Space>&,          \
      const ConstMultiVectorView<Working, Space>&, const ConstMultiVectorView<Working, Space>&,    \
      const MultiVectorView<Working, Space>&, const ArrayView<double, Space>&);                    \
  template void spmv_dot<Working, View<Storage, Space>, Space>(                                    \
      const Space&, const FormatPlan<View<Storage, Space>>&, const View<Storage, Space>&,          \
      const ConstMultiVectorView<Working, Space>&, const MultiVectorView<Working, Space>&,         \
      const ArrayView<Working, Space>&);                                                           \
  template void jacobi_sweep<Working, View<Storage, Space>, Space>(                                \
      const Space&, const FormatPlan<View<Storage, Space>>&, const View<Storage, Space>&,          \
      const ArrayView<const Working, Space>&, const ConstMultiVectorView<Working, Space>&,         \
      const ConstMultiVectorView<Working, Space>&, const MultiVectorView<Working, Space>&);        \
  template void chebyshev_step<Working, View<Storage, Space>, Space>(                              \
      const Space&, const FormatPlan<View<Storage, Space>>&, const View<Storage, Space>&,          \
      const ArrayView<const Working, Space>&, Working, Working,                                    \
      const ConstMultiVectorView<Working, Space>&, const ConstMultiVectorView<Working, Space>&,    \
      const MultiVectorView<Working, Space>&, const MultiVectorView<Working, Space>&);
