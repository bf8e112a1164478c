// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The products of a cycle whose vectors lie in memory as Half: a matrix in compressed rows, sums
/// and updates in float, one rounding where a result is stored. What leaves half's range becomes an
/// infinity or a zero, as IEEE 754 rounds.
///
/// Verbs and shapes are those of products.hpp; a diagonal and coefficients are in float. Each row
/// is one thread's on a host and `threads_per_row` threads' elsewhere, a power of two up to the
/// width of a warp, however long it is.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/precision/minifloat.hpp"

namespace tessera::kernels {

/// y = alpha A x + beta y. beta == 0 overwrites y, NaN included.
template <class Storage, class Space, class Offset>
void half_spmv(const Space& exec, int threads_per_row, float alpha,
               const CsrView<Storage, Space, Offset>& A,
               const NonDeduced<ConstMultiVectorView<Half, Space>>& x, float beta,
               const NonDeduced<MultiVectorView<Half, Space>>& y);

/// r = b - A x. r may be b.
template <class Storage, class Space, class Offset>
void half_residual(const Space& exec, int threads_per_row, const CsrView<Storage, Space, Offset>& A,
                   const NonDeduced<ConstMultiVectorView<Half, Space>>& b,
                   const NonDeduced<ConstMultiVectorView<Half, Space>>& x,
                   const NonDeduced<MultiVectorView<Half, Space>>& r);

/// x_out = x_in + d .* (b - A x_in). x_in and x_out do not overlap. A is square.
template <class Storage, class Space, class Offset>
void half_jacobi_sweep(const Space& exec, int threads_per_row,
                       const CsrView<Storage, Space, Offset>& A,
                       const NonDeduced<ArrayView<const float, Space>>& d,
                       const NonDeduced<ConstMultiVectorView<Half, Space>>& b,
                       const NonDeduced<ConstMultiVectorView<Half, Space>>& x_in,
                       const NonDeduced<MultiVectorView<Half, Space>>& x_out);

/// p = beta p + alpha d .* (b - A x_in), x_out = x_in + p. beta == 0 overwrites p; x_in and x_out
/// do not overlap. A is square.
template <class Storage, class Space, class Offset>
void half_chebyshev_step(const Space& exec, int threads_per_row,
                         const CsrView<Storage, Space, Offset>& A,
                         const NonDeduced<ArrayView<const float, Space>>& d, float alpha,
                         float beta, const NonDeduced<ConstMultiVectorView<Half, Space>>& b,
                         const NonDeduced<ConstMultiVectorView<Half, Space>>& x_in,
                         const NonDeduced<MultiVectorView<Half, Space>>& p,
                         const NonDeduced<MultiVectorView<Half, Space>>& x_out);

}  // namespace tessera::kernels
