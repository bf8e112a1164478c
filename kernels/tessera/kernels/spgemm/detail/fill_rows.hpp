// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The phases of a product by rows: the symbolic one, the numeric one, and the latter into a known
/// pattern.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/spgemm/detail/row_bins.hpp"

namespace tessera::kernels::spgemm_detail {

/// work.sizes(i) = the number of distinct columns in row i of A B, by hash sets in team scratch, or
/// by stamps in global memory for rows that no table in scratch holds. b_columns are < num_cols.
/// `bounds`: the histogram of `bound_row_sizes` by `TableFill::full`, without which a device is
/// waited for.
template <class Space, class Offset>
void count_rows(const Space& exec, const ArrayView<const Offset, Space>& a_offsets,
                const ArrayView<const Ordinal, Space>& a_columns,
                const ArrayView<const Offset, Space>& b_offsets,
                const ArrayView<const Ordinal, Space>& b_columns, Ordinal num_cols,
                const RowWorkspace<Space>& work,
                const std::optional<SizeHistogram>& bounds = std::nullopt);

/// Fills columns (ascending in each row) and values of A B. `work.sizes` are the lengths of the
/// rows of `offsets`, and `histogram` theirs for TableFill::three_quarters.
template <class Scalar, class Space, class Offset>
void fill_rows(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
               const CsrView<Scalar, Space, Offset>& B, const SizeHistogram& histogram,
               const RowWorkspace<Space>& work, const ArrayView<const Offset, Space>& offsets,
               const ArrayView<Ordinal, Space>& columns, const ArrayView<Scalar, Space>& values);

/// The same for the rows of one bin that no table in scratch holds. `rows` as RowBins::rows.
template <class Scalar, class Space, class Offset>
void fill_long_rows(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                    const CsrView<Scalar, Space, Offset>& B,
                    const ArrayView<const Ordinal, Space>& rows, const RowBin& bin,
                    const ArrayView<const Offset, Space>& offsets,
                    const ArrayView<Ordinal, Space>& columns,
                    const ArrayView<Scalar, Space>& values);

/// One row of B and its factor, loaded ahead of its use.
template <class Scalar, class Offset>
struct ScaledRow {
  Offset begin, end;
  Scalar factor;
};

template <class Scalar, class Space, class Offset>
KOKKOS_INLINE_FUNCTION ScaledRow<Scalar, Offset> scaled_row(const CsrView<Scalar, Space, Offset>& A,
                                                            const CsrView<Scalar, Space, Offset>& B,
                                                            Offset k) {
  const Ordinal middle = A.columns(k);
  return {B.offsets(middle), B.offsets(middle + 1), A.values(k)};
}

/// add(column, product) for part `part` of `parts` of row `row` of A B: the rows of B in the order
/// of A's row, the entries of each by the lanes of a team thread, which end each row in step.
template <class Member, class Scalar, class Space, class Offset, class Add>
KOKKOS_INLINE_FUNCTION void for_each_product(const Member& member,
                                             const CsrView<Scalar, Space, Offset>& A,
                                             const CsrView<Scalar, Space, Offset>& B, Ordinal row,
                                             int part, int parts, const Add& add) {
  const Offset begin = A.offsets(row);
  const std::int64_t length = A.offsets(row + 1) - begin;
  const Offset first = begin + static_cast<Offset>(length * part / parts);
  const Offset last = begin + static_cast<Offset>(length * (part + 1) / parts);
  if (first == last) return;
  ScaledRow<Scalar, Offset> ahead = scaled_row(A, B, first);
  for (Offset k = first; k < last; ++k) {
    const ScaledRow<Scalar, Offset> now = ahead;
    if (k + 1 < last) ahead = scaled_row(A, B, k + 1);
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, now.begin, now.end),
                         [&](Offset j) { add(B.columns(j), now.factor * B.values(j)); });
  }
}

/// values = those of A B in the pattern of C, whose rows ascend.
template <class Scalar, class Space, class Offset>
void refill_rows(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                 const CsrView<Scalar, Space, Offset>& B, const CsrView<Scalar, Space, Offset>& C,
                 const ArrayView<Scalar, Space>& values);

}  // namespace tessera::kernels::spgemm_detail
