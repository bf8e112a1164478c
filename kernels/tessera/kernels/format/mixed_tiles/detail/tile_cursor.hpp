// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Goes through the tiles of a row of tiles, whose rows of entries are sorted by column, by merging
/// these: one lane per row on a device, one lane for all rows on a host.
#pragma once

#include "tessera/kernels/execution/lane_group.hpp"
#include "tessera/kernels/format/csr.hpp"

namespace tessera::kernels::detail {

/// `combine` over a group, to each of its lanes. Called by all lanes of a warp.
template <class T, class Combine>
KOKKOS_INLINE_FUNCTION T combine_lanes(const LaneGroup& group, T value, const Combine& combine) {
  for (int distance = group.size() / 2; distance > 0; distance /= 2)
    value = combine(value, group.from_lane(value, group.lane() ^ distance));
  return value;
}

/// Of the entries before lane's own, in the order of lanes: the sum of `value` over lower lanes.
template <class T>
KOKKOS_INLINE_FUNCTION T sum_of_lanes_before(const LaneGroup& group, T value) {
  T sum = value;
  for (int distance = 1; distance < group.size(); distance *= 2) {
    const int source = group.lane() >= distance ? group.lane() - distance : 0;
    const T other = group.from_lane(sum, source);
    if (group.lane() >= distance) sum += other;
  }
  return sum - value;
}

/// Whether `flag` holds for any lane of the warp; called by all of them.
KOKKOS_INLINE_FUNCTION bool any_of_warp(bool flag) {
#if defined(__CUDA_ARCH__)
  return __any_sync(0xffffffffu, flag) != 0;
#elif defined(__HIP_DEVICE_COMPILE__)
  return __any(flag) != 0;
#else
  return flag;
#endif
}

/// All lanes of a warp call its functions together: see LaneGroup.
template <class Scalar, class Offset, int size, int lanes>
class TileCursor {
 public:
  /// Of a lane.
  static constexpr int num_rows = size / lanes;
  static constexpr Ordinal none = 0x7fffffff;

  KOKKOS_INLINE_FUNCTION TileCursor(const LaneGroup& group, Ordinal tile_row, Ordinal rows,
                                    const Offset* offsets, const Ordinal* columns)
      : m_columns(columns) {
    for (int k = 0; k < num_rows; ++k) {
      const std::int64_t row =
          static_cast<std::int64_t>(tile_row) * size + std::int64_t{group.lane()} * num_rows + k;
      m_next[k] = row < rows ? offsets[row] : Offset(0);
      m_end[k] = row < rows ? offsets[row + 1] : Offset(0);
      m_ahead[k] = m_next[k] < m_end[k] ? columns[m_next[k]] : none;
      m_begin[k] = m_next[k];
    }
  }

  /// Goes to the next tile; false, for the whole group, where there is none. Calls
  /// `function(k, value)` for each entry of the lane's k-th row there, duplicates added up.
  template <class Function>
  KOKKOS_INLINE_FUNCTION bool advance(const LaneGroup& group, const Scalar* values,
                                      const Function& function) {
    Ordinal least = none;
    for (int k = 0; k < num_rows; ++k)
      least = m_ahead[k] < least ? m_ahead[k] : least;
    least = combine_lanes(group, least, [](Ordinal a, Ordinal b) { return a < b ? a : b; });
    m_column = least / size;
    for (int k = 0; k < num_rows; ++k) {
      m_begin[k] = m_next[k];
      Ordinal column = m_ahead[k];
      if (column == none || column / size != m_column) continue;
      Scalar value = values[m_next[k]];
      for (;;) {
        ++m_next[k];
        const Ordinal after = m_next[k] < m_end[k] ? m_columns[m_next[k]] : none;
        if (after == column) {
          value += values[m_next[k]];
          continue;
        }
        function(k, value);
        if (after < column) m_is_sorted = false;
        column = after;
        if (column == none || column / size != m_column) break;
        value = values[m_next[k]];
      }
      m_ahead[k] = column;
    }
    return least != none;
  }

  KOKKOS_INLINE_FUNCTION Ordinal column() const { return m_column; }
  /// Whether the rows were in order as far as they were seen.
  KOKKOS_INLINE_FUNCTION bool is_sorted() const { return m_is_sorted; }

  /// Calls `function(column within the tile, value)` for the entries of the lane's k-th row in the
  /// tile, duplicates added up.
  template <class Function>
  KOKKOS_INLINE_FUNCTION void for_entries(int k, const Scalar* values,
                                          const Function& function) const {
    for (Offset e = m_begin[k]; e < m_next[k];) {
      const Ordinal column = m_columns[e];
      Scalar value = values[e];
      while (++e < m_next[k] && m_columns[e] == column)
        value += values[e];
      function(static_cast<int>(column % size), value);
    }
  }

 private:
  const Ordinal* m_columns;
  Offset m_next[num_rows];
  Offset m_end[num_rows];
  Offset m_begin[num_rows];
  Ordinal m_ahead[num_rows];  ///< the column of the next entry, `none` at the end
  Ordinal m_column = none;
  bool m_is_sorted = true;
};

}  // namespace tessera::kernels::detail
