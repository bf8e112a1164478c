// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sorting the rows of a CSR matrix by column.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// True where the columns of every row ascend; equal neighbours (duplicates) count as ascending.
/// One pass; waits for its answer.
template <class Scalar, class Space, class Offset>
bool rows_sorted(const Space& exec, const CsrView<Scalar, Space, Offset>& A);

/// A copy of `A` with the entries of each row sorted by column. Duplicates keep their order.
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> sort_rows(const Space& exec, const CsrView<Scalar, Space, Offset>& A);

}  // namespace tessera::kernels
