// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How the lanes of a warp multiply one tile row by eight or sixteen vectors, for m16n8k8 in TF32.
///
/// The vectors are A (16 by 8) here, transposed: rows 0 to 7 the high pieces of eight vectors, rows
/// 8 to 15 the low ones, and along k the parts of x of two tiles, so that a lane reads an element
/// of x once and has use for both its pieces. B (8 by 8) is the two tiles, transposed, one above
/// the other: columns 2 r and 2 r + 1 are the two pieces of row r. C then has, for every vector and
/// every row, the four products of the pieces in one lane.
///
/// Two tiles and eight vectors per instruction. Where values are floats nothing is wasted; where
/// one piece holds them the odd columns are zeros.
#pragma once

#include "tessera/kernels/spmv/cuda/tile_pairs.hpp"

namespace tessera::kernels::cuda {

inline constexpr int vectors_per_group = 8;

/// One lane of a warp, as `TileRowsInFloat` asks for it; `groups` of eight vectors.
template <class Storage, TileLayout layout, int groups>
class TileRowAndVectors {
 public:
  static constexpr int tile_rows = 1;
  static constexpr int max_columns = groups * vectors_per_group;
  static constexpr int instructions = groups;
  static constexpr int results = groups;

  struct Operands {
    MmaTf32::A a[instructions];
    MmaTf32::B b;
  };

  KOKKOS_FORCEINLINE_FUNCTION TileRowAndVectors(const detail::TileArrays<Storage, float>& arrays,
                                                Ordinal tile_row, int lane)
      : m_arrays(arrays), m_tiles(arrays, tile_row, lane), m_lane(lane), m_tile_row(tile_row) {}

  /// Calls of `next` for the whole tile row.
  KOKKOS_FORCEINLINE_FUNCTION int steps() const { return m_tiles.pairs(); }

  /// The operands of two tiles.
  KOKKOS_FORCEINLINE_FUNCTION Operands next() {
    Operands result;
    const Two<float> values = tile_values();
    for (int c = 0; c < 2; ++c)
      result.b.part[c] = value_piece(values.of[c]);
    for (int group = 0; group < groups; ++group) {
      const Two<float> x = m_tiles.x(column(group));
      for (int c = 0; c < 2; ++c) {
        const FloatPieces split = FloatPieces::of(x.of[c]);
        result.a[group].part[2 * c] = split.high;
        result.a[group].part[2 * c + 1] = split.low;
      }
    }
    m_tiles.next();
    return result;
  }

  /// Takes what an instruction gave.
  KOKKOS_FORCEINLINE_FUNCTION void add(int group, const MmaTf32::C& c) { m_sums[group] += c; }

  /// Whether this lane has the sum of its row for its vector of `group`.
  KOKKOS_FORCEINLINE_FUNCTION bool has_result(int group) const {
    return row() < m_arrays.num_rows && column(group) < m_arrays.active;
  }
  KOKKOS_FORCEINLINE_FUNCTION Ordinal row() const {
    return tile_size * m_tile_row + MmaTf32::c_col(m_lane, 0) / 2;
  }
  KOKKOS_FORCEINLINE_FUNCTION int column(int group) const {
    return vectors_per_group * group + MmaTf32::c_row(m_lane, 0);
  }
  KOKKOS_FORCEINLINE_FUNCTION float sum(int group) const {
    const float (&c)[4] = m_sums[group].part;
    const float of_high = FloatPieces::joined(c[0], c[2]);
    return value_pieces<Storage> == 1
               ? of_high
               : FloatPieces::joined(of_high, FloatPieces::joined(c[1], c[3]));
  }

 private:
  /// Columns of B: a row of the tile, and a piece.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool has_low_piece(int lane) {
    return MmaTf32::b_col(lane) % 2 == 1;
  }

  KOKKOS_FORCEINLINE_FUNCTION Two<float> tile_values() const {
    if (value_pieces<Storage> == 1 && has_low_piece(m_lane)) return {0, 0};
    return m_tiles.values(MmaTf32::b_col(m_lane) / 2);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t value_piece(float value) const {
    if constexpr (value_pieces<Storage> == 1) {
      return tessera::detail::bit_cast<std::uint32_t>(value);
    } else {
      const FloatPieces split = FloatPieces::of(value);
      return has_low_piece(m_lane) ? split.low : split.high;
    }
  }

  const detail::TileArrays<Storage, float>& m_arrays;
  TilePairs<Storage, layout> m_tiles;
  int m_lane;
  Ordinal m_tile_row;
  MmaTf32::C m_sums[groups] = {};
};

}  // namespace tessera::kernels::cuda
