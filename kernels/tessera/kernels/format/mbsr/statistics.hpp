// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What can be said of the tiles of a matrix in one pass over them.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/format/statistics.hpp"

#include <array>

namespace tessera::kernels {

/// Entries a tile, 0 without tiles; no pass.
template <class Storage, class Space>
double entries_per_tile(const MbsrView<Storage, Space>& A) {
  return A.num_tiles == 0 ? 0 : static_cast<double>(A.num_entries) / A.num_tiles;
}

/// Lengths of the tile rows, in tiles. Waits for its answer.
template <class Storage, class Space>
RowStatistics tile_row_statistics(const Space& exec, const MbsrView<Storage, Space>& A);

/// How many tiles have 0, 1, …, 16 entries. Waits for its answer.
template <class Storage, class Space>
std::array<std::int64_t, tile_places + 1> tile_histogram(const Space& exec,
                                                         const MbsrView<Storage, Space>& A);

}  // namespace tessera::kernels
