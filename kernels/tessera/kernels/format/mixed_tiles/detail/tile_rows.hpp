// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The three passes that cut a matrix into tiles: how many there are, how large each is, and the
/// tiles themselves. A group of lanes for each row of tiles.
#pragma once

#include "tessera/kernels/format/host_space.hpp"
#include "tessera/kernels/format/mixed_tiles/detail/tile_cursor.hpp"
#include "tessera/kernels/format/mixed_tiles/tile_layout.hpp"

namespace tessera::kernels::detail {

/// What the passes read and write; by plain pointers, as all of them have the same.
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

  Kokkos::TeamPolicy<Space> policy(const Space& exec) const {
    return {exec, (num_tile_rows + rows_of_a_team - 1) / rows_of_a_team, threads_of_a_team, 1};
  }
  KOKKOS_INLINE_FUNCTION LaneGroup group_of(const Member& member) const {
    return {lanes, member.team_rank()};
  }
  KOKKOS_INLINE_FUNCTION Ordinal tile_row_of(const Member& member) const {
    return member.league_rank() * rows_of_a_team + member.team_rank() / lanes;
  }
  KOKKOS_INLINE_FUNCTION Cursor cursor(const LaneGroup& group, Ordinal tile_row) const {
    // Groups beyond the last row go along with their warp.
    return Cursor(group, tile_row, tile_row < num_tile_rows ? num_rows : 0, offsets, columns);
  }
};

/// The number of tiles of each row of tiles, and how many of these have rows that are not sorted.
template <class Scalar, class Space, class Offset, int size>
struct CountTiles {
  TileRows<Scalar, Space, Offset, size> rows;
  Offset* counts;
  std::int32_t* num_unsorted;

  KOKKOS_FUNCTION void operator()(
      const typename TileRows<Scalar, Space, Offset, size>::Member& member) const {
    const LaneGroup group = rows.group_of(member);
    const Ordinal tile_row = rows.tile_row_of(member);
    auto cursor = rows.cursor(group, tile_row);
    Offset count = 0;
    for (;;) {
      const bool is_tile = cursor.advance(group);
      if (is_tile) ++count;
      if (group.warp_max(is_tile ? 1 : 0) == 0) break;
    }
    const int unsorted = group.warp_max(cursor.is_sorted() ? 0 : 1);
    if (group.lane() != 0 || tile_row >= rows.num_tile_rows) return;
    counts[tile_row] = count;
    if (unsorted != 0) Kokkos::atomic_inc(num_unsorted);
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

/// Key, kind and number of words of each tile.
template <class Scalar, class Space, class Offset, int size>
struct MeasureTiles {
  using Rows = TileRows<Scalar, Space, Offset, size>;
  Rows rows;
  TileCriterion criterion;
  const Offset* tile_offsets;
  std::uint32_t* keys;
  Offset* num_words;
  std::int64_t* totals;  ///< tiles of each kind, then entries of each kind

  KOKKOS_FUNCTION void operator()(const typename Rows::Member& member) const {
    const LaneGroup group = rows.group_of(member);
    const Ordinal tile_row = rows.tile_row_of(member);
    const bool is_row = tile_row < rows.num_tile_rows;
    auto cursor = rows.cursor(group, tile_row);
    Offset tile = is_row ? tile_offsets[tile_row] : Offset(0);
    std::int64_t tiles_of[num_tile_kinds] = {};
    std::int64_t entries_of[num_tile_kinds] = {};
    for (;;) {
      const bool is_tile = cursor.advance(group);
      if (group.warp_max(is_tile ? 1 : 0) == 0) break;
      const TileMeasure measure = measure_tile(group, cursor);
      if (!is_tile) continue;
      const TileKind kind = lowest_kind(measure.kinds);
      if (group.lane() == 0) {
        const TileHead<size> head{0, (std::uint32_t(2) << (measure.rows - 1)) - 1, measure.entries};
        keys[tile] =
            static_cast<std::uint32_t>(cursor.column()) << 3 | static_cast<std::uint32_t>(kind);
        num_words[tile] = static_cast<Offset>(head.num_words(kind));
        ++tiles_of[static_cast<int>(kind)];
        entries_of[static_cast<int>(kind)] += measure.entries;
      }
      ++tile;
    }
    if (group.lane() != 0) return;
    for (int kind = 0; kind < num_tile_kinds; ++kind) {
      if (tiles_of[kind] == 0) continue;
      Kokkos::atomic_add(totals + kind, tiles_of[kind]);
      Kokkos::atomic_add(totals + num_tile_kinds + kind, entries_of[kind]);
    }
  }

 private:
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

/// The words of each tile.
template <class Scalar, class Space, class Offset, int size>
struct FillTiles {
  using Rows = TileRows<Scalar, Space, Offset, size>;
  using Head = TileHead<size>;
  Rows rows;
  const Offset* tile_offsets;
  const std::uint32_t* keys;
  const Offset* begins;
  std::uint64_t* words;

  KOKKOS_FUNCTION void operator()(const typename Rows::Member& member) const {
    const LaneGroup group = rows.group_of(member);
    const Ordinal tile_row = rows.tile_row_of(member);
    auto cursor = rows.cursor(group, tile_row);
    Offset tile = tile_row < rows.num_tile_rows ? tile_offsets[tile_row] : Offset(0);
    for (;;) {
      const bool is_tile = cursor.advance(group);
      if (group.warp_max(is_tile ? 1 : 0) == 0) break;
      fill(group, cursor, is_tile, tile);
      if (is_tile) ++tile;
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION void fill(const LaneGroup& group, const typename Rows::Cursor& cursor,
                                   bool is_tile, Offset tile) const {
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
    const auto kind = static_cast<TileKind>(keys[tile] & 7);
    std::uint64_t* const begin = words + begins[tile];
    auto* const bytes = reinterpret_cast<std::byte*>(begin);
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
    write_gaps(head, kind, bytes, begins[tile + 1] - begins[tile], group);
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
