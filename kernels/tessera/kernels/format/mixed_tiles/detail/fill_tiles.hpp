// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The second pass over a matrix that is cut into tiles: the tiles.
#pragma once

#include "tessera/kernels/format/mixed_tiles/detail/tile_rows.hpp"
#include "tessera/kernels/format/mixed_tiles/detail/tile_sums.hpp"

namespace tessera::kernels::detail {

/// The words of each tile, where they begin, and what else a product reads.
template <class Scalar, class Space, class Offset, int size>
struct FillTiles {
  using Rows = TileRows<Scalar, Space, Offset, size>;
  using Head = TileHead<size>;
  Rows rows;
  const TileNote* notes;
  TileSums<Offset> sums;
  Offset* tile_offsets;
  std::uint32_t* keys;
  Offset* begins;
  std::uint64_t* words;

  KOKKOS_FUNCTION void operator()(const typename Rows::Member& member) const {
    // Rows that are not sorted have more tiles than there may be room for.
    if (sums.of_all[TileTotals::place_of_unsorted] != 0) return;
    const LaneGroup group(Rows::lanes, member.team_rank());
    TileCounts<Offset> at = counts_before(group, member);
    rows.for_tile_rows(member, [&](Ordinal tile_row) { fill_row(group, tile_row, at); });
  }

 private:
  /// The tiles and words before those of the group.
  KOKKOS_INLINE_FUNCTION TileCounts<Offset> counts_before(
      const LaneGroup& group, const typename Rows::Member& member) const {
    const std::int64_t own = rows.group_number(member);
    const std::int64_t first =
        static_cast<std::int64_t>(member.league_rank()) * rows.groups_of_a_team();
    TileCounts<Offset> before;
    for (std::int64_t other = first + group.lane(); other < own; other += group.size())
      before += sums.of_groups[other];
    before.tiles = group.sum(before.tiles);
    before.words = group.sum(before.words);
    before += sums.before_teams[member.league_rank()];
    return before;
  }

  KOKKOS_INLINE_FUNCTION void fill_row(const LaneGroup& group, Ordinal tile_row,
                                       TileCounts<Offset>& at) const {
    const bool is_row = tile_row < rows.num_tile_rows;
    auto cursor = rows.cursor(group, tile_row);
    const TileNote* note = is_row ? notes + rows.first_note(tile_row) : notes;
    if (is_row && group.lane() == 0) tile_offsets[tile_row] = at.tiles;
    for (;;) {
      int entries[Rows::Cursor::num_rows] = {};
      const bool is_tile = cursor.advance(group, rows.values, [&](int k, Scalar) { ++entries[k]; });
      if (!any_of_warp(is_tile)) break;
      Head head;
      head.rows = rows_with_entries(group, entries);
      const int of_lane = sum_of(entries);
      const int before = sum_of_lanes_before(group, of_lane);
      head.entries = group.sum(of_lane);
      if (!is_tile) continue;
      const TileKind kind = note->kind();
      head.exponent = note->exponent();
      ++note;
      const auto num_words = static_cast<Offset>(head.num_words(kind));
      fill(group, cursor, head, kind, entries, before, words + at.words, num_words);
      if (group.lane() == 0) {
        keys[at.tiles] =
            static_cast<std::uint32_t>(cursor.column()) << 3 | static_cast<std::uint32_t>(kind);
        begins[at.tiles] = at.words;
      }
      at += {1, num_words};
    }
    if (tile_row + 1 == rows.num_tile_rows && group.lane() == 0) {
      tile_offsets[rows.num_tile_rows] = at.tiles;
      begins[at.tiles] = at.words;
    }
  }

  /// `entries`: of each of the lane's rows; `next`: of lower lanes' rows.
  KOKKOS_INLINE_FUNCTION void fill(const LaneGroup& group, const typename Rows::Cursor& cursor,
                                   const Head& head, TileKind kind,
                                   const int (&entries)[Rows::Cursor::num_rows], int next,
                                   std::uint64_t* tile, Offset num_words) const {
    constexpr int num_rows = Rows::Cursor::num_rows;
    auto* const bytes = reinterpret_cast<std::byte*>(tile);
    write_head(head, bytes, group);
    const int rows_of_tile = head.num_rows();
    auto* const starts = reinterpret_cast<typename Head::Start*>(bytes + Head::bytes);
    auto* const columns = reinterpret_cast<std::uint8_t*>(bytes + head.columns_at(rows_of_tile));
    with_tile_kind(kind, [&]<TileKind is>() {
      auto* const values = reinterpret_cast<TileValue<is>*>(
          bytes + head.values_at(rows_of_tile, bytes_of_tile_value(is)));
      constexpr bool is_own = is == own_tile_kind<Scalar>;
      const double factor = is_own ? 1 : power_of_two(TileValueOf<is>::top - head.exponent);
      for (int k = 0; k < num_rows; ++k) {
        if (entries[k] == 0) continue;
        const int number = head.rows_before(group.lane() * num_rows + k);
        if (number > 0) starts[number - 1] = static_cast<typename Head::Start>(next);
        cursor.for_entries(k, rows.values, [&](int column, Scalar value) {
          columns[next] = static_cast<std::uint8_t>(column);
          if constexpr (is_own) {
            values[next] = static_cast<TileValue<is>>(value);
          } else {
            values[next] = static_cast<TileValue<is>>(static_cast<double>(value) * factor);
          }
          ++next;
        });
      }
    });
    write_gaps(head, kind, bytes, num_words, group);
  }

  /// Byte by byte: what lies behind it in its last word is others' to write.
  KOKKOS_INLINE_FUNCTION static void write_head(const Head& head, std::byte* bytes,
                                                const LaneGroup& group) {
    const std::uint64_t word = head.word();
    for (int i = group.lane(); i < Head::bytes; i += group.size())
      bytes[i] = static_cast<std::byte>(word >> (8 * i) & 0xff);
  }
  /// Zeros before and behind the values, so that equal matrices have equal words.
  KOKKOS_INLINE_FUNCTION static void write_gaps(const Head& head, TileKind kind, std::byte* bytes,
                                                Offset num_words, const LaneGroup& group) {
    const int each = bytes_of_tile_value(kind);
    const int num_rows = head.num_rows();
    const int values = head.values_at(num_rows, each);
    for (int i = head.columns_at(num_rows) + head.entries + group.lane(); i < values;
         i += group.size())
      bytes[i] = std::byte(0);
    for (int i = values + head.entries * each + group.lane(); i < static_cast<int>(num_words) * 8;
         i += group.size())
      bytes[i] = std::byte(0);
  }
};

}  // namespace tessera::kernels::detail
