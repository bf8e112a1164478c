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

}  // namespace tessera::kernels
