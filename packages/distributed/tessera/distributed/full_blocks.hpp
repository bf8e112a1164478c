// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Full blocks of rows, such as cells of discontinuous elements, of a matrix over several
/// processes.
#pragma once

#include "tessera/distributed/matrix.hpp"

namespace tessera::distributed {

/// kernels::find_full_blocks of the rows of all processes, the same for any shares: blocks are
/// counted from the first row of all, and one may begin on a process and end on another.
/// Collective.
template <class Space>
int find_full_blocks(const Space& exec, const Matrix<Space>& A);

/// `MatrixFacts::same_unknown_share` for blocks of so many rows, but for the order of sums the same
/// for any shares. Collective.
template <class Space>
double share_of_same_unknown(const Space& exec, const Matrix<Space>& A, int block_rows);

}  // namespace tessera::distributed
