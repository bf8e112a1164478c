// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The products of a sparse matrix with vectors: every verb, for every format.
///
/// A format is a view (CsrView, MbsrView, EllView, HybView, CooView) and a plan, which
/// `analyse_spmv(exec, A)` makes once for a pattern; what a plan holds, and which kernels there are
/// to choose from, stands in the format's own header beside. Each verb takes `exec`, the plan and
/// the view, and reads the matrix once for a group of columns. `Working` is the vectors' scalar: it
/// is deduced from `alpha`, or given, as in `spmv_residual<double>(exec, plan, A, b, x, r)`, and
/// may be left out for a matrix in compressed rows of the same scalar. Matrix values of another
/// scalar are converted as they are read; sums are carried in Arithmetic<Storage, Working>.
///
/// Vectors are columns side by side, k of them: x has num_cols rows, y, b, r, p and d num_rows.
/// Arguments of other shapes, and a plan of another pattern, are an `Error` (precondition). Sums
/// are taken in an order that the plan and k fix: the same input gives the same bits, on a host
/// with any number of threads. Nothing is allocated, and nothing is waited for.
#pragma once

#include "tessera/kernels/spmv/storage_formats.hpp"

namespace tessera::kernels {

/// The plan of the products of `Matrix`, a view.
template <class Matrix>
using ProductPlan = typename detail::PlanOf<Matrix>::type;

/// That `Matrix` is a view of a format that has products.
template <class Matrix>
concept HasProducts = requires { typename ProductPlan<Matrix>; };

/// y = alpha A x + beta y. beta == 0 overwrites y, NaN included; alpha == 0 does not read x. A
/// column of x that no entry has is not read, except by tiles.
template <class Working, class Matrix, class Space = typename Matrix::execution_space>
void spmv(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan, Working alpha,
          const Matrix& A, const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
          NonDeduced<Working> beta, const NonDeduced<MultiVectorView<Working, Space>>& y);

/// r = b - A x. r may be b.
template <class Working, class Matrix, class Space = typename Matrix::execution_space>
void spmv_residual(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan, const Matrix& A,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
                   const NonDeduced<MultiVectorView<Working, Space>>& r);

/// r = b - A x and result(j) = <r_j, r_j>, the square of the 2-norm, on the device and summed in
/// double; result: k. r may be b. On a host CSR, ELL and HYB do it in one pass, unless a plan is
/// load-balanced, and so do tiles; COO, whose shares of entries end within rows, and devices read r
/// once more.
template <class Working, class Matrix, class Space = typename Matrix::execution_space>
void spmv_residual_norm(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan,
                        const Matrix& A, const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                        const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
                        const NonDeduced<MultiVectorView<Working, Space>>& r,
                        const NonDeduced<ArrayView<double, Space>>& result);

/// y = A x and result(j) = <x_j, y_j> on the device; result: k. On a host CSR of one scalar, unless
/// its plan is load-balanced, and tiles do it in one pass, and so does a staged plan of CSR for one
/// vector; others, and devices, read x and y once more. A is square.
template <class Working, class Matrix, class Space = typename Matrix::execution_space>
void spmv_dot(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan, const Matrix& A,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
              const NonDeduced<MultiVectorView<Working, Space>>& y,
              const NonDeduced<ArrayView<Working, Space>>& result);

/// One damped Jacobi sweep, x_out = x_in + d .* (b - A x_in), where d (length num_rows) holds the
/// damping over the diagonal. x_in and x_out do not overlap. A is square.
template <class Working, class Matrix, class Space = typename Matrix::execution_space>
void jacobi_sweep(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan, const Matrix& A,
                  const NonDeduced<ArrayView<const Working, Space>>& d,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& x_in,
                  const NonDeduced<MultiVectorView<Working, Space>>& x_out);

/// One step of the Chebyshev recurrence, p = beta p + alpha d .* (b - A x_in), x_out = x_in + p. p
/// is updated in place; beta == 0 overwrites it. x_in and x_out do not overlap. A is square.
template <class Working, class Matrix, class Space = typename Matrix::execution_space>
void chebyshev_step(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan, const Matrix& A,
                    const NonDeduced<ArrayView<const Working, Space>>& d, Working alpha,
                    NonDeduced<Working> beta,
                    const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                    const NonDeduced<ConstMultiVectorView<Working, Space>>& x_in,
                    const NonDeduced<MultiVectorView<Working, Space>>& p,
                    const NonDeduced<MultiVectorView<Working, Space>>& x_out);

/// The verbs that have no `alpha` to deduce `Working` from, where it is the scalar of a matrix in
/// compressed rows.
template <class Matrix, class Space = typename Matrix::execution_space,
          class Scalar = typename Matrix::scalar_type>
void spmv_residual(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan, const Matrix& A,
                   const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
                   const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,
                   const NonDeduced<MultiVectorView<Scalar, Space>>& r) {
  spmv_residual<Scalar>(exec, plan, A, b, x, r);
}
template <class Matrix, class Space = typename Matrix::execution_space,
          class Scalar = typename Matrix::scalar_type>
void spmv_residual_norm(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan,
                        const Matrix& A, const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
                        const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,
                        const NonDeduced<MultiVectorView<Scalar, Space>>& r,
                        const NonDeduced<ArrayView<double, Space>>& result) {
  spmv_residual_norm<Scalar>(exec, plan, A, b, x, r, result);
}
template <class Matrix, class Space = typename Matrix::execution_space,
          class Scalar = typename Matrix::scalar_type>
void spmv_dot(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan, const Matrix& A,
              const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,
              const NonDeduced<MultiVectorView<Scalar, Space>>& y,
              const NonDeduced<ArrayView<Scalar, Space>>& result) {
  spmv_dot<Scalar>(exec, plan, A, x, y, result);
}
template <class Matrix, class Space = typename Matrix::execution_space,
          class Scalar = typename Matrix::scalar_type>
void jacobi_sweep(const NonDeduced<Space>& exec, const ProductPlan<Matrix>& plan, const Matrix& A,
                  const NonDeduced<ArrayView<const Scalar, Space>>& d,
                  const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
                  const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x_in,
                  const NonDeduced<MultiVectorView<Scalar, Space>>& x_out) {
  jacobi_sweep<Scalar>(exec, plan, A, d, b, x_in, x_out);
}

}  // namespace tessera::kernels
