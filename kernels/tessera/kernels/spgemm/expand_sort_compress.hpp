// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The product by expansion, sorting and compression.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// C = A B slice by slice of A's rows (Cusp paper, section 3.3): all products of a slice are
/// written out with row and column as their key, sorted stably, and runs of equal keys are summed
/// in their order. Work and balance do not depend on the matrices' structure. A slice has as many
/// rows as `workspace_products` products allow, one at least; the workspace is 32 bytes for each
/// (24 in single precision). Shapes, results and errors as `spgemm`.
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> expand_sort_compress_spgemm(const Space& exec,
                                                       const CsrView<Scalar, Space, Offset>& A,
                                                       const CsrView<Scalar, Space, Offset>& B,
                                                       std::int64_t workspace_products = 1 << 23);

}  // namespace tessera::kernels
