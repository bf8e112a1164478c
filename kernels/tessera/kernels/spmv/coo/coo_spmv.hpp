// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse matrix times vectors in COO: the plan. The products are those of products.hpp.
#pragma once

#include "tessera/kernels/format/coo.hpp"
#include "tessera/kernels/spmv/planned_pattern.hpp"

#include <cstddef>

namespace tessera::kernels {

/// An equal number of entries per team (Ginkgo thesis, section 4.1.2), for one pattern: products
/// throw `Error` (precondition) for a matrix with other row numbers. It holds the workspace of its
/// products, so one plan serves one product at a time.
template <class Space>
struct CooSpmvPlan {
  Ordinal num_rows = 0;
  std::size_t num_entries = 0;
  std::size_t entries_per_team = 0;
  int teams = 0;
  Array<const Ordinal, Space> empty_rows;  ///< the rows that no entry leads to
  Array<std::byte, Space> workspace;  ///< partial sums of rows in several teams
  PlannedPattern pattern;  ///< that was analysed
};

/// Divides the entries, and lists the empty rows (a pass over the row numbers; waits for it).
template <class Storage, class Space>
CooSpmvPlan<Space> analyse_spmv(const Space& exec, const CooView<Storage, Space>& A);

}  // namespace tessera::kernels
