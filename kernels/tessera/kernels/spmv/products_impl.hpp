// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of the products. `Products` of the format, and the sweep over its rows, are included
/// beside.
#pragma once

#include "tessera/kernels/spmv/detail/products.hpp"
#include "tessera/kernels/spmv/products.hpp"

namespace tessera::kernels {

template <class Working, class Matrix, class Space>
void spmv(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan, Working alpha,
          const Matrix& A, const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
          NonDeduced<Working> beta, const NonDeduced<MultiVectorView<Working, Space>>& y) {
  detail::Products<Matrix>::template spmv<Working, Space>(exec, plan, alpha, A, x, beta, y);
}

template <class Working, class Matrix, class Space>
void residual(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan, const Matrix& A,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
              const NonDeduced<MultiVectorView<Working, Space>>& r) {
  detail::Products<Matrix>::template residual<Working, Space>(exec, plan, A, b, x, r);
}

template <class Working, class Matrix, class Space>
void residual_norm(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan, const Matrix& A,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
                   const NonDeduced<MultiVectorView<Working, Space>>& r,
                   const NonDeduced<ArrayView<double, Space>>& result) {
  detail::Products<Matrix>::template residual_norm<Working, Space>(exec, plan, A, b, x, r, result);
}

template <class Working, class Matrix, class Space>
void spmv_dot(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan, const Matrix& A,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
              const NonDeduced<MultiVectorView<Working, Space>>& y,
              const NonDeduced<ArrayView<Working, Space>>& result) {
  detail::Products<Matrix>::template spmv_dot<Working, Space>(exec, plan, A, x, y, result);
}

template <class Working, class Matrix, class Space>
void jacobi_sweep(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan, const Matrix& A,
                  const NonDeduced<ArrayView<const Working, Space>>& d,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& x_in,
                  const NonDeduced<MultiVectorView<Working, Space>>& x_out) {
  detail::Products<Matrix>::template jacobi_sweep<Working, Space>(exec, plan, A, d, b, x_in, x_out);
}

template <class Working, class Matrix, class Space>
void chebyshev_step(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan, const Matrix& A,
                    const NonDeduced<ArrayView<const Working, Space>>& d, Working alpha,
                    NonDeduced<Working> beta,
                    const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                    const NonDeduced<ConstMultiVectorView<Working, Space>>& x_in,
                    const NonDeduced<MultiVectorView<Working, Space>>& p,
                    const NonDeduced<MultiVectorView<Working, Space>>& x_out) {
  detail::Products<Matrix>::template chebyshev_step<Working, Space>(exec, plan, A, d, alpha, beta,
                                                                    b, x_in, p, x_out);
}

}  // namespace tessera::kernels

// One product of a matrix view, __VA_ARGS__, for an instantiating source.
#define TESSERA_DETAIL_SPMV(Working, Space, ...)                                  \
  template void spmv<Working, __VA_ARGS__, Space>(                                \
      const Space&, const ProductPlan<__VA_ARGS__>&, Working, const __VA_ARGS__&, \
      const ConstMultiVectorView<Working, Space>&, Working,                       \
      const MultiVectorView<Working, Space>&);
#define TESSERA_DETAIL_RESIDUAL(Working, Space, ...)                                            \
  template void residual<Working, __VA_ARGS__, Space>(                                          \
      const Space&, const ProductPlan<__VA_ARGS__>&, const __VA_ARGS__&,                        \
      const ConstMultiVectorView<Working, Space>&, const ConstMultiVectorView<Working, Space>&, \
      const MultiVectorView<Working, Space>&);
#define TESSERA_DETAIL_RESIDUAL_NORM(Working, Space, ...)                                       \
  template void residual_norm<Working, __VA_ARGS__, Space>(                                     \
      const Space&, const ProductPlan<__VA_ARGS__>&, const __VA_ARGS__&,                        \
      const ConstMultiVectorView<Working, Space>&, const ConstMultiVectorView<Working, Space>&, \
      const MultiVectorView<Working, Space>&, const ArrayView<double, Space>&);
#define TESSERA_DETAIL_SPMV_DOT(Working, Space, ...)                                       \
  template void spmv_dot<Working, __VA_ARGS__, Space>(                                     \
      const Space&, const ProductPlan<__VA_ARGS__>&, const __VA_ARGS__&,                   \
      const ConstMultiVectorView<Working, Space>&, const MultiVectorView<Working, Space>&, \
      const ArrayView<Working, Space>&);
#define TESSERA_DETAIL_JACOBI_SWEEP(Working, Space, ...)                                   \
  template void jacobi_sweep<Working, __VA_ARGS__, Space>(                                 \
      const Space&, const ProductPlan<__VA_ARGS__>&, const __VA_ARGS__&,                   \
      const ArrayView<const Working, Space>&, const ConstMultiVectorView<Working, Space>&, \
      const ConstMultiVectorView<Working, Space>&, const MultiVectorView<Working, Space>&);
#define TESSERA_DETAIL_CHEBYSHEV_STEP(Working, Space, ...)                                      \
  template void chebyshev_step<Working, __VA_ARGS__, Space>(                                    \
      const Space&, const ProductPlan<__VA_ARGS__>&, const __VA_ARGS__&,                        \
      const ArrayView<const Working, Space>&, Working, Working,                                 \
      const ConstMultiVectorView<Working, Space>&, const ConstMultiVectorView<Working, Space>&, \
      const MultiVectorView<Working, Space>&, const MultiVectorView<Working, Space>&);

/// All products of `View` in the space, beside vectors of `Working`.
#define TESSERA_DETAIL_INSTANTIATE_PRODUCTS(View, Storage, Working, Space) \
  TESSERA_DETAIL_SPMV(Working, Space, View<Storage, Space>)                \
  TESSERA_DETAIL_RESIDUAL(Working, Space, View<Storage, Space>)            \
  TESSERA_DETAIL_RESIDUAL_NORM(Working, Space, View<Storage, Space>)       \
  TESSERA_DETAIL_SPMV_DOT(Working, Space, View<Storage, Space>)            \
  TESSERA_DETAIL_JACOBI_SWEEP(Working, Space, View<Storage, Space>)        \
  TESSERA_DETAIL_CHEBYSHEV_STEP(Working, Space, View<Storage, Space>)
