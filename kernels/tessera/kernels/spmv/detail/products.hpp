// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The products of every format whose rows a `sweep` sums: one epilogue each, and the checks of the
/// arguments. `sweep(exec, label, plan, A, x, epilogue)` is found by the epilogue's namespace,
/// this one.
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

/// The products of a format that has a sweep.
struct SweptProducts {
  template <class Working, class Space, class Plan, class Matrix>
  static void spmv(const Space& exec, const Plan& plan, Working alpha, const Matrix& A,
                   const ConstMultiVectorView<Working, Space>& x, Working beta,
                   const MultiVectorView<Working, Space>& y) {
    require_shape(x, "x", A.num_cols, x.extent(1));
    require_shape(y, "y", A.num_rows, x.extent(1));
    if (alpha == Working(0)) {
      scale_in_place<Working, Space>(exec, beta, y);
      return;
    }
    sweep(exec, "tessera::spmv", plan, A, x, ScaleAdd<Working>{alpha, beta, Columns<Working>(y)});
  }

  template <class Working, class Space, class Plan, class Matrix>
  static void residual(const Space& exec, const Plan& plan, const Matrix& A,
                       const ConstMultiVectorView<Working, Space>& b,
                       const ConstMultiVectorView<Working, Space>& x,
                       const MultiVectorView<Working, Space>& r) {
    require_shape(x, "x", A.num_cols, x.extent(1));
    require_shape(b, "b", A.num_rows, x.extent(1));
    require_shape(r, "r", A.num_rows, x.extent(1));
    sweep(exec, "tessera::residual", plan, A, x,
          SubtractFrom<Working>{Columns<const Working>(b), Columns<Working>(r)});
  }

  template <class Working, class Space, class Plan, class Matrix>
  static void residual_norm(const Space& exec, const Plan& plan, const Matrix& A,
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

  template <class Working, class Space, class Plan, class Matrix>
  static void jacobi_sweep(const Space& exec, const Plan& plan, const Matrix& A,
                           const ArrayView<const Working, Space>& d,
                           const ConstMultiVectorView<Working, Space>& b,
                           const ConstMultiVectorView<Working, Space>& x_in,
                           const MultiVectorView<Working, Space>& x_out) {
    require_square(A, d.extent(0));
    require_shape(x_in, "x_in", A.num_rows, x_in.extent(1));
    require_shape(b, "b", A.num_rows, x_in.extent(1));
    require_shape(x_out, "x_out", A.num_rows, x_in.extent(1));
    sweep(exec, "tessera::jacobi_sweep", plan, A, x_in,
          JacobiUpdate<Working>{d.data(), Columns<const Working>(b), Columns<const Working>(x_in),
                                Columns<Working>(x_out)});
  }

  template <class Working, class Space, class Plan, class Matrix>
  static void chebyshev_step(const Space& exec, const Plan& plan, const Matrix& A,
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
    sweep(exec, "tessera::chebyshev_step", plan, A, x_in,
          ChebyshevUpdate<Working>{d.data(), alpha, beta, Columns<const Working>(b),
                                   Columns<const Working>(x_in), Columns<Working>(p),
                                   Columns<Working>(x_out)});
  }
};

/// The products of `Matrix`, a view; formats that make some of them in another way specialise it.
template <class Matrix>
struct Products : SweptProducts {};

}  // namespace tessera::kernels::detail
