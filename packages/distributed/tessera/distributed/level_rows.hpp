// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The rows of a level as coarsening takes them.
#pragma once

#include "tessera/distributed/matrix.hpp"

namespace tessera::distributed {

/// This process's rows of A, without those of a transpose; the buffers for messages have room for
/// a column. Sends nothing: a step of all processes.
template <class Space>
LevelRows<Space> level_rows(const Matrix<Space>& A, int block_size);

/// Likewise the rows of A^T beside those of A, whose columns they are numbered by.
template <class Space>
LevelTranspose<Space> level_transpose(const Space& exec, const Matrix<Space>& A,
                                      const Matrix<Space>& At, int block_size);

}  // namespace tessera::distributed
