// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Products of block sparse rows with vectors, from the caller's own arrays.
///
/// Vectors are columns side by side, k of them: x has num_cols rows, y, b and r num_rows. Blocks
/// are read once for a group of up to eight columns. A sum's order is fixed by the matrix and k.
/// Nothing is allocated, and nothing is waited for. Throws `Error` (precondition) where
/// `require_whole` does, and for vectors of other shapes.
#pragma once

#include "tessera/kernels/format/bsr.hpp"

namespace tessera::kernels {

/// y = alpha A x + beta y. beta == 0 overwrites y, NaN included; alpha == 0 does not read x.
template <class Scalar, class Space, class Offset>
void bsr_spmv(const Space& exec, NonDeduced<Scalar> alpha, const BsrView<Scalar, Space, Offset>& A,
              const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x, NonDeduced<Scalar> beta,
              const NonDeduced<MultiVectorView<Scalar, Space>>& y);

/// r = b - A x. r may be b.
template <class Scalar, class Space, class Offset>
void bsr_residual(const Space& exec, const BsrView<Scalar, Space, Offset>& A,
                  const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
                  const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,
                  const NonDeduced<MultiVectorView<Scalar, Space>>& r);

/// y = A x and result(j) = <x_j, y_j> on the device; result: k. A is square.
template <class Scalar, class Space, class Offset>
void bsr_spmv_dot(const Space& exec, const BsrView<Scalar, Space, Offset>& A,
                  const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,
                  const NonDeduced<MultiVectorView<Scalar, Space>>& y,
                  const NonDeduced<ArrayView<Scalar, Space>>& result);

}  // namespace tessera::kernels
