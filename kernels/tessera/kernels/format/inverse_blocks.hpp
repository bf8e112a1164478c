// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The inverses of small blocks on the diagonal, as block-Jacobi needs them.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// Rows of a block at most.
inline constexpr int max_block_rows = 32;

/// The inverses of the blocks of `block_rows` consecutive rows on the diagonal of A, n by n; the
/// last one may be shorter. Entry (i, j) of a block that begins at row f is at
/// (f + i) * block_rows + j; the length is n * block_rows. Rows may be unsorted.
///
/// Gauss-Jordan with pivots from the column, in double, of rows scaled to 1, empty ones left out
/// with their columns; symmetric for a symmetric block. A block without an inverse, whose largest
/// pivot is below the rounding of a row, gives way to its diagonal's, 0 where that is zero;
/// `singular`, where it is not null, becomes the number of such blocks. A wait.
/// @throws Error where A is not square or `block_rows` not between 1 and `max_block_rows`.
template <class Scalar, class Space, class Offset>
Array<Scalar, Space> inverse_blocks(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                    int block_rows, Ordinal* singular = nullptr);

/// z = B r for the blocks of `inverse_blocks`. r and z: n by k, apart.
template <class Scalar, class Space>
void multiply_blocks(const Space& exec, const NonDeduced<ArrayView<const Scalar, Space>>& blocks,
                     int block_rows, const ConstMultiVectorView<Scalar, Space>& r,
                     const MultiVectorView<Scalar, Space>& z);

}  // namespace tessera::kernels
