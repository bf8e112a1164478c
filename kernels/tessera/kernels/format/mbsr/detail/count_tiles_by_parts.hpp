// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The first pass from CSR to mBSR on a device, one warp per part of tile rows.
#pragma once

#include "tessera/kernels/format/mbsr/detail/staged_pattern.hpp"
#include "tessera/kernels/format/mbsr/detail/tile_offsets.hpp"

namespace tessera::kernels::detail {

/// Tiles of each tile row, or `not_ascending`, and where its values begin.
template <class Space, class Offset>
struct CountTilesByParts {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  using pattern_type = StagedPattern<Space, Offset>;

  pattern_type pattern;
  TileRowSizes<Space> sizes;

  struct Scratch {
    Ordinal* columns;
    std::int32_t* counts;  ///< of each lane
    int* taken;  ///< of each row of a window
    int* starts;  ///< of each row of a part
  };
  KOKKOS_INLINE_FUNCTION static int scratch_length(const TileParts& parts) {
    return parts.capacity + part_lanes + tile_size + pattern_type::max_starts(parts);
  }
  static std::size_t scratch_bytes(const TileParts& parts) {
    return scratch_length(parts) * sizeof(std::int32_t);
  }

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    auto* const columns = part_scratch<Ordinal>(member, scratch_length(pattern.parts));
    auto* const counts = columns + pattern.parts.capacity;
    const Scratch scratch{columns, counts, counts + part_lanes, counts + part_lanes + tile_size};
    for_part(
        member, pattern.parts, tiles_for(pattern.num_rows),
        [&](Ordinal i) { return pattern.first_entry(i); },
        [&](Ordinal first, Ordinal last) { short_rows(member, scratch, first, last); },
        [&](Ordinal tile_row) { long_row(member, scratch, tile_row); });
  }

  KOKKOS_INLINE_FUNCTION void short_rows(const Member& member, const Scratch& scratch,
                                         Ordinal first, Ordinal last) const {
    const int lanes_per_row = pattern.parts.lanes_per_row;
    const Offset begin = pattern.first_entry(first);
    const auto length = static_cast<int>(pattern.first_entry(last) - begin);
    for_lanes(member, [&](const int lane) {
      pattern.stage_rows(lane, first, last, begin, length, scratch.columns, scratch.starts);
    });
    for_lanes(member, [&](const int lane) {
      if (first + lane / lanes_per_row >= last) return;
      const TileRowSpan<int> span = staged_span(scratch.starts, lane / lanes_per_row);
      const int share = lane % lanes_per_row;
      scratch.counts[lane] =
          ascends(scratch.columns, span, share, lanes_per_row)
              ? TileRowShare(scratch.columns, span, share, lanes_per_row, no_limit).count_tiles()
              : not_ascending;
    });
    for_lanes(member, [&](const int lane) {
      if (lane >= last - first) return;
      sizes.store(first + lane, begin + scratch.starts[tile_size * (lane + 1)],
                  sum_counts(scratch.counts + lane * lanes_per_row, lanes_per_row));
    });
  }

  KOKKOS_INLINE_FUNCTION void long_row(const Member& member, const Scratch& scratch,
                                       Ordinal tile_row) const {
    const TileRowSpan<Offset> span = pattern.span(tile_row);
    for_lanes(member, [&](const int lane) {
      scratch.counts[lane] =
          ascends(pattern.columns.data(), span, lane, part_lanes) ? 0 : not_ascending;
    });
    std::int32_t tiles = sum_counts(scratch.counts, part_lanes);
    TileRowWindow<Offset> window(span, pattern.parts.capacity);
    while (tiles != not_ascending && !window.is_empty()) {
      const Ordinal limit = window.limit(pattern.columns.data());
      const TileRowSpan<int> staged = window.span();
      pattern.stage_window(member, window, staged, scratch.columns);
      for_lanes(member, [&](const int lane) {
        scratch.counts[lane] =
            TileRowShare(scratch.columns, staged, lane, part_lanes, limit).count_tiles();
        count_taken(lane, scratch.columns, staged, limit, scratch.taken);
      });
      tiles += sum_counts(scratch.counts, part_lanes);
      window.advance(scratch.taken);
    }
    Kokkos::single(Kokkos::PerThread(member),
                   [&] { sizes.store(tile_row, span.begin[tile_size], tiles); });
  }

 private:
  static constexpr Ordinal no_limit = TileRowCursor<int>::past_the_end;

  KOKKOS_INLINE_FUNCTION static std::int32_t sum_counts(const std::int32_t* counts, int lanes) {
    std::int32_t sum = 0;
    bool ascending = true;
    for (int i = 0; i < lanes; ++i) {
      ascending = ascending && counts[i] != not_ascending;
      sum += counts[i];
    }
    return ascending ? sum : not_ascending;
  }
};

}  // namespace tessera::kernels::detail
