// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How the lanes of a warp hold one tile of A and two tiles of B side by side, and their products,
/// for the instruction m8n8k4 (AmgT paper, section IV.C.3).
///
/// A's tile is the upper half of the instruction's A (8 by 4), its lower half zeros; the tiles of B
/// are the left and the right half of its B (4 by 8). The upper half of C (8 by 8) is the two
/// products, in the lanes 0 to 15.
#pragma once

#include "tessera/kernels/cuda/mma_f64.hpp"
#include "tessera/kernels/format/tile_map.hpp"

namespace tessera::kernels::cuda {

struct TileBesideTiles {
  /// Tiles of B that one instruction serves.
  static constexpr int tiles = 2;

  /// Whether a lane's element of A is of the tile, and which place: 4 r + c.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool has_a(int lane) {
    return MmaF64::a_row(lane) < tile_size;
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int a_place(int lane) {
    return tile_size * MmaF64::a_row(lane) + MmaF64::a_col(lane);
  }
  /// Which tile of B, and which place of it, a lane's element of B is.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int b_tile(int lane) {
    return MmaF64::b_col(lane) / tile_size;
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int b_place(int lane) {
    return tile_size * MmaF64::b_row(lane) + MmaF64::b_col(lane) % tile_size;
  }
  /// Whether a lane holds results; both are of one tile's product, at neighbouring places.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool has_result(int lane) {
    return MmaF64::c_row(lane) < tile_size;
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int c_tile(int lane) {
    return MmaF64::c_col(lane, 0) / tile_size;
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int c_place(int lane) {
    return tile_size * MmaF64::c_row(lane) + MmaF64::c_col(lane, 0) % tile_size;
  }
};

}  // namespace tessera::kernels::cuda
