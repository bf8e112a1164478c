// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The products that also sum over their rows: in a second pass, unless a format has a way of its
/// own. `sweep(exec, label, plan, A, x, epilogue)` is found by the epilogue's namespace, this one.
#pragma once

#include "tessera/kernels/spmv/detail/column_dots.hpp"
#include "tessera/kernels/spmv/detail/epilogues.hpp"
#include "tessera/kernels/spmv/products.hpp"

namespace tessera::kernels::detail {

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

}  // namespace tessera::kernels::detail
