// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a sparse Cholesky factor looks like before a number is computed.
#pragma once

#include "tessera/direct/elimination_tasks.hpp"
#include "tessera/direct/large_pages.hpp"
#include "tessera/direct/parameters.hpp"

#include <cstddef>
#include <vector>

namespace tessera::direct {

/// The elimination order, the supernodes of the factor and their rows, and what factoring costs.
/// Columns of the factor with (nearly) the same rows below are a supernode, a dense panel. All
/// numbers but those in `order` are of the matrix renumbered by it.
struct SymbolicCholesky {
  int n = 0;
  Ordering ordering = Ordering::minimum_degree;  ///< that it has
  bool has_structure = false;  ///< false where only the cost was wanted
  double flops = 0;  ///< multiplications and additions of the factor: the sum of squared counts
  double entries = 0;  ///< of the panels, or an estimate where there is no structure
  std::vector<int> order;  ///< order[k] is the row that is eliminated k-th
  std::vector<int> rank;  ///< its inverse
  std::vector<int> first_column;  ///< of each supernode, and n
  std::vector<int> parent;  ///< the supernode that takes a supernode's update, or -1
  std::vector<std::size_t> first_row;  ///< where a supernode's rows start in `rows`, and their sum
  std::vector<int> rows;  ///< of each supernode, ascending, its own columns first
  std::vector<std::size_t> first_value;  ///< where its panel starts, and their sum
  std::vector<int> last_child;  ///< of each supernode, or -1
  std::vector<int> sibling_before;  ///< the parent's child before a supernode, or -1
  std::vector<int> depth;  ///< of each supernode in its tree
  std::vector<EliminationTask> tasks;
  std::vector<int> task_of;  ///< of each supernode
  /// Most numbers of update matrices, as lower triangles, of a task's supernodes of even and odd
  /// depth that are there at once.
  std::size_t stack_size[2] = {0, 0};

  int num_supernodes() const { return static_cast<int>(parent.size()); }
  int width(int s) const { return first_column[s + 1] - first_column[s]; }
  int height(int s) const { return static_cast<int>(first_row[s + 1] - first_row[s]); }
  int row(int s, int k) const { return rows[first_row[s] + k]; }
  /// Whether the update of a supernode is taken by another task than its own.
  bool is_sent(int s) const { return parent[s] >= 0 && task_of[parent[s]] != task_of[s]; }
};

/// Orders a pattern (compressed rows, sorted) and its transpose, by nested dissection where that is
/// named and to be had, by minimum degree (Amestoy, Davis & Duff 1996) elsewhere, and makes
/// supernodes in a forest of what that leaves. Small ones are joined at the price of some zeros
/// (Ashcraft & Grimes 1989). The structure is left out where the ordering estimates more than
/// `max_entries`. Takes about as long as a few tens of products with the matrix by minimum degree.
SymbolicCholesky analyse_cholesky(int n, const HostArray<int>& offsets,
                                  const HostArray<int>& columns, double max_entries,
                                  Ordering ordering = Ordering::minimum_degree);

/// Whether the former, of the same pattern by another order, has the structure of factors, and the
/// latter none or one of more operations.
bool takes_less(const SymbolicCholesky& f, const SymbolicCholesky& other);

}  // namespace tessera::direct
