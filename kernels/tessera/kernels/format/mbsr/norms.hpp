// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Norms of a matrix of tiles. Sums run in double and in a fixed order; NaN gives NaN; each
/// function waits for its answer.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"

namespace tessera::kernels {

/// The root of the sum of squares.
template <class Storage, class Space>
double frobenius_norm(const Space& exec, const MbsrView<Storage, Space>& A);

/// The largest row sum of magnitudes.
template <class Storage, class Space>
double inf_norm(const Space& exec, const MbsrView<Storage, Space>& A);

/// The largest column sum of magnitudes; transposes the matrix, so that the sums are deterministic.
template <class Storage, class Space>
double one_norm(const Space& exec, const MbsrView<Storage, Space>& A);

/// The largest magnitude of an entry, 0 without entries.
template <class Storage, class Space>
double max_abs(const Space& exec, const MbsrView<Storage, Space>& A);

}  // namespace tessera::kernels
