// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How the lanes of a warp hold two tiles of one tile row, their pieces of up to four vectors, and
/// the products, for the instruction m8n8k4 (AmgT paper, section IV.D.2 and figure 5).
///
/// The tiles lie one above the other in A (8 by 4). B (4 by 8) holds the first tile's piece of the
/// vectors in columns 0 to 3 and the second's in columns 4 to 7, so that of C (8 by 8) the upper
/// left and the lower right 4 by 4 are wanted. Sums over many pairs stay in C; the two corners are
/// added once at the end. A single vector uses one column of four, and costs no more: the values of
/// A are what the memory must deliver, and each lane loads exactly one of them.
#pragma once

#include "tessera/kernels/execution/cuda/mma_f64.hpp"
#include "tessera/kernels/format/tile_map.hpp"

namespace tessera::kernels::cuda {

struct TilePair {
  /// Vectors that one instruction serves.
  static constexpr int max_columns = 4;

  /// Which of the two tiles per lane's elements of A and B belong to.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int tile(int lane) {
    return MmaF64::a_row(lane) / tile_size;
  }
  /// The place of the tile that a lane's element of A is: 4 r + c.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int place(int lane) {
    return tile_size * (MmaF64::a_row(lane) % tile_size) + MmaF64::a_col(lane);
  }
  /// The row of the tile's piece of the vectors that a lane's element of B is.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int x_row(int lane) { return MmaF64::b_row(lane); }
  /// The vector that a lane's element of B belongs to.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int x_column(int lane) {
    return MmaF64::b_col(lane) % max_columns;
  }

  /// Lanes that hold results of the first tile; `partner(lane)` holds the second's.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool has_result(int lane) {
    return MmaF64::c_row(lane) < tile_size && MmaF64::c_col(lane, 0) < max_columns;
  }
  /// The lane four rows and four columns on.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int partner(int lane) { return lane + 18; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int result_row(int lane) {
    return MmaF64::c_row(lane);
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int result_column(int lane, int which) {
    return MmaF64::c_col(lane, which);
  }
};

static_assert(MmaF64::c_row(TilePair::partner(0)) == tile_size &&
              MmaF64::c_col(TilePair::partner(0), 0) == TilePair::max_columns);

}  // namespace tessera::kernels::cuda
