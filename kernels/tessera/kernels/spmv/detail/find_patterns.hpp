// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The search for column patterns, in launches that are not waited for; and the pattern of a CSR
/// matrix as its plan knows it.
///
/// One pass over the columns, one thread per row. A hash of the row's columns says where in a table
/// of 255 patterns to look; the row that came first to a free place is its pattern. Every other row
/// of that hash is compared with it entry by entry, so that nothing rests on the hash. The pattern
/// is the place in the table.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/spmv/column_patterns.hpp"
#include "tessera/kernels/spmv/csr/csr_format.hpp"
#include "tessera/kernels/spmv/pattern_fingerprint.hpp"

namespace tessera::kernels::detail {

/// What a search looks at.
template <class Space, class Offset>
struct ColumnsOf {
  Ordinal num_rows = 0;
  Ordinal num_cols = 0;
  std::size_t num_entries = 0;
  ArrayView<const Offset, Space> offsets;
  ArrayView<const Ordinal, Space> columns;

  template <class Scalar>
  explicit ColumnsOf(const CsrView<Scalar, Space, Offset>& A)
      : num_rows(A.num_rows),
        num_cols(A.num_cols),
        num_entries(A.num_entries),
        offsets(A.offsets),
        columns(A.columns) {}
};

/// Where a search leaves the number of rows without a pattern, for a pass after it to read; null
/// where nothing was searched.
template <class Space>
const std::uint64_t* missed_rows(const ColumnPatterns<Space>& patterns) {
  if (patterns.search.extent(0) == 0) return nullptr;
  return patterns.search.data() + ColumnPatterns<Space>::most;
}

/// Queues the search; it ends early beyond `max_misses` rows without a pattern, and then has no
/// use. `rows_per_part`: of the staged product.
template <class Space, class Offset>
ColumnPatterns<Space> search_patterns(const Space& exec, const ColumnsOf<Space, Offset>& A,
                                      Ordinal rows_per_part, Ordinal max_misses);

/// Queues what is left to do once the search has succeeded: makes `patterns` those that products
/// use. `longest`: entries of the longest row.
template <class Space, class Offset>
void finish_patterns(const Space& exec, const ColumnsOf<Space, Offset>& A, Ordinal rows_per_part,
                     std::int64_t longest, ColumnPatterns<Space>& patterns);

/// Whether the columns of `A`, whose rows are as long, are those that the patterns stand for; waits
/// for the answer. Rows without a pattern are read from the matrix anyway.
template <class Space, class Offset>
bool are_columns_of(const Space& exec, const ColumnPatterns<Space>& patterns,
                    const ColumnsOf<Space, Offset>& A);

template <class Storage, class Space, class Offset>
PatternPlace place_of(const CsrView<Storage, Space, Offset>& A, bool by_columns) {
  return {A.offsets.data(), nullptr, static_cast<std::size_t>(A.num_rows), A.num_entries,
          by_columns ? A.columns.data() : nullptr};
}

/// Throws unless `plan` was made for the pattern of `A`.
template <class Storage, class Space, class Offset>
void require_plan_of(const Space& exec, const CsrSpmvPlan<Space>& plan,
                     const CsrView<Storage, Space, Offset>& A) {
  const bool by_columns = plan.patterns.found;
  plan.pattern.require_same(place_of(A, by_columns), [&] {
    const auto fingerprint = row_facts<Space, Offset>(exec, A.offsets, A.num_rows).fingerprint;
    const ColumnsOf<Space, Offset> columns(A);
    // Another one than the plan's, where the rows are as long and the columns differ.
    const bool differs = by_columns && !are_columns_of(exec, plan.patterns, columns);
    return differs ? ~fingerprint : fingerprint;
  });
}

}  // namespace tessera::kernels::detail
