// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The algorithms of the product that `spgemm` chooses from: by hash tables, on a host, and for
/// rows that repeat one another's patterns.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <optional>

namespace tessera::kernels {

/// C = A B in two phases (hypre paper, section 4). The symbolic phase bins rows by a bound of their
/// size and counts distinct columns by hash sets in team scratch; the numeric phase bins them by
/// their size, sums in hash tables, sorts each row, and writes it. Lanes run over the entries of
/// one row of B at a time, whose columns differ, so that a sum's order is that of A's row whichever
/// lane wins a slot. Rows that no table in scratch holds use dense accumulators in global memory.
/// Shapes, results and errors as `spgemm`.
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> hash_spgemm(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                       const CsrView<Scalar, Space, Offset>& B);

/// Whether the rows of a product ascend.
enum class RowsOfProduct {
  sorted,
  as_met  ///< columns in the order in which products first meet them, as a further product takes
          ///< them
};

/// C = A B row by row with one mark a column for each thread (Gustavson's algorithm), in one pass:
/// threads sum and, but for `as_met`, sort chunks of rows, which are then copied to their place.
/// For host spaces only; memory, beside C, of C again and of num_cols offsets for each thread.
/// Shapes, results and errors as `spgemm`.
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> gustavson_spgemm(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& A,
                                            const CsrView<Scalar, Space, Offset>& B,
                                            RowsOfProduct rows = RowsOfProduct::sorted);

/// The values of C = A B in the pattern of C, by the same accumulator; one pass.
template <class Scalar, class Space, class Offset>
void gustavson_numeric(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                       const CsrView<Scalar, Space, Offset>& B,
                       const Csr<Scalar, Space, Offset>& C);

namespace spgemm_detail {
template <class Space>
struct RowRuns;
}

/// C = A B by the first row of each run of rows that have one pattern, shifted (those of a stencil
/// on a grid, with one or more unknowns per point): `hash_spgemm` makes these rows, and where a
/// product goes in such a row it goes in all rows of its run. Nothing where there are more than
/// `max_runs` runs.
///
/// Shapes, results and errors as `spgemm`; sums run in the order of A's row. `kept`, if given,
/// receives the runs where there is a product.
template <class Scalar, class Space, class Offset>
std::optional<Csr<Scalar, Space, Offset>> repeat_rows_spgemm(
    const Space& exec, const CsrView<Scalar, Space, Offset>& A,
    const CsrView<Scalar, Space, Offset>& B, Ordinal max_runs,
    spgemm_detail::RowRuns<Space>* kept = nullptr);

}  // namespace tessera::kernels
