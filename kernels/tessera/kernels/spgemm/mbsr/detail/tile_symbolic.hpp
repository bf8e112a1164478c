// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The symbolic phase of a product of tiles, in its two forms.
#pragma once

#include "tessera/kernels/spgemm/detail/row_bins.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/tile_pattern.hpp"

namespace tessera::kernels::spgemm_detail {

/// The pattern of A B by one map a tile column for each thread; for host spaces only.
template <class Space>
TilePattern<Space> multiply_patterns_by_threads(const Space& exec, const TilePatternView<Space>& A,
                                                const TilePatternView<Space>& B);

/// The pattern of A B by hash tables of tile columns in scratch, for rows beyond it by maps in
/// global memory. `histogram`: of the sizes, with TableFill::three_quarters.
template <class Space>
TilePattern<Space> multiply_patterns_by_teams(const Space& exec, const TilePatternView<Space>& A,
                                              const TilePatternView<Space>& B,
                                              SizeHistogram& histogram);

/// The most tiles of a tile row, 0 where there is no row; waits for the device.
template <class Space>
Ordinal longest_row(const Space& exec, const ArrayView<const std::int32_t, Space>& offsets);

/// starts(t) = where the values of tile t begin in packed values.
template <class Space>
void start_tiles(const Space& exec, const ArrayView<const TileMap, Space>& maps,
                 const ArrayView<std::int64_t, Space>& starts);

/// Throws unless mBSR can count `num_tiles`.
void require_countable_tiles(std::int64_t num_tiles);

}  // namespace tessera::kernels::spgemm_detail
