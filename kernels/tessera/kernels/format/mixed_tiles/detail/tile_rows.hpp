// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The two passes that cut a matrix into tiles: how many there are and how large each is, and the
/// tiles themselves. A group of lanes for each row of tiles.
#pragma once

#include "tessera/kernels/format/host_space.hpp"
#include "tessera/kernels/format/mixed_tiles/detail/tile_cursor.hpp"
#include "tessera/kernels/format/mixed_tiles/tile_layout.hpp"

#include <algorithm>

namespace tessera::kernels::detail {

/// What the passes read; by plain pointers, as both have the same.
template <class Scalar, class Space, class Offset, int size>
struct TileRows {
  static constexpr int lanes = is_host_space<Space> ? 1 : size;
  static constexpr int threads_of_a_team = is_host_space<Space> ? 1 : 128;
  static constexpr int rows_of_a_team = threads_of_a_team / lanes;
  using Cursor = TileCursor<Scalar, Offset, size, lanes>;
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;

  const Offset* offsets;
  const Ordinal* columns;
  const Scalar* values;
  Ordinal num_rows;
  Ordinal num_tile_rows;

  /// Not more teams than run at once, each of which tells its totals once.
  Kokkos::TeamPolicy<Space> policy(const Space& exec) const {
    Ordinal teams = (num_tile_rows + rows_of_a_team - 1) / rows_of_a_team;
    if constexpr (!is_host_space<Space>)
      teams = std::min<Ordinal>(teams, exec.concurrency() / threads_of_a_team);
    return {exec, teams, threads_of_a_team, 1};
  }
  /// `f(group, row of tiles)` for those of a team, by all lanes of a warp as often: a row beyond
  /// the last one has no tiles.
  template <class Function>
  KOKKOS_INLINE_FUNCTION void for_tile_rows(const Member& member, const Function& f) const {
    const LaneGroup group(lanes, member.team_rank());
    for (std::int64_t first = static_cast<std::int64_t>(member.league_rank()) * rows_of_a_team;
         first < num_tile_rows;
         first += static_cast<std::int64_t>(member.league_size()) * rows_of_a_team)
      f(group, static_cast<Ordinal>(first + member.team_rank() / lanes));
  }
  KOKKOS_INLINE_FUNCTION Cursor cursor(const LaneGroup& group, Ordinal tile_row) const {
    return Cursor(group, tile_row, tile_row < num_tile_rows ? num_rows : 0, offsets, columns);
  }
  /// Where the first of a row's tiles is noted: there are no more tiles than entries.
  KOKKOS_INLINE_FUNCTION Offset first_note(Ordinal tile_row) const {
    return offsets[static_cast<std::int64_t>(tile_row) * size];
  }
};

/// Of a tile: its key above, the number of its words below.
using TileNote = std::uint64_t;

/// What is counted over the whole matrix: tiles and entries of each kind, words, and rows of tiles
/// whose entries are not sorted.
struct TileTotals {
  std::int64_t tiles[num_tile_kinds] = {};
  std::int64_t entries[num_tile_kinds] = {};
  std::int64_t words = 0;
  std::int64_t unsorted = 0;

  static constexpr int place_of_unsorted = 2 * num_tile_kinds + 1;
  static constexpr int length = place_of_unsorted + 1;

  /// To `sums`, by all lanes of a warp.
  KOKKOS_INLINE_FUNCTION void tell(const LaneGroup& warp, std::int64_t* sums) const {
    for (int kind = 0; kind < num_tile_kinds; ++kind) {
      add(warp, sums + kind, tiles[kind]);
      add(warp, sums + num_tile_kinds + kind, entries[kind]);
    }
    add(warp, sums + 2 * num_tile_kinds, words);
    add(warp, sums + place_of_unsorted, unsorted);
  }

 private:
  KOKKOS_INLINE_FUNCTION static void add(const LaneGroup& warp, std::int64_t* to,
                                         std::int64_t part) {
    const std::int64_t sum = warp.sum(part);
    if (warp.lane() == 0 && sum != 0) Kokkos::atomic_add(to, sum);
  }
};

/// What of a tile the lanes of a group find together.
struct TileMeasure {
  std::uint64_t largest = 0;  ///< magnitude, as the bits of a double
  std::uint32_t kinds = 0;  ///< that hold all entries, bit by bit
  int entries = 0;
  int rows = 0;

