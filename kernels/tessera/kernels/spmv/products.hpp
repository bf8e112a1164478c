// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The products of a sparse matrix with vectors, in every format: what each verb does, and that
/// every format has it.
///
/// A format is a view (CsrView, MbsrView, EllView, HybView, CooView) and a plan, which
/// `analyse_spmv(exec, A)` makes once for a pattern. Each verb takes `exec`, the plan and the view,
/// and reads the matrix once for a group of columns. `Working` is the vectors' scalar: it is
/// deduced from `alpha`, or given, as in `residual<double>(exec, plan, A, b, x, r)`, and may be
/// left out for a matrix in compressed rows of the same scalar. Matrix values of another scalar
/// are converted as they are read; sums are carried in Arithmetic<Storage, Working>.
///
/// Vectors are columns side by side, k of them: x has num_cols rows, y, b, r, p and d num_rows.
/// Arguments of other shapes, and a plan of another pattern, are an `Error` (precondition). Sums
/// are taken in an order that the plan and k fix: the same input gives the same bits, on a host
/// with any number of threads. Nothing is allocated, and nothing is waited for.
#pragma once

#include "tessera/kernels/spmv/coo/coo_spmv.hpp"
#include "tessera/kernels/spmv/csr_mixed_spmv.hpp"
#include "tessera/kernels/spmv/ell/ell_spmv.hpp"
#include "tessera/kernels/spmv/hyb/hyb_spmv.hpp"
#include "tessera/kernels/spmv/mbsr/mbsr_spmv.hpp"

#include <utility>

namespace tessera::kernels {

/// The plan of the products of `View`.
template <class View>
using ProductPlan = decltype(analyse_spmv(std::declval<const typename View::execution_space&>(),
                                          std::declval<const View&>()));

/// That `View` has every product with vectors of `Working`.
template <class View, class Working, class Space = typename View::execution_space>
concept HasProducts = requires(
    const Space& exec, const ProductPlan<View>& plan, const View& A, Working alpha, Working beta,
    const ArrayView<const Working, Space>& d, const ConstMultiVectorView<Working, Space>& b,
    const ConstMultiVectorView<Working, Space>& x, const MultiVectorView<Working, Space>& y,
    const MultiVectorView<Working, Space>& r, const MultiVectorView<Working, Space>& p,
    const MultiVectorView<Working, Space>& x_out, const ArrayView<double, Space>& norm,
    const ArrayView<Working, Space>& dot) {
  // y = alpha A x + beta y. beta == 0 overwrites y, NaN included; alpha == 0 does not read x.
  spmv<Working>(exec, plan, alpha, A, x, beta, y);

  // r = b - A x. r may be b.
  residual<Working>(exec, plan, A, b, x, r);

  // r = b - A x and norm(j) = <r_j, r_j>, the square of the 2-norm, on the device and summed in
  // double; norm: k. r may be b. On a host CSR, ELL and HYB do it in one pass, unless a plan is
  // load-balanced, and so do tiles; COO, whose shares of entries end within rows, and devices
  // read r once more.
  residual_norm<Working>(exec, plan, A, b, x, r, norm);

  // y = A x and dot(j) = <x_j, y_j> on the device; dot: k. On a host CSR of one scalar and tiles
  // do it in one pass; others, and devices, read x and y once more. A is square.
  spmv_dot<Working>(exec, plan, A, x, y, dot);

  // One damped Jacobi sweep, x_out = x + d .* (b - A x), where d (length num_rows) holds the
  // damping over the diagonal. x and x_out do not overlap. A is square.
  jacobi_sweep<Working>(exec, plan, A, d, b, x, x_out);

  // One step of the Chebyshev recurrence, p = beta p + alpha d .* (b - A x), x_out = x + p. p is
  // updated in place; beta == 0 overwrites it. x and x_out do not overlap. A is square.
  chebyshev_step<Working>(exec, plan, A, d, alpha, beta, b, x, p, x_out);
};

/// r = b - A x and r_coarse = R r: what a cycle hands to the next level. A and R may be of
/// different formats and scalars. b and r: num_rows of A by k; x: num_cols of A by k; r_coarse:
/// num_rows of R by k. `r` may be `b`, and is the caller's to keep, rounded to `Working` as
/// `residual` does it; r_coarse overlaps none of them.
///
/// Both matrices are read once, and r is written once and read once: two launches, of which the
/// second finds r in the last-level cache where it fits there. One launch would save the 16 bytes a
/// row of r in double at the most, and cost more: to recompute r's rows in the rows of R that
/// need them reads each row of A (84 bytes of a 7-point stencil) as often as R has entries in that
/// column, 2 to 4 times after smoothing, and of tiles four rows for each; to scatter r into
/// r_coarse needs atomics, and gives other bits in each run.
template <class Working, class ViewA, class ViewR, class Space = typename ViewA::execution_space>
  requires(HasProducts<ViewA, Working> && HasProducts<ViewR, Working>)
void restrict_residual(const NonDeduced<Space>& exec, const ProductPlan<ViewA>& plan_A,
                       const ViewA& A, const ProductPlan<ViewR>& plan_R, const ViewR& R,
                       const NonDeduced<ConstMultiVectorView<Working, Space>>& b,
                       const NonDeduced<ConstMultiVectorView<Working, Space>>& x,
                       const NonDeduced<MultiVectorView<Working, Space>>& r,
                       const NonDeduced<MultiVectorView<Working, Space>>& r_coarse) {
  residual<Working>(exec, plan_A, A, b, x, r);
  spmv<Working>(exec, plan_R, Working(1), R, ConstMultiVectorView<Working, Space>(r), Working(0),
                r_coarse);
}

}  // namespace tessera::kernels
