// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What can be said of a CSR matrix in one pass over it. Each function waits for its answer.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <limits>

namespace tessera::kernels {

/// Lengths of the rows; all 0 without rows.
struct RowStatistics {
  std::int64_t shortest = 0;
  std::int64_t longest = 0;
  double mean = 0;
  double variance = 0;
  Ordinal empty_rows = 0;
};

template <class Scalar, class Space, class Offset>
RowStatistics row_statistics(const Space& exec, const CsrView<Scalar, Space, Offset>& A);

/// How the diagonal compares with the rest of its row. Duplicates are added up on the diagonal
/// only.
struct DiagonalDominance {
  Ordinal dominant_rows = 0;  ///< |a_ii| >= sum of |a_ij|
  Ordinal strictly_dominant_rows = 0;  ///< |a_ii| > sum of |a_ij|
  Ordinal zero_diagonals = 0;  ///< a_ii not stored, or 0
  Ordinal negative_diagonals = 0;
  /// The least of |a_ii| / sum of |a_ij| over all rows with an entry off the diagonal.
  double smallest_ratio = std::numeric_limits<double>::infinity();
};

template <class Scalar, class Space, class Offset>
DiagonalDominance diagonal_dominance(const Space& exec, const CsrView<Scalar, Space, Offset>& A);

}  // namespace tessera::kernels
