// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of the products: the checks of a verb's arguments, and its epilogue. The format's
/// sweep over the rows, which is found by the epilogue's namespace, is included beside. Products
/// that also sum over their rows do so in a second pass, unless a format has a way of its own.
#pragma once

#include "tessera/kernels/spmv/detail/column_dots.hpp"
#include "tessera/kernels/spmv/detail/epilogues.hpp"
#include "tessera/kernels/spmv/products.hpp"

namespace tessera::kernels {
namespace detail {

/// Calls `residual`, an epilogue, and sums the squares of what it stored in r in a second pass;
/// formats whose rows a thread of a host sums whole have their own.
template <class Working, class Space, class Plan, class Matrix>
void sweep_and_norm(const Space& exec, const std::string& label, const Plan& plan, const Matrix& A,
                    const ConstMultiVectorView<Working, Space>& x,
                    const SubtractFrom<Working>& residual,
                    const ConstMultiVectorView<Working, Space>& r,
                    const ArrayView<double, Space>& result) {
  sweep(exec, label, plan, A, x, residual);
  dot_columns<Working, Space>(exec, r, r, result, label);
}

/// Those of a format that has a sweep.
struct ProductsInTwoPasses {
  template <class Working, class Space, class Plan, class Matrix>
  static void spmv_residual_norm(const Space& exec, const Plan& plan, const Matrix& A,
                                 const ConstMultiVectorView<Working, Space>& b,
                                 const ConstMultiVectorView<Working, Space>& x,
                                 const MultiVectorView<Working, Space>& r,
                                 const ArrayView<double, Space>& result) {
    require_shape(x, "x", A.num_cols, x.extent(1));
    require_shape(b, "b", A.num_rows, x.extent(1));
    require_shape(r, "r", A.num_rows, x.extent(1));
    require_result(result, x.extent(1));
    sweep_and_norm(exec, "tessera::residual_norm", plan, A, x,
                   SubtractFrom<Working>{Columns<const Working>(b), Columns<Working>(r)},
                   ConstMultiVectorView<Working, Space>(r), result);
  }

  /// The product is the public `spmv`, so that its kernels exist once.
  template <class Working, class Space, class Plan, class Matrix>
  static void spmv_dot(const Space& exec, const Plan& plan, const Matrix& A,
                       const ConstMultiVectorView<Working, Space>& x,
                       const MultiVectorView<Working, Space>& y,
                       const ArrayView<Working, Space>& result) {
    require_square(A, A.num_rows);
    require_result(result, x.extent(1));
    if (A.num_rows == 0) {
      Kokkos::deep_copy(exec, result, Working(0));
      return;
    }
    kernels::spmv(exec, plan, Working(1), A, x, Working(0), y);
    dot_columns<Working, Space>(exec, x, y, result);
  }
};

/// Those of `Matrix`, a view; formats that make them in another way specialise it.
template <class Matrix>
struct FusedProducts : ProductsInTwoPasses {};

}  // namespace detail

template <class Working, class Matrix, class Space>
void spmv(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan, Working alpha,
          const Matrix& A, const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
          NonDeduced<Working> beta, const NonDeduced<MultiVectorView<Working, Space>>& y) {
  detail::require_shape(x, "x", A.num_cols, x.extent(1));
  detail::require_shape(y, "y", A.num_rows, x.extent(1));
  if (alpha == Working(0)) {
    detail::scale_in_place<Working, Space>(exec, beta, y);
    return;
  }
  sweep(exec, "tessera::spmv", plan, A, x,
        detail::ScaleAdd<Working>{alpha, beta, detail::Columns<Working>(y)});
}

template <class Working, class Matrix, class Space>
void spmv_residual(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan, const Matrix& A,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
                   const NonDeduced<MultiVectorView<Working, Space>>& r) {
  detail::require_shape(x, "x", A.num_cols, x.extent(1));
  detail::require_shape(b, "b", A.num_rows, x.extent(1));
  detail::require_shape(r, "r", A.num_rows, x.extent(1));
  sweep(exec, "tessera::residual", plan, A, x,
        detail::SubtractFrom<Working>{detail::Columns<const Working>(b),
                                      detail::Columns<Working>(r)});
}

template <class Working, class Matrix, class Space>
void spmv_residual_norm(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan,
                        const Matrix& A, const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                        const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
                        const NonDeduced<MultiVectorView<Working, Space>>& r,
                        const NonDeduced<ArrayView<double, Space>>& result) {
  detail::FusedProducts<Matrix>::template spmv_residual_norm<Working, Space>(exec, plan, A, b, x, r,
                                                                             result);
}

template <class Working, class Matrix, class Space>
void spmv_dot(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan, const Matrix& A,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
              const NonDeduced<MultiVectorView<Working, Space>>& y,
              const NonDeduced<ArrayView<Working, Space>>& result) {
  detail::FusedProducts<Matrix>::template spmv_dot<Working, Space>(exec, plan, A, x, y, result);
}

template <class Working, class Matrix, class Space>
void jacobi_sweep(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan, const Matrix& A,
                  const NonDeduced<ArrayView<const Working, Space>>& d,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& x_in,
                  const NonDeduced<MultiVectorView<Working, Space>>& x_out) {
  detail::require_square(A, d.extent(0));
  detail::require_shape(x_in, "x_in", A.num_rows, x_in.extent(1));
  detail::require_shape(b, "b", A.num_rows, x_in.extent(1));
  detail::require_shape(x_out, "x_out", A.num_rows, x_in.extent(1));
  sweep(exec, "tessera::jacobi_sweep", plan, A, x_in,
        detail::JacobiUpdate<Working>{d.data(), detail::Columns<const Working>(b),
                                      detail::Columns<const Working>(x_in),
                                      detail::Columns<Working>(x_out)});
}

template <class Working, class Matrix, class Space>
void chebyshev_step(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan, const Matrix& A,
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
  sweep(exec, "tessera::chebyshev_step", plan, A, x_in,
        detail::ChebyshevUpdate<Working>{d.data(), alpha, beta, detail::Columns<const Working>(b),
                                         detail::Columns<const Working>(x_in),
                                         detail::Columns<Working>(p),
                                         detail::Columns<Working>(x_out)});
}

}  // namespace tessera::kernels

// One product of a matrix view, __VA_ARGS__, for an instantiating source.
#define TESSERA_DETAIL_SPMV(Working, Space, ...)                                  \
  template void spmv<Working, __VA_ARGS__, Space>(                                \
      const Space&, const ProductPlan<__VA_ARGS__>&, Working, const __VA_ARGS__&, \
      const ConstMultiVectorView<Working, Space>&, Working,                       \
      const MultiVectorView<Working, Space>&);
#define TESSERA_DETAIL_RESIDUAL(Working, Space, ...)                                            \
  template void spmv_residual<Working, __VA_ARGS__, Space>(                                     \
      const Space&, const ProductPlan<__VA_ARGS__>&, const __VA_ARGS__&,                        \
      const ConstMultiVectorView<Working, Space>&, const ConstMultiVectorView<Working, Space>&, \
      const MultiVectorView<Working, Space>&);
#define TESSERA_DETAIL_RESIDUAL_NORM(Working, Space, ...)                                       \
  template void spmv_residual_norm<Working, __VA_ARGS__, Space>(                                \
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
