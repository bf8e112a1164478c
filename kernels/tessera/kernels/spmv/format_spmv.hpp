// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse matrix times vectors in COO, ELL and HYB: the products that products.hpp describes.
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

/// y = alpha A x + beta y. A column of x that no entry has is not read.
template <class Working, class Matrix, class Space = typename Matrix::execution_space>
void spmv(const NonDeduced<Space>& exec, const FormatPlan<Matrix>& plan, Working alpha,
          const Matrix& A, const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
          NonDeduced<Working> beta, const NonDeduced<MultiVectorView<Working, Space>>& y);

/// r = b - A x.
template <class Working, class Matrix, class Space = typename Matrix::execution_space>
void residual(const NonDeduced<Space>& exec, const FormatPlan<Matrix>& plan, const Matrix& A,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
              const NonDeduced<MultiVectorView<Working, Space>>& r);

/// r = b - A x and result(j) = <r_j, r_j>.
template <class Working, class Matrix, class Space = typename Matrix::execution_space>
void residual_norm(const NonDeduced<Space>& exec, const FormatPlan<Matrix>& plan, const Matrix& A,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                   const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
                   const NonDeduced<MultiVectorView<Working, Space>>& r,
                   const NonDeduced<ArrayView<double, Space>>& result);

/// y = A x and result(j) = <x_j, y_j>.
template <class Working, class Matrix, class Space = typename Matrix::execution_space>
void spmv_dot(const NonDeduced<Space>& exec, const FormatPlan<Matrix>& plan, const Matrix& A,
              const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
              const NonDeduced<MultiVectorView<Working, Space>>& y,
              const NonDeduced<ArrayView<Working, Space>>& result);

/// x_out = x_in + d .* (b - A x_in).
template <class Working, class Matrix, class Space = typename Matrix::execution_space>
void jacobi_sweep(const NonDeduced<Space>& exec, const FormatPlan<Matrix>& plan, const Matrix& A,
                  const NonDeduced<ArrayView<const Working, Space>>& d,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                  const NonDeduced<ConstMultiVectorView<Working, Space>>& x_in,
                  const NonDeduced<MultiVectorView<Working, Space>>& x_out);

/// p = beta p + alpha d .* (b - A x_in), x_out = x_in + p.
template <class Working, class Matrix, class Space = typename Matrix::execution_space>
void chebyshev_step(const NonDeduced<Space>& exec, const FormatPlan<Matrix>& plan, const Matrix& A,
                    const NonDeduced<ArrayView<const Working, Space>>& d, Working alpha,
                    NonDeduced<Working> beta,
                    const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                    const NonDeduced<ConstMultiVectorView<Working, Space>>& x_in,
                    const NonDeduced<MultiVectorView<Working, Space>>& p,
                    const NonDeduced<MultiVectorView<Working, Space>>& x_out);

}  // namespace tessera::kernels
