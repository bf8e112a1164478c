// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Norms of a CSR matrix. Sums run in double and in a fixed order; NaN gives NaN; each function
/// waits for its answer. Duplicates count as entries of their own.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// The root of the sum of squares.
template <class Scalar, class Space, class Offset>
double frobenius_norm(const Space& exec, const CsrView<Scalar, Space, Offset>& A);

/// The largest row sum of magnitudes.
template <class Scalar, class Space, class Offset>
double inf_norm(const Space& exec, const CsrView<Scalar, Space, Offset>& A);

/// The largest column sum of magnitudes; transposes the matrix, so that the sums are deterministic.
template <class Scalar, class Space, class Offset>
double one_norm(const Space& exec, const CsrView<Scalar, Space, Offset>& A);

/// The largest magnitude of an entry, 0 without entries.
template <class Scalar, class Space, class Offset>
double max_abs(const Space& exec, const CsrView<Scalar, Space, Offset>& A);

}  // namespace tessera::kernels
