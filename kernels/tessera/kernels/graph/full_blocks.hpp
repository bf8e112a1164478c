// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Blocks of consecutive rows, such as those of a cell of discontinuous elements.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// The largest number of rows, up to `max_block_rows` of inverse_blocks.hpp, of which A (square)
/// consists in blocks, but for one block in a hundred: blocks of consecutive rows that are full on
/// the diagonal, each row with entries in the same other blocks. 1 where there is none. Numbers are
/// tried on 64 blocks, and those that fit there checked in a pass over the pattern. Waits.
template <class Scalar, class Space, class Offset>
int find_full_blocks(const Space& exec, const CsrView<Scalar, Space, Offset>& A);

}  // namespace tessera::kernels