  KOKKOS_INLINE_FUNCTION int exponent() const {
    constexpr std::uint64_t infinity = std::uint64_t(0x7ff) << 52;
    if (largest >= infinity) return no_tile_exponent;
    return largest == 0 ? 0 : static_cast<int>(largest >> 52) - 1023;
  }
};

KOKKOS_INLINE_FUNCTION std::uint64_t magnitude_bits(double value) {
  return Kokkos::bit_cast<std::uint64_t>(value) & 0x7fffffffffffffffull;
}

/// The kinds that hold `value` in a tile whose largest magnitude has `exponent`.
template <class Scalar>
KOKKOS_INLINE_FUNCTION std::uint32_t kinds_that_hold(double value, int exponent,
                                                     const TileCriterion& criterion) {
  const auto holds = [&](double stored) {
    if (stored == value) return true;
    const double loss = Kokkos::abs(stored - value);
    switch (criterion.loss) {
      case TileLoss::relative:
        return loss <= criterion.tolerance * Kokkos::abs(value);
      case TileLoss::absolute:
        return loss < criterion.tolerance;
      case TileLoss::none:
        break;
    }
    return false;
  };
  std::uint32_t kinds = 0;
  const auto try_kind = [&]<TileKind kind>() {
    if (kind < own_tile_kind<Scalar> && holds(as_tile_has_it<Scalar, kind>(value, exponent)))
      kinds |= 1u << static_cast<int>(kind);
  };
  try_kind.template operator()<TileKind::fp8>();
  try_kind.template operator()<TileKind::half>();
  try_kind.template operator()<TileKind::bfloat16>();
  try_kind.template operator()<TileKind::fp32>();
  return kinds;
}

/// Notes each tile, the number of tiles and words of each row of tiles, and the totals.
template <class Scalar, class Space, class Offset, int size>
struct MeasureTiles {
  using Rows = TileRows<Scalar, Space, Offset, size>;
  Rows rows;
  TileCriterion criterion;
  TileNote* notes;
  Offset* tiles_of_row;
  Offset* words_of_row;
  std::int64_t* totals;  ///< see TileTotals

  KOKKOS_FUNCTION void operator()(const typename Rows::Member& member) const {
    TileTotals found;
    rows.for_tile_rows(member, [&](const LaneGroup& group, Ordinal tile_row) {
      measure_row(group, tile_row, found);
    });
    constexpr int warp = is_host_space<Space> ? 1 : 32;
    found.tell(LaneGroup(warp, member.team_rank()), totals);
  }

 private:
  KOKKOS_INLINE_FUNCTION void measure_row(const LaneGroup& group, Ordinal tile_row,
                                          TileTotals& found) const {
    const bool is_row = tile_row < rows.num_tile_rows;
    auto cursor = rows.cursor(group, tile_row);
    const Offset first = is_row ? rows.first_note(tile_row) : Offset(0);
    Offset tiles = 0;
    Offset words = 0;
    for (;;) {
      const bool is_tile = cursor.advance(group);
      if (group.warp_max(is_tile ? 1 : 0) == 0) break;
      const TileMeasure measure = measure_tile(group, cursor);
      if (!is_tile) continue;
      const TileKind kind = lowest_kind(measure.kinds);
      const TileHead<size> head{0, (std::uint32_t(2) << (measure.rows - 1)) - 1, measure.entries};
      const int num_words = head.num_words(kind);
      if (group.lane() == 0) {
        const auto key =
            static_cast<std::uint32_t>(cursor.column()) << 3 | static_cast<std::uint32_t>(kind);
        notes[first + tiles] = static_cast<TileNote>(key) << 32 | static_cast<TileNote>(num_words);
        for (int k = 0; k < num_tile_kinds; ++k) {
          found.tiles[k] += k == static_cast<int>(kind) ? 1 : 0;
          found.entries[k] += k == static_cast<int>(kind) ? measure.entries : 0;
        }
        found.words += num_words;
      }
      ++tiles;
      words += static_cast<Offset>(num_words);
    }
    if (!cursor.is_sorted()) ++found.unsorted;
    if (group.lane() != 0 || !is_row) return;
    tiles_of_row[tile_row] = tiles;
    words_of_row[tile_row] = words;
  }

  KOKKOS_INLINE_FUNCTION static TileKind lowest_kind(std::uint32_t kinds) {
    for (int kind = 0; kind < static_cast<int>(own_tile_kind<Scalar>); ++kind) {
      if ((kinds >> kind & 1) != 0) return static_cast<TileKind>(kind);
    }
    return own_tile_kind<Scalar>;
  }

  KOKKOS_INLINE_FUNCTION TileMeasure measure_tile(const LaneGroup& group,
                                                  const typename Rows::Cursor& cursor) const {
    TileMeasure measure;
    for (int k = 0; k < Rows::Cursor::num_rows; ++k) {
      const int before = measure.entries;
      cursor.for_entries(k, rows.values, [&](int, Scalar value) {
        const std::uint64_t magnitude = magnitude_bits(static_cast<double>(value));
        measure.largest = magnitude > measure.largest ? magnitude : measure.largest;
        ++measure.entries;
      });
      if (measure.entries > before) ++measure.rows;
    }
    measure.largest = combine_lanes(group, measure.largest,
                                    [](std::uint64_t a, std::uint64_t b) { return a > b ? a : b; });
    measure.entries = group.sum(measure.entries);
    measure.rows = group.sum(measure.rows);
    std::uint32_t kinds = is_lowerable(measure.exponent()) ? ~0u : 0u;
    for (int k = 0; k < Rows::Cursor::num_rows; ++k) {
      cursor.for_entries(k, rows.values, [&](int, Scalar value) {
        if (kinds != 0)
          kinds &=
              kinds_that_hold<Scalar>(static_cast<double>(value), measure.exponent(), criterion);
      });
    }
    measure.kinds =
        combine_lanes(group, kinds, [](std::uint32_t a, std::uint32_t b) { return a & b; });
    return measure;
  }
};

/// The words of each tile, where they begin, and what else a product reads.
template <class Scalar, class Space, class Offset, int size>
struct FillTiles {
  using Rows = TileRows<Scalar, Space, Offset, size>;
  using Head = TileHead<size>;
  Rows rows;
  /// Of the totals: rows that are not sorted have more tiles than there may be room for.
  const std::int64_t* unsorted;
  const TileNote* notes;
  const Offset* first_tiles;  ///< of each row of tiles, and the number of all
  const Offset* first_words;
  Offset* tile_offsets;
  std::uint32_t* keys;
  Offset* begins;
  std::uint64_t* words;

