// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whether two matrices have one pattern.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <cstdint>

namespace tessera {

/// The rows of which there is one hash.
inline constexpr Ordinal rows_per_pattern_hash = 256;

/// What a pattern is known again by that is written over in its own arrays: a hash of offsets and
/// columns for each block of `rows_per_pattern_hash` rows. One pass, no wait.
template <class Scalar, class Space, class Offset>
Array<const std::uint64_t, Space> pattern_hashes(const Space& exec,
                                                 const kernels::CsrView<Scalar, Space, Offset>& A);

/// Compares sizes, offsets and columns. Where both share their arrays these are compared with
/// `hashes`, which were made of `before`; none are known where it is empty, and nothing is read.
/// Waits for `exec` otherwise.
/// @throws Error of kind `precondition` where they differ: it says in which row first, or in which
///         block of rows.
template <class Scalar, class Space, class Offset>
void require_same_pattern(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& before,
                          const kernels::CsrView<Scalar, Space, Offset>& now,
                          const NonDeduced<Array<const std::uint64_t, Space>>& hashes = {});

}  // namespace tessera
