// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What choices go by, of the rows of all processes.
#pragma once

#include "tessera/distributed/matrix.hpp"
#include "tessera/solve/inspect.hpp"

namespace tessera::distributed {

/// Unknowns per node: those given, else what most rows find in their process's block, where that
/// leaves each node's rows on one process; 1 elsewhere. A share of a few rows alone says little.
/// Collective. @throws Error on all processes where one has a part of a node of those given.
template <class Space>
int agreed_block_size(const Space& exec, const Matrix<Space>& A, int given);

/// Facts of the whole matrix, from each process's rows. Collective.
template <class Space>
MatrixFacts agreed_facts(const Space& exec, const Matrix<Space>& A, bool symmetric);

}  // namespace tessera::distributed
