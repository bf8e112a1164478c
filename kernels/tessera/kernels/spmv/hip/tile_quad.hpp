// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How the 64 lanes of a wavefront hold four tiles of one tile row, their pieces of up to four
/// vectors, and the products, for v_mfma_f64_4x4x4f64: four independent products of 4 by 4 (AMD
/// CDNA2 ISA, "MFMA").
///
/// Unlike the instruction of a GPU of NVIDIA, every place of every operand is of use: a block takes
/// a tile, and its four columns of B four vectors.
#pragma once

#include "tessera/kernels/format/tile_map.hpp"

namespace tessera::kernels::hip {

struct TileQuad {
  static constexpr int lanes = 64;
  /// Tiles of one instruction.
  static constexpr int tiles = 4;
  /// Vectors that one instruction serves.
  static constexpr int max_columns = 4;

  /// The block, and so the tile, that a lane's elements of A, B and D belong to.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int tile(int lane) { return lane / 4 % 4; }

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int a_row(int lane) { return lane % 4; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int a_col(int lane) { return lane / 16; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int b_row(int lane) { return lane / 16; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int b_col(int lane) { return lane % 4; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int d_row(int lane) { return lane / 16; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int d_col(int lane) { return lane % 4; }

  /// The place of the tile that a lane's element of A is: 4 r + c.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int place(int lane) {
    return tile_size * a_row(lane) + a_col(lane);
  }
  /// A lane of tile `t`.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int lane_of(int t) { return 4 * t; }
  /// Distances to the lanes with the same place of D in the other tiles.
  static constexpr int first_neighbour = 4;
  static constexpr int second_neighbour = 8;
};

}  // namespace tessera::kernels::hip
