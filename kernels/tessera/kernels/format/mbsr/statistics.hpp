// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What can be said of the tiles of a matrix.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"

namespace tessera::kernels {

/// Entries a tile, 0 without tiles; no pass.
template <class Storage, class Space>
double entries_per_tile(const MbsrView<Storage, Space>& A) {
  return A.num_tiles == 0 ? 0 : static_cast<double>(A.num_entries) / A.num_tiles;
}

}  // namespace tessera::kernels
