// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The second pass from CSR to mBSR on a device, one warp per part of tile rows.
///
/// The merge writes one word for each entry at its packed place in shared memory: where the entry
/// is in the stage, and with the first of a tile the map. The values are then gathered, which takes
/// them from the few lines that they share with their neighbours, and stored one after the other;
/// the tiles are numbered by the lanes that hold first entries.
#pragma once

#include "tessera/kernels/format/mbsr/detail/staged_pattern.hpp"
#include "tessera/kernels/format/mbsr/detail/tile_target.hpp"
#include "tessera/kernels/format/prefetch.hpp"

namespace tessera::kernels::detail {

/// An entry in packed order: its place in the stage, its place in its tile, and the map of the tile
/// if it is the first, else 0.
struct PackedEntry {
  static constexpr int stage_bits = 12;
  static constexpr int place_bits = 4;
  static constexpr int max_staged = 1 << stage_bits;

  std::uint32_t bits;

  KOKKOS_INLINE_FUNCTION static std::uint32_t pack(int place, int staged) {
    return static_cast<std::uint32_t>(place << stage_bits | staged);
  }
  KOKKOS_INLINE_FUNCTION static std::uint32_t pack_map(std::uint32_t map) {
    return map << (stage_bits + place_bits);
  }
  KOKKOS_INLINE_FUNCTION int staged() const { return static_cast<int>(bits % max_staged); }
  KOKKOS_INLINE_FUNCTION int place() const {
    return static_cast<int>(bits >> stage_bits) % tile_places;
  }
  KOKKOS_INLINE_FUNCTION std::uint32_t map() const { return bits >> (stage_bits + place_bits); }
};

/// Writes tiles and values of a matrix whose tiles are counted.
template <class Storage, class Scalar, class Space, class Offset>
struct FillTilesByParts {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  using pattern_type = StagedPattern<Space, Offset>;

  pattern_type pattern;
  ArrayView<const Scalar, Space> values;
  TileTarget<Storage, Space> target;

  struct Scratch {
    PackedEntry* entries;
    Ordinal* columns;
    int* taken;  ///< of each row of a window
    int* starts;  ///< of each row of a part
  };
  KOKKOS_INLINE_FUNCTION static int rest_length(const TileParts& parts) {
    return parts.capacity + tile_size + pattern_type::max_starts(parts);
  }
  static std::size_t scratch_bytes(const TileParts& parts) {
    return parts.capacity * sizeof(PackedEntry) + rest_length(parts) * sizeof(std::int32_t);
  }

  /// Merged entries: where they came from, and where they go.
  struct Merged {
    int length;
    std::int32_t first_tile;
    std::int64_t first_value;
    Offset source[tile_size];  ///< row r: what to add to a place in the stage

    KOKKOS_INLINE_FUNCTION Offset source_of(PackedEntry entry) const {
      const int r = entry.place() / tile_size;
      const Offset upper = r == 1 ? source[1] : source[0];
      const Offset lower = r == 3 ? source[3] : source[2];
      return (r < 2 ? upper : lower) + static_cast<Offset>(entry.staged());
    }
  };

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    auto* const entries = part_scratch<PackedEntry>(member, pattern.parts.capacity);
    auto* const columns = part_scratch<Ordinal>(member, rest_length(pattern.parts));
    int* const taken = columns + pattern.parts.capacity;
    const Scratch scratch{entries, columns, taken, taken + tile_size};
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
    const std::int32_t first_tile = target.tile_offsets(first);
    for_lanes(member, [&](const int lane) {
      ask_for_values(lane, begin, length);
      pattern.stage_rows(lane, first, last, begin, length, scratch.columns, scratch.starts);
    });
    for_lanes(member, [&](const int lane) {
      if (first + lane / lanes_per_row >= last) return;
      const TileRowSpan<int> span = staged_span(scratch.starts, lane / lanes_per_row);
      TileRowShare share(scratch.columns, span, lane % lanes_per_row, lanes_per_row,
                         TileRowCursor<int>::past_the_end);
      merge(share, scratch.entries + span.begin[0]);
    });
    write(member, scratch, Merged{length, first_tile, begin, {begin, begin, begin, begin}});
  }

