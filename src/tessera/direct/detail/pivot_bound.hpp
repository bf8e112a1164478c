// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What L U factors take at most, wherever their pivots are.
#pragma once

#include "tessera/direct/host_matrix.hpp"

#include <optional>
#include <vector>

namespace tessera::direct::detail {

/// Rows and columns in blocks of a block triangular form: those on the diagonal are factored by
/// themselves, what lies outside stays as it is.
struct Blocks {
  std::vector<int> of_row;
  std::vector<int> of_column;
};

struct PivotBound {
  double entries = 0;
  double flops = 0;
};

/// Of factors that eliminate the rows of A in `order`, with a pivot from whatever column of the
/// block. Each block has a permutation without zeros on its diagonal. L and U lie in the Cholesky
/// factor of A A^T (George & Ng 1985), whose pattern this makes, block by block. Nothing where that
/// takes more than `max_products`, the sum of the squared lengths of columns.
std::optional<PivotBound> bound_any_pivots(const HostMatrix& A, const Blocks& blocks,
                                           std::vector<int> order, double max_products);

}  // namespace tessera::direct::detail
