// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The infinity norm of a CSR matrix.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// The largest row sum of magnitudes, NaN where an entry is. Sums run in double and in a fixed
/// order; duplicates count as entries of their own. Waits for its answer.
template <class Scalar, class Space, class Offset>
double inf_norm(const Space& exec, const CsrView<Scalar, Space, Offset>& A);

}  // namespace tessera::kernels
