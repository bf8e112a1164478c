// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The pattern of an mBSR matrix as its plan knows it: tile rows and maps, from which the layout
/// makes the places of the values. Where the tiles' columns are, no plan depends on.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/spmv/pattern_fingerprint.hpp"
#include "tessera/kernels/spmv/planned_pattern.hpp"

namespace tessera::kernels::detail {

template <class Storage, class Space>
PatternPlace place_of(const MbsrView<Storage, Space>& A) {
  return {A.tile_offsets.data(), A.maps.data(), static_cast<std::size_t>(A.num_tile_rows()),
          static_cast<std::size_t>(A.num_tiles)};
}

/// Of the maps and, by `tile_rows`, of the tile rows' lengths.
template <class Storage, class Space>
std::uint64_t pattern_fingerprint(const Space& exec, const MbsrView<Storage, Space>& A,
                                  const RowFacts& tile_rows) {
  // Times an odd number, so that the two do not make up for each other.
  return 3 * tile_rows.fingerprint + fingerprint_of<Space, TileMap>(exec, A.maps, A.num_tiles);
}

template <class Storage, class Space>
std::uint64_t pattern_fingerprint(const Space& exec, const MbsrView<Storage, Space>& A) {
  return pattern_fingerprint(
      exec, A, row_facts<Space, std::int32_t>(exec, A.tile_offsets, A.num_tile_rows()));
}

}  // namespace tessera::kernels::detail
