// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse matrix times vectors in CSR: the plan. The products are those of products.hpp.
#pragma once

#include "tessera/kernels/execution/planned_launches.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/spmv/column_patterns.hpp"
#include "tessera/kernels/spmv/planned_pattern.hpp"

#include <cstddef>

namespace tessera::kernels {

/// Which CSR kernel runs.
enum class CsrSpmvAlgorithm {
  classical,  ///< a fixed number of threads per row (hypre paper, section 2)
  staged,  ///< the same, rows brought to shared memory first; where `has_staged_csr_spmv`
  load_balanced,  ///< the same number of entries per team (Ginkgo thesis, chapter 4)
  column_patterns  ///< staged, or on a host classical, with the columns of ColumnPatterns
};

/// Whether products in `Space` can use `CsrSpmvAlgorithm::staged`: on GPUs with a bulk copy engine.
/// It serves matrices and vectors of one scalar, and matrices in 16 bits with vectors of float; a
/// plan for it multiplies several vectors, other pairs of scalars, and arrays that are not aligned
/// to 16 bytes by `classical`.
template <class Space>
bool has_staged_csr_spmv();

/// The choice of kernel for one pattern, made once by `analyse_spmv`. It serves every matrix whose
/// rows are as long, and with column patterns every one that has its columns, too, in any
/// precision; products throw `Error` (precondition) for others. It depends on the matrix alone,
/// never on a host's number of threads. A load-balanced plan holds the workspace of its products,
/// and a staged one that of `spmv_dot`: such a plan serves one of them at a time.
template <class Space>
struct CsrSpmvPlan {
  CsrSpmvAlgorithm algorithm = CsrSpmvAlgorithm::classical;
  int threads_per_row = 1;  ///< a power of two up to the width of a warp; 1 on a host
  int staged_lanes = 0;  ///< staged only: lanes per row, 1, 2, 4 or 8
  /// Staged only: rows per lane, 1, or 2 where rows are short, or 4 with column patterns.
  int staged_rows = 0;
  std::int32_t part_entries = 0;  ///< staged only: the most entries of one warp's rows
  std::size_t entries_per_team = 0;  ///< load-balanced only: entries plus row ends
  Array<Ordinal, Space> first_row;  ///< load-balanced only: the row that each team finishes first
  /// Load-balanced: partial sums of rows in several teams; staged, of a square matrix: the warps'
  /// shares of an inner product.
  Array<std::byte, Space> workspace;
  ColumnPatterns<Space> patterns;  ///< column patterns only
  PlannedLaunches<int> launches;  ///< staged: the number of blocks of each kernel
  PlannedPattern pattern;  ///< that was analysed
};

/// Picks algorithm and threads per row from the mean and the largest row length (one device pass).
template <class Scalar, class Space, class Offset>
CsrSpmvPlan<Space> analyse_spmv(const Space& exec, const CsrView<Scalar, Space, Offset>& A);

/// The same for an algorithm chosen by the caller. `lanes` a row of staged kernels: 1, 2, 4 or 8;
/// with 1 the `rows` a lane may be 1 or 2, and with column patterns 4; 0: they are chosen, and
/// `rows` beside chosen lanes is 1. Column patterns that are asked for are used however few rows
/// have one.
///
/// Throws `Error` (precondition) for `staged` where the space has none, for other numbers of lanes
/// and rows, and for column patterns of more entries than 32 bits count.
template <class Scalar, class Space, class Offset>
CsrSpmvPlan<Space> analyse_spmv(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                CsrSpmvAlgorithm algorithm, int lanes = 0, int rows = 0);

}  // namespace tessera::kernels
