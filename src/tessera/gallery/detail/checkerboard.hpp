// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The jumping coefficient that problems on grids and on irregular meshes share.
#pragma once

#include "tessera/gallery/detail/stencil.hpp"

namespace tessera::gallery_detail {

/// 1 and `contrast` in a checkerboard of at most 8 blocks per direction of `grid`, of single points
/// where it has fewer.
KOKKOS_INLINE_FUNCTION double checkerboard(const Grid& grid, const GridPoint& p, double contrast) {
  const Ordinal parity = p.x * 8 / grid.nx + p.y * 8 / grid.ny + p.z * 8 / grid.nz;
  return parity % 2 == 0 ? 1.0 : contrast;
}

}  // namespace tessera::gallery_detail
