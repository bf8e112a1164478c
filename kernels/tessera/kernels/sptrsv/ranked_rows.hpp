// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A matrix for Gauss-Seidel: rows in the order in which they are relaxed, entries by what comes
/// before and after them, and the relaxation of some of these rows.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels {

/// A copy of a square matrix in which rows have ranks and positions. Row `rows(p)` is at position
/// p; of its entries, columns of lower rank come before `lower_end(p)`, those of higher rank from
/// `upper_begin(p)` on, and those of its own rank, its diagonal among them, between. Columns are
/// numbers of rows, not positions.
template <class Scalar, class Space, class Offset = std::int32_t>
struct RankedRows {
  Ordinal num_rows = 0;
  int lanes = 0;  ///< of a device that share a row (format/row_lanes.hpp)
  Array<Ordinal, Space> rows;  ///< empty: row p is at position p
  Array<Offset, Space> offsets;  ///< by position; length num_rows + 1
  Array<Offset, Space> lower_end, upper_begin;
  Array<Ordinal, Space> columns;
  Array<Scalar, Space> values;
};

/// `rows`: the rows in the order in which they are to be, empty: their own; `rank_of`: the rank of
/// each row, empty: its number. Rows of `A` may be unsorted, and hold duplicates. Nothing waits.
template <class Scalar, class Space, class Offset>
RankedRows<Scalar, Space, Offset> rank_rows(
    const Space& exec, const CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<Array<Ordinal, Space>>& rows,
    const NonDeduced<ArrayView<const Ordinal, Space>>& rank_of);

/// Which entries of a row are read.
enum class RowPart { lower, upper, all };

/// y_i = omega d_i (b_i - the sum of a_ij x_j over `part`) for the rows at positions [first, last);
/// `adds`: this is added to y_i. Of rows of one rank that are not coupled, y may be x. d: num_rows;
/// b, x, y: num_rows by k.
template <class Scalar, class Space, class Offset>
void relax_rows(const Space& exec, const RankedRows<Scalar, Space, Offset>& A, RowPart part,
                Ordinal first, Ordinal last, NonDeduced<Scalar> omega,
                const NonDeduced<ArrayView<const Scalar, Space>>& d,
                const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
                const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,
                const NonDeduced<MultiVectorView<Scalar, Space>>& y, bool adds);

/// The same for all rows, y being x: one after the other in the order of their positions, or with
/// `backward` the other way round, each with the newest x. By one thread, in one launch: for hosts,
/// where the rows that may be relaxed at a time are few.
template <class Scalar, class Space, class Offset>
void relax_rows_in_order(const Space& exec, const RankedRows<Scalar, Space, Offset>& A,
                         RowPart part, bool backward, NonDeduced<Scalar> omega,
                         const NonDeduced<ArrayView<const Scalar, Space>>& d,
                         const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
                         const NonDeduced<MultiVectorView<Scalar, Space>>& x, bool adds);

}  // namespace tessera::kernels
