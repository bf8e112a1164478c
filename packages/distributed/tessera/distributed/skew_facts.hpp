// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is asked of a matrix over several processes that is not symmetric.
#pragma once

#include "tessera/distributed/matrix.hpp"
#include "tessera/solve/inspect.hpp"

namespace tessera::distributed {

/// Adds to the facts of `A`, which is not symmetric, how much of it flows, and whether full blocks
/// of its rows are cells: those that all processes find in their own blocks. Collective.
template <class Space>
void add_skew_facts(const Space& exec, const Matrix<Space>& A, MatrixFacts& facts);

}  // namespace tessera::distributed
