// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// An elimination order, and what it leaves of a symmetric pattern.
#pragma once

#include "tessera/direct/large_pages.hpp"

#include <vector>

namespace tessera::direct::detail {

/// Rows that are eliminated one after the other and leave the same rows behind, to a few that AMD
/// counts too many.
struct Element {
  int first;  ///< of its columns in the order
  int width;
  int height;  ///< rows of the factor's first column, its own counted: an upper bound
  int parent;  ///< the element that takes all rows it leaves, or -1
};

struct EliminationOrder {
  std::vector<int> order;  ///< order[k] is the row that is eliminated k-th
  std::vector<int> rank;  ///< its inverse
  std::vector<Element> elements;  ///< a forest in postorder: children before parents
  int num_dense = 0;  ///< rows too long to be ordered: the last element, and in no other's height
  double entries = 0;  ///< of the factor with its diagonal: an upper bound
  double flops = 0;  ///< of a Cholesky factorisation: an upper bound
};

/// What a given order leaves of a symmetric pattern (each row sorted, without duplicates): the same
/// factors in a postorder of their tree, counted exactly. `order`: each row once.
/// Takes a few products with the matrix (Liu 1990; Gilbert, Ng & Peyton 1994).
EliminationOrder eliminate(int n, const HostArray<int>& offsets, const HostArray<int>& columns,
                           std::vector<int> order);

}  // namespace tessera::direct::detail
