// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Blocks of consecutive rows, such as those of a cell of discontinuous elements.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// The largest number of rows, up to `max_block_rows` of inverse_blocks.hpp, of which A (square)
/// consists in blocks, but for one block in a hundred: blocks of consecutive rows of which
/// each has three quarters of the block's columns at the least, as some entries may cancel, and
/// entries in the same other blocks as the others. 1 where there is none. Numbers are
/// tried on 64 blocks, and those that fit there checked in a pass over the pattern. Waits.
template <class Scalar, class Space, class Offset>
int find_full_blocks(const Space& exec, const CsrView<Scalar, Space, Offset>& A);

}  // namespace tessera::kernels
