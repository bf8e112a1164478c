// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The parts of a process's rows: what couples its own unknowns, and what couples them to others'.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::distributed {

/// The columns of `A` that stay, renumbered: `new_column(j)` is the new number of column j, below
/// `num_cols`, or below 0 where it is left out. A copy of A.num_rows by `num_cols`, whose rows keep
/// the order of their entries. `new_column`: one for each column of A.
template <class Space>
kernels::Csr<double, Space, std::int64_t> kept_columns(
    const Space& exec, const kernels::CsrView<double, Space, std::int64_t>& A,
    const NonDeduced<ArrayView<const Ordinal, Space>>& new_column, Ordinal num_cols);

/// A process's rows, whose own columns come first, in two parts.
template <class Space>
struct SplitRows {
  kernels::Csr<double, Space, std::int64_t> own;  ///< the columns before `num_own`
  kernels::Csr<double, Space, std::int64_t> others;  ///< the columns behind, numbered from 0
};

/// The same arrays, which somebody else owns.
template <class Space>
kernels::Csr<double, Space, std::int64_t> shared_rows(
    const kernels::CsrView<double, Space, std::int64_t>& rows) {
  return {rows.num_rows, rows.num_cols,
          Array<const std::int64_t, Space>(rows.offsets.data(), rows.offsets.extent(0)),
          Array<const Ordinal, Space>(rows.columns.data(), rows.columns.extent(0)),
          Array<double, Space>(const_cast<double*>(rows.values.data()), rows.values.extent(0))};
}

/// Rows without an entry.
template <class Space>
kernels::Csr<double, Space, std::int64_t> rows_without_entries(const Space& exec, Ordinal num_rows,
                                                               Ordinal num_cols);

/// Both parts in one pass over the offsets and one over the entries; rows keep the order of their
/// entries.
template <class Space>
SplitRows<Space> split_columns(const Space& exec,
                               const kernels::CsrView<double, Space, std::int64_t>& A,
                               Ordinal num_own);

/// The pattern of the first part alone, without values.
template <class Space>
kernels::Csr<double, Space, std::int64_t> own_pattern(
    const Space& exec, const kernels::CsrView<double, Space, std::int64_t>& A, Ordinal num_own);

/// The square part of a process's rows that couples its own unknowns.
template <class Space>
kernels::Csr<double, Space, std::int64_t> diagonal_block(
    const Space& exec, const kernels::CsrView<double, Space, std::int64_t>& A,
    const NonDeduced<ArrayView<const Ordinal, Space>>& new_column) {
  return kept_columns(exec, A, new_column, A.num_rows);
}

}  // namespace tessera::distributed
