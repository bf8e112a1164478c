// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Runs of rows of a product whose patterns are one pattern shifted, and the product by them.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/spgemm/detail/row_bins.hpp"

#include <optional>

namespace tessera::kernels::spgemm_detail {

/// The most rows of a run.
inline constexpr Ordinal longest_run = 32;

/// How the rows of a matrix follow one another: row i + distance mostly has the columns of row i,
/// each further by `shift`, entry by entry in their stored order.
struct RowShift {
  Ordinal distance = 1;
  Ordinal shift = 0;
  double share = 0;  ///< of the sampled rows that follow so
};

/// Runs of rows of C = A B. A run is rows i, i + a.distance, i + 2 a.distance, …: the rows of A
/// follow one another by `a`, and the rows of B that they meet, a.shift apart, by `b`. So the rows
/// of C have one pattern, shifted by b.shift from row to row.
template <class Space>
struct RowRuns {
  Ordinal num_runs = 0;
  std::int64_t leader_entries = 0;  ///< of A, in the first rows of all runs
  RowShift a, b;  ///< b.distance is a.shift
  Array<Ordinal, Space> leaders;  ///< the first row of each run, and more
  Array<Ordinal, Space> run_of;  ///< the run of each row
  /// `bound_row_sizes` of the first rows, by class of `TableFill::full`; nothing where some of
  /// these rows are long.
  std::optional<SizeHistogram> bounds;
};

/// Finds runs. Where there are more than `max_runs`, or a sample shows that there will be, counts
/// them at most and lists none. Waits for the device, for the sample and for the number of runs.
///
/// Rows of a stencil on a grid are the row before shifted by one, but for boundaries; with several
/// unknowns per point, and where aggregates are boxes, so are rows some distance apart. Distance
/// and shift are guessed from rows in the middle; a wrong guess makes more runs, not wrong ones.
/// b_columns are < num_cols.
template <class Space, class Offset>
RowRuns<Space> find_row_runs(const Space& exec, const ArrayView<const Offset, Space>& a_offsets,
                             const ArrayView<const Ordinal, Space>& a_columns,
                             const ArrayView<const Offset, Space>& b_offsets,
                             const ArrayView<const Ordinal, Space>& b_columns, Ordinal num_cols,
                             Ordinal max_runs);

/// Fills the columns and values of C = A B. `leaders`: the first rows of the runs of C, sorted. The
/// rows of a run are multiplied side by side, so that where a product goes is searched for once;
/// their sums lie in scratch, or in C where a row is too long for that.
template <class Scalar, class Space, class Offset>
void fill_runs(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
               const CsrView<Scalar, Space, Offset>& B, const RowRuns<Space>& runs,
               const CsrView<Scalar, Space, Offset>& leaders,
               const ArrayView<const Offset, Space>& offsets,
               const ArrayView<Ordinal, Space>& columns, const ArrayView<Scalar, Space>& values);

/// Fills the values of C = A B again, whose pattern `fill_runs` made by the same runs.
template <class Scalar, class Space, class Offset>
void refill_runs(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                 const CsrView<Scalar, Space, Offset>& B, const RowRuns<Space>& runs,
                 const CsrView<Scalar, Space, Offset>& C, const ArrayView<Scalar, Space>& values);

/// `hash_spgemm` of `leaders`, the first rows of `runs` one below the other, and B; sets `entries`
/// to how many the rows of all runs have together, which the same wait brings.
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> multiply_leaders(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& leaders,
                                            const CsrView<Scalar, Space, Offset>& B,
                                            const RowRuns<Space>& runs, std::int64_t& entries);

}  // namespace tessera::kernels::spgemm_detail
