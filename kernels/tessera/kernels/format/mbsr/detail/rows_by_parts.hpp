// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// mBSR to CSR on a device, one warp per part of tile rows: the way of tiles_by_parts.hpp
/// backwards.
///
/// Lanes go through the maps and write one word for each entry, at its place among the entries of
/// the part's rows: where its value is, in which tile, and where there. Columns and values are then
/// gathered, and stored one after the other.
#pragma once

#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/format/mbsr/detail/for_each_tile.hpp"
#include "tessera/kernels/format/mbsr/detail/tile_parts.hpp"
#include "tessera/kernels/format/mbsr/detail/tile_row.hpp"

namespace tessera::kernels::detail {

/// The arrays of CSR that a conversion writes.
template <class Scalar, class Offset, class Space>
struct RowTarget {
  Ordinal num_rows;
  std::size_t num_entries;
  Array<Offset, Space> offsets;
  Array<Ordinal, Space> columns;
  Array<Scalar, Space> values;

  /// Nothing for a row past the last.
  KOKKOS_INLINE_FUNCTION void begin_row(Ordinal row, std::int64_t start) const {
    if (row >= num_rows) return;
    offsets(row) = static_cast<Offset>(start);
    if (row == num_rows - 1) offsets(num_rows) = static_cast<Offset>(num_entries);
  }
};

/// An entry in the order of rows: its place among the packed values of the stage, its tile among
/// those of the stage, and its place there.
struct RowEntry {
  static constexpr int stage_bits = 12;
  static constexpr int max_staged = 1 << stage_bits;

  std::uint32_t bits;

  KOKKOS_INLINE_FUNCTION static RowEntry pack(int packed, int tile, int place) {
    return {static_cast<std::uint32_t>((place << stage_bits | tile) << stage_bits | packed)};
  }
  KOKKOS_INLINE_FUNCTION int packed() const { return static_cast<int>(bits % max_staged); }
  KOKKOS_INLINE_FUNCTION int tile() const {
    return static_cast<int>(bits >> stage_bits) % max_staged;
  }
  KOKKOS_INLINE_FUNCTION int place() const { return static_cast<int>(bits >> 2 * stage_bits); }
};

/// The entries of each row of some tiles: four numbers of 16 bits, row r in bits 16 r and up.
struct RowCounts {
  static constexpr int field_bits = 16;

  std::uint64_t bits = 0;

  KOKKOS_INLINE_FUNCTION void add(std::uint32_t map) {
    const std::uint64_t counts = row_counts(map);
    for (int r = 0; r < tile_size; ++r)
      bits += (counts >> (tile_size * r) & 0xfu) << (field_bits * r);
  }
  KOKKOS_INLINE_FUNCTION int of(int r) const {
    return static_cast<int>(bits >> (field_bits * r) & 0xffffu);
  }
  KOKKOS_INLINE_FUNCTION int sum() const { return of(0) + of(1) + of(2) + of(3); }
};

template <class Scalar, class Offset, class Storage, class Space>
struct RowsByParts {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;

  MbsrView<Storage, Space> A;
  TileParts parts;
  ArrayView<const std::int64_t, Space> entries_before;  ///< by tile row
  RowTarget<Scalar, Offset, Space> target;

  struct Scratch {
    RowCounts* counts;  ///< of each lane
    RowEntry* entries;
    TileMap* maps;
  };
  std::size_t scratch_bytes() const {
    return part_lanes * sizeof(RowCounts) + parts.capacity * (sizeof(RowEntry) + sizeof(TileMap)) +
           sizeof(RowCounts);  // for the alignment of each
  }

  /// Tiles of a stage that belong to one tile row, and the lane of `shares` that takes a part.
  struct Share {
    std::int32_t first, last;
    int position;  ///< of the tile row's entries in the stage

    KOKKOS_INLINE_FUNCTION Share(std::int32_t begin, std::int32_t end, int start, int share,
                                 int shares)
        : first(begin + share_of(end - begin, share, shares)),
          last(begin + share_of(end - begin, share + 1, shares)),
          position(start) {}
    KOKKOS_INLINE_FUNCTION static std::int32_t share_of(std::int32_t tiles, int share, int shares) {
      return tiles * share / shares;
    }
  };

