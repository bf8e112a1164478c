// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a lane of the products with sums in float reads: two neighbouring places of a tile at a
/// time, and two neighbouring elements of x.
#pragma once

#include "tessera/kernels/execution/cuda/mma_tf32.hpp"
#include "tessera/kernels/precision/cuda/float_pieces.hpp"
#include "tessera/kernels/precision/float_pairs.hpp"
#include "tessera/kernels/spmv/mbsr/tile_arrays.hpp"

namespace tessera::kernels::cuda {

/// Numbers of TF32 that hold a value of `Storage`: the narrow ones are exact in one.
template <class Storage>
inline constexpr int value_pieces = std::is_same_v<Storage, float> ? 2 : 1;

/// The order of the sums in an instruction: it adds up over eight k, of which a lane has k and k +
/// 4, and any two columns of tiles may have these places if A and B agree. Two neighbours have, so
/// that a lane reads them together: lanes with k = 0, 1 those of the first of two tiles, with k =
/// 2, 3 those of the second.
struct ColumnPair {
  /// Which of the two tiles.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int tile(int lane) {
    return MmaTf32::b_row(lane, 0) / 2;
  }
  /// The first of the two columns.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int first(int lane) {
    return MmaTf32::b_row(lane, 0) % 2 * 2;
  }
};

/// Two neighbours, read at once where they are aligned.
template <class T>
struct Two {
  T of[2];

  KOKKOS_FORCEINLINE_FUNCTION static Two read(const T* from) {
    Two result;
    __builtin_memcpy(&result, __builtin_assume_aligned(from, sizeof(Two)), sizeof(Two));
    return result;
  }
  KOKKOS_FORCEINLINE_FUNCTION static bool is_aligned(const T* from) {
    return reinterpret_cast<std::uintptr_t>(from) % sizeof(Two) == 0;
  }
};

/// The tiles of a tile row two by two, as the lane reads them that has the columns from
/// `ColumnPair::first` on of every `ColumnPair::tile`th. Tiles beyond the last are empty.
template <class Storage, TileLayout layout>
class TilePairs {
 public:
  using Arrays = detail::TileArrays<Storage, float>;

  /// A tile row beyond the last has no tiles.
  KOKKOS_FORCEINLINE_FUNCTION TilePairs(const Arrays& arrays, Ordinal tile_row, int lane)
      : m_arrays(arrays), m_column(ColumnPair::first(lane)) {
    if (tile_row >= arrays.num_tile_rows()) return;
    m_tile = arrays.tile_offsets[tile_row] + ColumnPair::tile(lane);
    m_end = arrays.tile_offsets[tile_row + 1];
    m_pairs = (m_end - arrays.tile_offsets[tile_row] + 1) / 2;
    if constexpr (layout == TileLayout::packed) {
      m_value = arrays.value_offsets[tile_row];
      if (ColumnPair::tile(lane) == 1) m_value += count_bits(map(m_tile - 1));
    }
  }

  /// How often `next` may be called from the beginning until all tiles have been there.
  KOKKOS_FORCEINLINE_FUNCTION int pairs() const { return m_pairs; }

  KOKKOS_FORCEINLINE_FUNCTION void next() {
    if constexpr (layout == TileLayout::packed)
      m_value += count_bits(map(m_tile)) + count_bits(map(m_tile + 1));
    m_tile += 2;
  }

  /// The values of row `r`, 0 where there is no entry.
  KOKKOS_FORCEINLINE_FUNCTION Two<float> values(int r) const {
    const int place = tile_size * r + m_column;
    if constexpr (layout == TileLayout::packed) {
      const std::uint32_t here = map(m_tile) >> place;
      const Storage* const from = m_arrays.values + m_value + entries_before(map(m_tile), place);
      return {(here & 1u) != 0 ? static_cast<float>(from[0]) : 0.0f,
              (here & 2u) != 0 ? static_cast<float>(from[here & 1u]) : 0.0f};
    } else {
      if (m_tile >= m_end) return {0, 0};
      const Storage* const from =
          m_arrays.values + static_cast<std::int64_t>(tile_places) * m_tile + place;
      const auto both = Two<Storage>::is_aligned(from) ? Two<Storage>::read(from)
                                                       : Two<Storage>{from[0], from[1]};
      Two<float> values;
      to_floats(both.of, values.of);
      return values;
    }
  }

  /// The elements of vector `vector`; 0 where the tile has no entry in the column, which may lie
  /// beyond the last one of the matrix, and beyond the last vector.
  KOKKOS_FORCEINLINE_FUNCTION Two<float> x(int vector) const {
    constexpr std::uint32_t tile_column = 0x1111u;
    const std::uint32_t here = map(m_tile) >> m_column;
    const bool has_first = (here & tile_column) != 0;
    const bool has_second = (here >> 1 & tile_column) != 0;
    if (!(has_first || has_second) || vector >= m_arrays.active) return {0, 0};
    const Ordinal column = tile_size * m_arrays.tile_columns[m_tile] + m_column;
    const float* const from = m_arrays.x + column + vector * m_arrays.ldx;
    if (column + 1 < m_arrays.num_cols && Two<float>::is_aligned(from)) {
      const auto both = Two<float>::read(from);
      return {has_first ? both.of[0] : 0.0f, has_second ? both.of[1] : 0.0f};
    }
    return {has_first ? from[0] : 0.0f, has_second ? from[1] : 0.0f};
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t map(std::int32_t t) const {
    return t < m_end ? m_arrays.maps[t] : 0u;
  }

  const Arrays& m_arrays;
  int m_column;
  std::int32_t m_tile = 0;
  std::int32_t m_end = 0;
  int m_pairs = 0;
  std::int64_t m_value = 0;  ///< where the packed values of the tile begin
};

}  // namespace tessera::kernels::cuda
