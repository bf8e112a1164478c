// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The product of matrices whose rows repeat one another's patterns.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <optional>

namespace tessera::kernels {

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
