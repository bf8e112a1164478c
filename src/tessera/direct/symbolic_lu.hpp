// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What sparse L U factors in panels look like before a number is computed.
#pragma once

#include "tessera/direct/detail/matching.hpp"
#include "tessera/direct/host_matrix.hpp"
#include "tessera/direct/symbolic_cholesky.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace tessera::direct {

/// An order with large pivots on the diagonal, so that none has to be looked for elsewhere: the
/// factors have the pattern of a Cholesky factor and of its transpose, and take what is forecast.
struct SymbolicLu {
  SymbolicCholesky fronts;  ///< its numbering is that of the columns
  double flops = 0;
  double entries = 0;
  std::vector<int> row_rank;  ///< where each row goes
  detail::Matching matching;  ///< of rows and columns, and the powers of two that scale them
  std::vector<std::size_t> first_upper;  ///< where a supernode's rows of U start, and their sum

  /// An entry of the matrix, by its row and its place among all.
  struct Entry {
    int row;
    int place;
  };
  std::vector<int> first_entry;  ///< of each pivot's row and column, and their number
  std::vector<Entry> from;  ///< those that are in no earlier pivot's
};

/// Scales A, moves its rows to the columns that they are matched with, and orders the sum of that
/// pattern and its transpose as analyse_cholesky does. The structure is left out where more than
/// `max_entries` are estimated. Nothing where A is structurally singular, or holds a number that is
/// not finite.
std::optional<SymbolicLu> analyse_lu(const HostMatrix& A, double max_entries,
                                     Ordering ordering = Ordering::minimum_degree);

/// The same for another order of the same matrix.
SymbolicLu analyse_lu(const HostMatrix& A, detail::Matching matching, double max_entries,
                      Ordering ordering);

}  // namespace tessera::direct
