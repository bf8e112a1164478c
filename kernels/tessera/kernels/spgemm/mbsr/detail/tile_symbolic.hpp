// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The symbolic phase of a product of tiles, in its two forms.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/spgemm/detail/row_bins.hpp"

namespace tessera::kernels::spgemm_detail {

/// Tile columns and maps, not owned.
template <class Space>
struct TilePatternView {
  Ordinal num_tile_rows = 0;
  Ordinal num_tile_cols = 0;
  ArrayView<const std::int32_t, Space> offsets;
  ArrayView<const Ordinal, Space> columns;
  ArrayView<const TileMap, Space> maps;
};

template <class Storage, class Space>
TilePatternView<Space> pattern_of(const MbsrView<Storage, Space>& A) {
  return {A.num_tile_rows(), A.num_tile_cols(), A.tile_offsets, A.tile_columns, A.maps};
}

/// The pattern that the symbolic phase makes.
template <class Space>
struct TilePattern {
  Array<Ordinal, Space> sizes;  ///< tiles of each tile row
  Array<std::int32_t, Space> offsets;  ///< num_tile_rows + 1
  Array<Ordinal, Space> columns;
  Array<TileMap, Space> maps;
  Array<std::int64_t, Space> value_offsets;  ///< entries before each tile row; num_tile_rows + 1
  std::size_t num_entries = 0;
};

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
