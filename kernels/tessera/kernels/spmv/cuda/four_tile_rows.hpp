// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How the lanes of a warp multiply four tile rows by one vector, for the instruction m16n8k8.
///
/// A (16 by 8) is 4 by 2 tiles: two neighbours of each of the four tile rows. The 8 columns of B
/// are 4 by 2 too: two for each tile row, the two pieces of its parts of x, the first tile's above
/// the second's. Of C each tile row takes its own two columns, a quarter of C in all; nothing of A
/// and B is wasted.
///
///         columns of B:   0 1   2 3   4 5   6 7
///     tile row 0  [a0 a1]  *     .     .     .
///     tile row 1  [a2 a3]  .     *     .     .
///     tile row 2  [a4 a5]  .     .     *     .
///     tile row 3  [a6 a7]  .     .     .     *
///
/// Eight tiles per instruction; two instructions where values are floats, one for each piece. (BF16
/// and FP16 have 8 and 11 bits for x as well. m16n8k16 takes 4 by 4 tiles, but x then has three
/// pieces and a second instruction for the third, which comes to eight tiles per instruction again;
/// the exponents of FP16 would not hold x besides.)
#pragma once

#include "tessera/kernels/spmv/cuda/tile_pairs.hpp"

namespace tessera::kernels::cuda {

/// One lane of a warp, as `TileRowsInFloat` asks for it.
template <class Storage, TileLayout layout>
class FourTileRows {
 public:
  static constexpr int tile_rows = 4;
  static constexpr int max_columns = 1;
  /// One for each piece of the values.
  static constexpr int instructions = value_pieces<Storage>;
  static constexpr int results = 1;

  struct Operands {
    MmaTf32::A a[instructions];
    MmaTf32::B b;
  };

  /// `first`: the first of the tile rows, of which some may lie beyond the last of the matrix.
  KOKKOS_FORCEINLINE_FUNCTION FourTileRows(const detail::TileArrays<Storage, float>& arrays,
                                           Ordinal first, int lane)
      : m_arrays(arrays),
        m_lane(lane),
        m_first(first),
        m_of_a{{arrays, first + a_tile_row(lane, 0), lane},
               {arrays, first + a_tile_row(lane, 1), lane}},
        m_of_x(arrays, first + x_tile_row(lane), lane) {}

  /// Calls of `next` until the tile rows of this lane's values are at an end; the warp makes as
  /// many as any needs.
  KOKKOS_FORCEINLINE_FUNCTION int steps() const {
    return Kokkos::max(m_of_a[0].pairs(), m_of_a[1].pairs());
  }

  /// The operands of two tiles of each tile row.
  KOKKOS_FORCEINLINE_FUNCTION Operands next() {
    Operands result;
    const Two<float> x = m_of_x.x(0);
    for (int c = 0; c < 2; ++c) {
      const FloatPieces split = FloatPieces::of(x.of[c]);
      result.b.part[c] = has_low_piece(m_lane) ? split.low : split.high;
    }
    m_of_x.next();
    for (int i = 0; i < 2; ++i) {
      const Two<float> values = m_of_a[i].values(row_of_tile(m_lane));
      for (int c = 0; c < 2; ++c)
        set_value(result, i + 2 * c, values.of[c]);
      m_of_a[i].next();
    }
    return result;
  }

  /// Takes what an instruction gave.
  KOKKOS_FORCEINLINE_FUNCTION void add(int piece, const MmaTf32::C& c) { m_sums[piece] += c; }

  /// Whether this lane has a row's sum.
  KOKKOS_FORCEINLINE_FUNCTION bool has_result(int) const {
    const bool of_tile_row = MmaTf32::c_row(m_lane, c_part()) / tile_size == result_tile_row();
    return of_tile_row && m_first + result_tile_row() < m_arrays.num_tile_rows() &&
           row() < m_arrays.num_rows;
  }
  KOKKOS_FORCEINLINE_FUNCTION Ordinal row() const {
    return tile_size * (m_first + result_tile_row()) + row_of_tile(m_lane);
  }
  KOKKOS_FORCEINLINE_FUNCTION int column(int) const { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION float sum(int) const {
    const float high = of_piece(0);
    return instructions == 1 ? high : FloatPieces::joined(high, of_piece(instructions - 1));
  }

 private:
  /// A lane's parts of A lie in two tile rows: parts 0 and 2 in one, 1 and 3 in the other.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int a_tile_row(int lane, int part) {
    return MmaTf32::a_row(lane, part) / tile_size;
  }
  /// The row of the tile that all its parts of A and C lie in.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int row_of_tile(int lane) {
    return MmaTf32::a_row(lane, 0) % tile_size;
  }
  /// Columns of B: a tile row and a piece.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int x_tile_row(int lane) {
    return MmaTf32::b_col(lane) / 2;
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool has_low_piece(int lane) {
    return MmaTf32::b_col(lane) % 2 == 1;
  }
  /// The tile row whose columns of C this lane has.
  KOKKOS_FORCEINLINE_FUNCTION int result_tile_row() const { return MmaTf32::c_col(m_lane, 0) / 2; }
  /// The first part of C in that tile row, if any is.
  KOKKOS_FORCEINLINE_FUNCTION int c_part() const { return result_tile_row() < 2 ? 0 : 2; }

  KOKKOS_FORCEINLINE_FUNCTION static void set_value(Operands& operands, int part, float value) {
    if constexpr (instructions == 1) {
      operands.a[0].part[part] = tessera::detail::bit_cast<std::uint32_t>(value);
    } else {
      const FloatPieces split = FloatPieces::of(value);
      operands.a[0].part[part] = split.high;
      operands.a[1].part[part] = split.low;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION float of_piece(int piece) const {
    const float (&c)[4] = m_sums[piece].part;
    return c_part() == 0 ? FloatPieces::joined(c[0], c[1]) : FloatPieces::joined(c[2], c[3]);
  }

  const detail::TileArrays<Storage, float>& m_arrays;
  int m_lane;
  Ordinal m_first;
  TilePairs<Storage, layout> m_of_a[2];
  TilePairs<Storage, layout> m_of_x;
  MmaTf32::C m_sums[instructions] = {};
};

}  // namespace tessera::kernels::cuda
