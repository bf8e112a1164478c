// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A fill-reducing order, by SuiteSparse's AMD.
#pragma once

#include <vector>

namespace tessera::direct::detail {

struct MinimumDegree {
  std::vector<int> order;  ///< order[k] is the row that is eliminated k-th
  double entries = 0;  ///< of the factor with its diagonal: an upper bound
  double flops = 0;  ///< of a Cholesky factorisation: an upper bound
};

/// Of the pattern of A + A^T; each row sorted, without duplicates.
/// @throws Error of kind `configuration` where the library was built without SuiteSparse.
MinimumDegree minimum_degree(int n, const std::vector<int>& offsets,
                             const std::vector<int>& columns);

}  // namespace tessera::direct::detail