  KOKKOS_INLINE_FUNCTION void long_row(const Member& member, const Scratch& scratch,
                                       Ordinal tile_row) const {
    const TileRowSpan<Offset> span = pattern.span(tile_row);
    TileRowWindow<Offset> window(span, pattern.parts.capacity);
    Merged merged{0, target.tile_offsets(tile_row), span.begin[0], {}};
    while (!window.is_empty()) {
      const Ordinal limit = window.limit(pattern.columns.data());
      const TileRowSpan<int> staged = window.span();
      pattern.stage_window(member, window, staged, scratch.columns);
      for_lanes(member, [&](const int lane) {
        TileRowShare share(scratch.columns, staged, lane, part_lanes, limit);
        merge(share, scratch.entries);
        count_taken(lane, scratch.columns, staged, limit, scratch.taken);
      });
      for (int r = 0; r < tile_size; ++r)
        merged.source[r] = window.at[r] - staged.begin[r];
      merged.length = window.advance(scratch.taken);
      merged.first_tile += write(member, scratch, merged);
      merged.first_value += merged.length;
    }
  }

 private:
  /// Values come closer while columns are merged. By one lane of all.
  KOKKOS_INLINE_FUNCTION void ask_for_values(int lane, Offset begin, int length) const {
    constexpr int sector = 32 / sizeof(Scalar);
    for (int i = sector * lane; i < length; i += sector * part_lanes)
      prefetch_on_device(values.data() + begin + i);
  }

  KOKKOS_INLINE_FUNCTION static void merge(TileRowShare& share, PackedEntry* entries) {
    int next = share.position;
    for (Ordinal tile = share.cursor.tile_column(); tile < share.end;
         tile = share.cursor.tile_column()) {
      const int first = next;
      std::uint32_t map = 0;
      share.cursor.take(tile, [&](const int place, const int staged) {
        map |= 1u << place;
        entries[next++].bits = PackedEntry::pack(place, staged);
      });
      entries[first].bits |= PackedEntry::pack_map(map);
    }
  }

  /// Returns the number of tiles.
  KOKKOS_INLINE_FUNCTION std::int32_t write(const Member& member, const Scratch& scratch,
                                            const Merged& merged) const {
    std::int32_t tiles = 0;
    if constexpr (is_host_space<Space>) {
      for (int p = 0; p < merged.length; ++p)
        write_entries<1, 1>(0, p, scratch, merged, tiles);
    } else {
      constexpr int at_once = 4;
      for_lanes(member, [&](const int lane) {
        for (int p = 0; p < merged.length; p += at_once * part_lanes)
          write_entries<at_once, part_lanes>(lane, p, scratch, merged, tiles);
      });
    }
    return tiles;
  }

  /// Entries `first` and on, `at_once` a lane, by all `lanes` lanes in step; those that begin a
  /// tile are added to `tiles`, the number of tiles before.
  template <int at_once, int lanes>
  KOKKOS_INLINE_FUNCTION void write_entries(int lane, int first, const Scratch& scratch,
                                            const Merged& merged, std::int32_t& tiles) const {
    const bool is_packed = target.layout == TileLayout::packed;
    PackedEntry entries[at_once];
    Scalar loaded[at_once] = {};
    for (int q = 0; q < at_once; ++q) {
      const int p = first + q * lanes + lane;
      entries[q] = p < merged.length ? scratch.entries[p] : PackedEntry{0};
      if (is_packed && p < merged.length) loaded[q] = values(merged.source_of(entries[q]));
    }
    for (int q = 0; q < at_once; ++q) {
      const std::uint32_t begin_tiles = lanes_where<lanes>(entries[q].map() != 0);
      const int through = count_bits(begin_tiles & ((2u << lane) - 1));
      if (first + q * lanes + lane < merged.length)
        write_tile(scratch, merged, entries[q], merged.first_tile + tiles + through - 1);
      tiles += count_bits(begin_tiles);
    }
    for (int q = 0; q < at_once; ++q) {
      const int p = first + q * lanes + lane;
      if (is_packed && p < merged.length)
        target.values(merged.first_value + p) = target.stored(loaded[q]);
    }
  }

  /// The tile if `entry` is its first, and the entry's value if tiles are dense.
  KOKKOS_INLINE_FUNCTION void write_tile(const Scratch& scratch, const Merged& merged,
                                         PackedEntry entry, std::int32_t tile) const {
    const std::uint32_t map = entry.map();
    if (map != 0) {
      target.tile_columns(tile) = tile_of(scratch.columns[entry.staged()]);
      target.maps(tile) = static_cast<TileMap>(map);
    }
    if (target.layout == TileLayout::packed) return;
    Storage* const places = target.values.data() + target.dense_start(tile);
    places[entry.place()] = target.stored(values(merged.source_of(entry)));
    if (map == 0) return;
    for (int place = 0; place < tile_places; ++place)
      if ((map >> place & 1u) == 0) places[place] = Storage(0);
  }
};

}  // namespace tessera::kernels::detail
