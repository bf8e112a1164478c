// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The symbolic phase: how many distinct columns each row of A B has.
#pragma once

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

}  // namespace tessera::kernels::spgemm_detail