  KOKKOS_FUNCTION void operator()(const typename Rows::Member& member) const {
    if (*unsorted != 0) return;
    rows.for_tile_rows(
        member, [&](const LaneGroup& group, Ordinal tile_row) { fill_row(group, tile_row); });
  }

 private:
  KOKKOS_INLINE_FUNCTION void fill_row(const LaneGroup& group, Ordinal tile_row) const {
    const bool is_row = tile_row < rows.num_tile_rows;
    auto cursor = rows.cursor(group, tile_row);
    const TileNote* note = is_row ? notes + rows.first_note(tile_row) : notes;
    Offset tile = is_row ? first_tiles[tile_row] : Offset(0);
    Offset word = is_row ? first_words[tile_row] : Offset(0);
    if (is_row && group.lane() == 0) {
      tile_offsets[tile_row] = tile;
      if (tile_row + 1 == rows.num_tile_rows) {
        const Offset last = first_tiles[rows.num_tile_rows];
        tile_offsets[rows.num_tile_rows] = last;
        begins[last] = first_words[rows.num_tile_rows];
      }
    }
    for (;;) {
      const bool is_tile = cursor.advance(group);
      if (group.warp_max(is_tile ? 1 : 0) == 0) break;
      const auto key = static_cast<std::uint32_t>(is_tile ? *note >> 32 : 0);
      const auto num_words = static_cast<Offset>(is_tile ? *note & 0xffffffffu : 0);
      fill(group, cursor, is_tile, static_cast<TileKind>(key & 7), word, num_words);
      if (!is_tile) continue;
      if (group.lane() == 0) {
        keys[tile] = key;
        begins[tile] = word;
      }
      ++tile;
      ++note;
      word += num_words;
    }
  }

  KOKKOS_INLINE_FUNCTION void fill(const LaneGroup& group, const typename Rows::Cursor& cursor,
                                   bool is_tile, TileKind kind, Offset word,
                                   Offset num_words) const {
    constexpr int num_rows = Rows::Cursor::num_rows;
    int entries_of_row[num_rows];
    int entries = 0;
    std::uint32_t mask = 0;
    std::uint64_t largest = 0;
    for (int k = 0; k < num_rows; ++k) {
      entries_of_row[k] = 0;
      cursor.for_entries(k, rows.values, [&](int, Scalar value) {
        ++entries_of_row[k];
        const std::uint64_t magnitude = magnitude_bits(static_cast<double>(value));
        largest = magnitude > largest ? magnitude : largest;
      });
      entries += entries_of_row[k];
      if (entries_of_row[k] > 0) mask |= std::uint32_t(1) << (group.lane() * num_rows + k);
    }
    TileMeasure measure;
    measure.largest = combine_lanes(group, largest,
                                    [](std::uint64_t a, std::uint64_t b) { return a > b ? a : b; });
    Head head;
    head.exponent = measure.exponent();
    head.rows = combine_lanes(group, mask, [](std::uint32_t a, std::uint32_t b) { return a | b; });
    head.entries = group.sum(entries);
    int next = sum_of_lanes_before(group, entries);
    if (!is_tile) return;
    auto* const bytes = reinterpret_cast<std::byte*>(words + word);
    write_head(head, bytes, group);
    const int rows_of_tile = head.num_rows();
    auto* const starts = reinterpret_cast<typename Head::Start*>(bytes + Head::bytes);
    auto* const columns = reinterpret_cast<std::uint8_t*>(bytes + head.columns_at(rows_of_tile));
    std::byte* const values = bytes + head.values_at(rows_of_tile, bytes_of_tile_value(kind));
    for (int k = 0; k < num_rows; ++k) {
      if (entries_of_row[k] == 0) continue;
      const int number = head.rows_before(group.lane() * num_rows + k);
      if (number > 0) starts[number - 1] = static_cast<typename Head::Start>(next);
      cursor.for_entries(k, rows.values, [&](int column, Scalar value) {
        columns[next] = static_cast<std::uint8_t>(column);
        with_tile_kind(kind, [&]<TileKind is>() {
          auto& place = reinterpret_cast<TileValue<is>*>(values)[next];
          if constexpr (is == own_tile_kind<Scalar>) {
            place = static_cast<TileValue<is>>(value);
          } else {
            place = static_cast<TileValue<is>>(static_cast<double>(value) *
                                               power_of_two(TileValueOf<is>::top - head.exponent));
          }
        });
        ++next;
      });
    }
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
