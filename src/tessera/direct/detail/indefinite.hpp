// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What tells at a glance that a symmetric matrix is not semidefinite.
#pragma once

#include "tessera/direct/host_matrix.hpp"

namespace tessera::direct::detail {

/// Whether two rows and columns of `A`, symmetric with a positive diagonal, prove that it has a
/// negative eigenvalue: their minor is negative, or zero with rows that are no multiples of each
/// other. Most indefinite matrices are not found out so. Takes as long as a product.
bool is_surely_indefinite(const HostMatrix& A);

}  // namespace tessera::direct::detail
