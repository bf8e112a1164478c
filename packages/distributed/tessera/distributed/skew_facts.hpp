// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is asked of a matrix over several processes that is not symmetric.
#pragma once

#include "tessera/distributed/matrix.hpp"
#include "tessera/solve/inspect.hpp"

namespace tessera::distributed {

/// Adds to the facts of `A`, which is not symmetric, what tells whether full blocks of its rows are
/// cells, as `inspect` finds it on one process. Collective.
template <class Space>
void add_block_facts(const Space& exec, const Matrix<Space>& A, MatrixFacts& facts);

/// That, and how much of `A` flows. Collective.
template <class Space>
void add_skew_facts(const Space& exec, const Matrix<Space>& A, MatrixFacts& facts);

}  // namespace tessera::distributed
