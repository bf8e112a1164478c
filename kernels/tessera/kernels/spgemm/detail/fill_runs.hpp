// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// All rows of a product from the first row of each run.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/spgemm/detail/row_runs.hpp"

namespace tessera::kernels::spgemm_detail {

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

}  // namespace tessera::kernels::spgemm_detail
