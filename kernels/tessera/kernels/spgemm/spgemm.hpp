// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse matrix times sparse matrix.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <memory>

namespace tessera::kernels {

namespace spgemm_detail {
template <class Space>
struct RowRuns;
}

/// What repeating the values of a product makes use of: which of its rows have one pattern, shifted
/// (`repeat_rows`). Nothing on a host, and where rows do not repeat.
template <class Space>
struct SpgemmPlan {
  std::shared_ptr<const spgemm_detail::RowRuns<Space>> runs;
};

/// How the rows of the product are accumulated.
enum class SpgemmAlgorithm {
  automatic,  ///< `repeat_rows` on a device where most rows repeat another, else `hash`
  repeat_rows,  ///< one row of each run of rows of one, shifted, pattern; then the others
  hash  ///< hash tables, two phases, rows binned by size (hypre paper, section 4)
};

/// C = A B. The pattern of C is the symbolic pattern (an entry that cancels is kept), its rows
/// sorted by column; the sums run in a fixed order, so that the same input gives the same bits.
/// Rows of A and B may be unsorted, without duplicates. On a host space `hash` runs its serial
/// form, a dense accumulator a thread (`gustavson_spgemm`), and is what `automatic` means.
///
/// Throws `Error` (precondition) when A.num_cols != B.num_rows, and when C has more entries than
/// `Offset` counts.
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> spgemm(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                  const CsrView<Scalar, Space, Offset>& B,
                                  SpgemmAlgorithm algorithm = SpgemmAlgorithm::automatic);

/// The same, by `automatic`, and `plan` for `spgemm_numeric`.
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> spgemm(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                  const CsrView<Scalar, Space, Offset>& B, SpgemmPlan<Space>& plan);

/// The values of C = A B again, for a C whose pattern `spgemm` made from the same patterns. On a
/// device one launch, no allocation, and no wait for the host. The bits may differ from those of
/// `spgemm`; those of two calls do not.
///
/// Throws `Error` (precondition) when the three shapes do not fit.
template <class Scalar, class Space, class Offset>
void spgemm_numeric(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                    const CsrView<Scalar, Space, Offset>& B, const Csr<Scalar, Space, Offset>& C);

/// The same with the plan of the `spgemm` that made C: rows that repeat one pattern are multiplied
/// side by side. The plan is of patterns alone, and holds whatever the new values are.
template <class Scalar, class Space, class Offset>
void spgemm_numeric(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                    const CsrView<Scalar, Space, Offset>& B, const Csr<Scalar, Space, Offset>& C,
                    const SpgemmPlan<Space>& plan);

}  // namespace tessera::kernels
