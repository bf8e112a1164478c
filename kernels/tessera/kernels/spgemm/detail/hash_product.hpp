// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The product by hash tables, of the first rows of runs too.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/spgemm/detail/row_runs.hpp"

namespace tessera::kernels::spgemm_detail {

/// `hash_spgemm` of `leaders`, the first rows of `runs` one below the other, and B; sets `entries`
/// to how many the rows of all runs have together, which the same wait brings.
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> multiply_leaders(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& leaders,
                                            const CsrView<Scalar, Space, Offset>& B,
                                            const RowRuns<Space>& runs, std::int64_t& entries);

}  // namespace tessera::kernels::spgemm_detail
