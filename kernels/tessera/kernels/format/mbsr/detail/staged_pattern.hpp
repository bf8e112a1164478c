// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The columns of CSR in the stage of a warp.
#pragma once

#include "tessera/kernels/format/mbsr/detail/tile_parts.hpp"
#include "tessera/kernels/format/mbsr/detail/tile_row_share.hpp"

namespace tessera::kernels::detail {

/// The pattern of a CSR matrix, and how a warp brings columns into its stage.
template <class Space, class Offset>
struct StagedPattern {
  ArrayView<const Offset, Space> offsets;
  ArrayView<const Ordinal, Space> columns;
  Ordinal num_rows;
  TileParts parts;

  KOKKOS_INLINE_FUNCTION Offset first_entry(Ordinal tile_row) const {
    return offsets(Kokkos::min(std::int64_t(tile_size) * tile_row, std::int64_t(num_rows)));
  }
  KOKKOS_INLINE_FUNCTION TileRowSpan<Offset> span(Ordinal tile_row) const {
    return TileRowSpan<Offset>(offsets, num_rows, tile_row);
  }

  /// Columns from entry `first` on. By one lane of all.
  template <int at_once>
  KOKKOS_INLINE_FUNCTION void stage(int lane, Offset first, int count, Ordinal* target) const {
    const Ordinal* const from = columns.data() + first;
    copy_by_lane<at_once>(
        lane, count, [&](int i) { return from[i]; },
        [&](int i, Ordinal column) { target[i] = column; });
  }
  /// The columns of tile rows `first` up to `last`, which are `length` from entry `begin` on, and
  /// where their rows begin among them, with the end of the last. By one lane of all.
  KOKKOS_INLINE_FUNCTION void stage_rows(int lane, Ordinal first, Ordinal last, Offset begin,
                                         int length, Ordinal* target, int* starts) const {
    constexpr int at_once = tile_size + 1;  // a lane's share of max_starts
    const Ordinal row = tile_size * first;
    const Ordinal rows = tile_size * (last - first);
    const Ordinal rows_left = num_rows - row;  // fewer where the last tile row is not full
    Offset loaded[at_once];
    for (int q = 0; q < at_once; ++q)
      loaded[q] = offsets(row + Kokkos::min(lane + q * part_lanes, Kokkos::min(rows, rows_left)));
    stage<8>(lane, begin, length, target);
    for (int q = 0; q < at_once; ++q) {
      if (lane + q * part_lanes <= rows)
        starts[lane + q * part_lanes] = static_cast<int>(loaded[q] - begin);
    }
  }
  KOKKOS_INLINE_FUNCTION static int max_starts(const TileParts& parts) {
    return tile_size * parts.rows() + 1;
  }
  template <class Member>
  KOKKOS_INLINE_FUNCTION void stage_window(const Member& member,
                                           const TileRowWindow<Offset>& window,
                                           const TileRowSpan<int>& span, Ordinal* target) const {
    for_lanes(member, [&](const int lane) {
      for (int r = 0; r < tile_size; ++r)
        stage<4>(lane, window.at[r], span.begin[r + 1] - span.begin[r], target + span.begin[r]);
    });
  }
};

/// The rows of a tile row among `starts` of rows, the `i`-th tile row of them.
KOKKOS_INLINE_FUNCTION TileRowSpan<int> staged_span(const int* starts, Ordinal i) {
  TileRowSpan<int> span;
  for (int r = 0; r <= tile_size; ++r)
    span.begin[r] = starts[tile_size * i + r];
  return span;
}

/// By one lane of all: taken[r] = the entries of row r in a window, those before `limit`.
KOKKOS_INLINE_FUNCTION void count_taken(int lane, const Ordinal* staged,
                                        const TileRowSpan<int>& span, Ordinal limit, int* taken) {
  for (int r = 0; r < tile_size; ++r) {
    const int begin = span.begin[r];
    if (lane == r) taken[r] = first_not_before(staged, begin, span.begin[r + 1], limit) - begin;
  }
}

}  // namespace tessera::kernels::detail
