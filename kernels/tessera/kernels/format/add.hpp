// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sum of two CSR matrices.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// C = alpha A + beta B for matrices of one shape. The pattern of C is the union of both (an entry
/// that cancels is kept), its rows sorted, duplicates added up. Rows of A and B may be unsorted.
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> add(const Space& exec, NonDeduced<Scalar> alpha,
                               const CsrView<Scalar, Space, Offset>& A, NonDeduced<Scalar> beta,
                               const CsrView<Scalar, Space, Offset>& B);

}  // namespace tessera::kernels
