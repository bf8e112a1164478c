// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Transpose of a CSR matrix.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// The transpose of `A`, its rows sorted by column. Deterministic: the same input gives the same
/// bits, whatever order atomics ran in.
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> transpose(const Space& exec, const CsrView<Scalar, Space, Offset>& A);

/// The values of the transpose of `A` again, in the pattern that `transpose` made of A's. A's rows
/// ascend and hold no duplicates. No allocation, and no wait for a device.
///
/// Throws `Error` (precondition) where the shapes do not fit.
template <class Scalar, class Space, class Offset>
void transpose_values(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                      const Csr<Scalar, Space, Offset>& At);

}  // namespace tessera::kernels
