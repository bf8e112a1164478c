// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse matrix times vectors in COO, ELL and HYB, plain and fused.
///
/// Matrix values of type `Storage` are read and multiplied with vectors of type `Working`; sums are
/// carried in Arithmetic<Storage, Working>, and no converted copy is made. `Working` comes first:
/// it is deduced from `alpha`, or given, as in residual<double>(exec, plan, A, b, x, r).
#pragma once

#include "tessera/kernels/types.hpp"

namespace tessera::kernels {

namespace detail {

/// The plan that a matrix view's products take, as `type`; each format has its own specialisation.
template <class Matrix>
struct PlanOf {};

}  // namespace detail

/// The plan that the products of `Matrix`, a CooView, EllView or HybView, take.
template <class Matrix>
using FormatPlan = typename detail::PlanOf<Matrix>::type;

/// y = alpha A x + beta y. x: num_cols by k; y: num_rows by k. `beta == 0` overwrites y, NaN
/// included; `alpha == 0` does not read x. A column of x that no entry has is not read.
template <class Working, class Matrix, class Space = typename Matrix::execution_space>
void spmv(const NonDeduced<Space>& exec, const FormatPlan<Matrix>& plan, Working alpha,
          const Matrix& A, const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
          NonDeduced<Working> beta, const NonDeduced<MultiVectorView<Working, Space>>& y);

/// r = b - A x in one pass over the matrix. `r` may be `b`.
template <class Working, class Matrix, class Space = typename Matrix::execution_space>
void residual(const NonDeduced<Space>& exec, const FormatPlan<Matrix>& plan, const Matrix& A,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
              const NonDeduced<MultiVectorView<Working, Space>>& r);

/// r = b - A x and result(j) = <r_j, r_j>, the square of the 2-norm, on the device and summed in
/// double in a fixed order. On a host ELL and HYB do it in one pass; COO, whose shares of entries
/// end within rows, and devices read r once more. result: k. `r` may be `b`.
template <class Working, class Matrix, class Space = typename Matrix::execution_space>
void residual_norm(const NonDeduced<Space>& exec, const FormatPlan<Matrix>& plan, const Matrix& A,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
                   const NonDeduced<MultiVectorView<Working, Space>>& r,
                   const NonDeduced<ArrayView<double, Space>>& result);

/// y = A x and result(j) = <x_j, y_j> on the device, summed in `Working`; A square. The sum's order
/// is fixed, so that the same input gives the same bits.
template <class Working, class Matrix, class Space = typename Matrix::execution_space>
void spmv_dot(const NonDeduced<Space>& exec, const FormatPlan<Matrix>& plan, const Matrix& A,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
              const NonDeduced<MultiVectorView<Working, Space>>& y,
              const NonDeduced<ArrayView<Working, Space>>& result);

/// One damped Jacobi sweep in one pass: x_out = x_in + d .* (b - A x_in), where `d` (length
/// num_rows) holds the damping over the diagonal. x_in and x_out do not overlap.
template <class Working, class Matrix, class Space = typename Matrix::execution_space>
void jacobi_sweep(const NonDeduced<Space>& exec, const FormatPlan<Matrix>& plan, const Matrix& A,
                  const NonDeduced<ArrayView<const Working, Space>>& d,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& x_in,
                  const NonDeduced<MultiVectorView<Working, Space>>& x_out);

/// One step of the Chebyshev recurrence in one pass: p = beta p + alpha d .* (b - A x_in),
/// x_out = x_in + p. `p` is updated in place (beta == 0 overwrites it); x_in and x_out do not
/// overlap.
template <class Working, class Matrix, class Space = typename Matrix::execution_space>
void chebyshev_step(const NonDeduced<Space>& exec, const FormatPlan<Matrix>& plan, const Matrix& A,
                    const NonDeduced<ArrayView<const Working, Space>>& d, Working alpha,
                    NonDeduced<Working> beta,
                    const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                    const NonDeduced<ConstMultiVectorView<Working, Space>>& x_in,
                    const NonDeduced<MultiVectorView<Working, Space>>& p,
                    const NonDeduced<MultiVectorView<Working, Space>>& x_out);

}  // namespace tessera::kernels
