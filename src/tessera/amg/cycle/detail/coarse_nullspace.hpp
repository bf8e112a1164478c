// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The nullspace of a coarsest matrix, component by component.
#pragma once

#include <vector>

namespace tessera::amg::detail {

/// The connected component of each of n unknowns, of a graph that edges are added to.
class UnionFind {
 public:
  explicit UnionFind(int n);
  void join(int i, int j);
  /// The least unknown of i's component.
  int root(int i);

 private:
  std::vector<int> m_parent;
};

/// Vectors of length n, one after the other, of which a matrix makes zero, are cut into their parts
/// in the matrix's connected components: of each of those it makes zero, too. Parts that are
/// fainter than 2^-20 of their vector stand for regular components, and drop out
/// (`near_nullspace_vector_of` of a component nullspace makes them so). Components of one unknown
/// are left out as well: they come back in `singular`, which is any pivot's.
struct NullspaceParts {
  std::vector<double> vectors;
  std::vector<int> singular;  ///< unknowns that are components by themselves
};
NullspaceParts parts_by_component(const std::vector<double>& vectors, int n, UnionFind& graph);

}  // namespace tessera::amg::detail
