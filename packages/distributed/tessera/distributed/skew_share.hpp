// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How much of a matrix over several processes flows.
#pragma once

#include "tessera/distributed/matrix.hpp"

namespace tessera::distributed {

/// `MatrixFacts::skew_share` from the rows that one process would look at, with all of their
/// couplings: but for the order of sums the same for any shares. Collective.
template <class Space>
double skew_share(const Space& exec, const Matrix<Space>& A);

}  // namespace tessera::distributed
