// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whether two matrices have one pattern.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera {

/// Compares sizes, offsets and columns; nothing is read where both share their arrays. Waits for
/// `exec` otherwise.
/// @throws Error of kind `precondition` where they differ: it says in which row first.
template <class Scalar, class Space, class Offset>
void require_same_pattern(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& before,
                          const kernels::CsrView<Scalar, Space, Offset>& now);

}  // namespace tessera