  /// Entries of a stage: where they come from, and where they go.
  struct Staged {
    int length;
    std::int32_t first_tile;
    std::int64_t first_value;
    std::int64_t target[tile_size];  ///< row r: what to add to a place in the stage

    KOKKOS_INLINE_FUNCTION std::int64_t target_of(int r) const {
      const std::int64_t upper = r == 1 ? target[1] : target[0];
      const std::int64_t lower = r == 3 ? target[3] : target[2];
      return r < 2 ? upper : lower;
    }
  };

  struct Entry {
    Ordinal column;
    int row;
    Storage value;
  };

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    auto* const counts = part_scratch<RowCounts>(member, part_lanes);
    auto* const entries = part_scratch<RowEntry>(member, parts.capacity);
    const Scratch scratch{counts, entries, part_scratch<TileMap>(member, parts.capacity)};
    for_part(
        member, parts, A.num_tile_rows(), [&](Ordinal i) { return entries_before(i); },
        [&](Ordinal first, Ordinal last) { short_rows(member, scratch, first, last); },
        [&](Ordinal tile_row) { long_row(member, scratch, tile_row); });
  }

  KOKKOS_INLINE_FUNCTION void short_rows(const Member& member, const Scratch& scratch,
                                         Ordinal first, Ordinal last) const {
    const int lanes_per_row = parts.lanes_per_row;
    const std::int32_t first_tile = A.tile_offsets(first);
    const std::int64_t begin = entries_before(first);
    const auto share_of = [&](int lane) {
      const Ordinal tile_row = first + lane / lanes_per_row;
      return Share(A.tile_offsets(tile_row) - first_tile, A.tile_offsets(tile_row + 1) - first_tile,
                   static_cast<int>(entries_before(tile_row) - begin), lane % lanes_per_row,
                   lanes_per_row);
    };
    stage_maps(member, scratch, first_tile, A.tile_offsets(last));
    for_lanes(member, [&](const int lane) {
      if (first + lane / lanes_per_row < last) count(lane, scratch, share_of(lane));
    });
    for_lanes(member, [&](const int lane) {
      const Ordinal tile_row = first + lane / lanes_per_row;
      if (tile_row >= last) return;
      const Share share = share_of(lane);
      const RowCounts* const counts = scratch.counts + lane / lanes_per_row * lanes_per_row;
      place(lane % lanes_per_row, lanes_per_row, counts, share, scratch);
      if (lane % lanes_per_row == 0)
        begin_rows(tile_row, begin + share.position, sum_counts(counts, lanes_per_row));
    });
    write(member, scratch,
          Staged{static_cast<int>(entries_before(last) - begin),
                 first_tile,
                 begin,
                 {begin, begin, begin, begin}});
  }

  /// A stage takes as many tiles as fit at any number of entries.
  KOKKOS_INLINE_FUNCTION void long_row(const Member& member, const Scratch& scratch,
                                       Ordinal tile_row) const {
    std::int64_t next[tile_size];
    begin_long_row(member, tile_row, next);
    const std::int32_t max_tiles = parts.capacity / tile_places;
    const std::int32_t end = A.tile_offsets(tile_row + 1);
    Staged staged{0, A.tile_offsets(tile_row), entries_before(tile_row), {}};
    for (; staged.first_tile < end; staged.first_tile += max_tiles) {
      const std::int32_t tiles = Kokkos::min(max_tiles, end - staged.first_tile);
      stage_maps(member, scratch, staged.first_tile, staged.first_tile + tiles);
      for_lanes(member, [&](const int lane) {
        count(lane, scratch, Share(0, tiles, 0, lane, part_lanes));
      });
      for_lanes(member, [&](const int lane) {
        place(lane, part_lanes, scratch.counts, Share(0, tiles, 0, lane, part_lanes), scratch);
      });
      const RowCounts counts = sum_counts(scratch.counts, part_lanes);
      staged.length = 0;
      for (int r = 0; r < tile_size; ++r) {
        staged.target[r] = next[r] - staged.length;
        staged.length += counts.of(r);
        next[r] += counts.of(r);
      }
      write(member, scratch, staged);
      staged.first_value += staged.length;
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION void begin_rows(Ordinal tile_row, std::int64_t start,
                                         RowCounts counts) const {
    for (int r = 0; r < tile_size; ++r) {
      target.begin_row(tile_size * tile_row + r, start);
      start += counts.of(r);
    }
  }
  /// The same for a tile row of any number of entries; `starts` of its rows are returned.
  KOKKOS_INLINE_FUNCTION void begin_long_row(const Member& member, Ordinal tile_row,
                                             std::int64_t (&starts)[tile_size]) const {
    std::int64_t start = entries_before(tile_row);
    for (int r = 0; r < tile_size; ++r) {
      starts[r] = start;
      Kokkos::single(Kokkos::PerThread(member),
                     [&] { target.begin_row(tile_size * tile_row + r, starts[r]); });
      std::int64_t entries = 0;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(member, A.tile_offsets(tile_row), A.tile_offsets(tile_row + 1)),
          [&](const std::int32_t tile, std::int64_t& mine) {
            mine += count_bits(row_bits(A.maps(tile), r));
          },
          entries);
      start += entries;
    }
  }

  KOKKOS_INLINE_FUNCTION void stage_maps(const Member& member, const Scratch& scratch,
                                         std::int32_t first, std::int32_t last) const {
    for_lanes(member, [&](const int lane) {
      copy_by_lane<4>(
          lane, last - first, [&](int t) { return A.maps(first + t); },
          [&](int t, TileMap map) { scratch.maps[t] = map; });
    });
  }

  KOKKOS_INLINE_FUNCTION void count(int lane, const Scratch& scratch, const Share& share) const {
    RowCounts counts;
    for (std::int32_t t = share.first; t < share.last; ++t)
      counts.add(scratch.maps[t]);
    scratch.counts[lane] = counts;
  }

  KOKKOS_INLINE_FUNCTION static RowCounts sum_counts(const RowCounts* counts, int shares) {
    RowCounts sum;
    for (int i = 0; i < shares; ++i)
      sum.bits += counts[i].bits;
    return sum;
  }

  /// Writes the words of a share's entries, row by row of its tile row.
  KOKKOS_INLINE_FUNCTION void place(int share_number, int shares, const RowCounts* counts,
                                    const Share& share, const Scratch& scratch) const {
    const RowCounts before = sum_counts(counts, share_number);
    const RowCounts all = sum_counts(counts, shares);
    int next[tile_size];
    int start = share.position;
    for (int r = 0; r < tile_size; ++r) {
      next[r] = start + before.of(r);
      start += all.of(r);
    }
    int packed = share.position + before.sum();
    for (std::int32_t t = share.first; t < share.last; ++t) {
      const std::uint32_t map = scratch.maps[t];
      for (int r = 0; r < tile_size; ++r) {
        for_each_place(row_bits(map, r), [&](const int c) {
          scratch.entries[next[r]++] = RowEntry::pack(packed++, t, tile_size * r + c);
        });
      }
    }
  }

  KOKKOS_INLINE_FUNCTION void write(const Member& member, const Scratch& scratch,
                                    const Staged& staged) const {
    const bool is_packed = A.layout == TileLayout::packed;
    const auto load = [&](int p) {
      const RowEntry entry = scratch.entries[p];
      const std::int32_t tile = staged.first_tile + entry.tile();
      const std::int64_t value = is_packed ? staged.first_value + entry.packed()
                                           : std::int64_t(tile_places) * tile + entry.place();
      return Entry{tile_size * A.tile_columns(tile) + entry.place() % tile_size,
                   entry.place() / tile_size, A.values(value)};
    };
    const auto store = [&](int p, const Entry& entry) {
      const std::int64_t place = staged.target_of(entry.row) + p;
      target.columns(place) = entry.column;
      target.values(place) = static_cast<Scalar>(A.scale * static_cast<double>(entry.value));
    };
    for_lanes(member, [&](const int lane) { copy_by_lane<4>(lane, staged.length, load, store); });
  }
};

}  // namespace tessera::kernels::detail
