// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The two passes that cut a matrix into tiles: how many there are and how large each is, and the
/// tiles themselves. A group of lanes for each row of tiles.
#pragma once

#include "tessera/kernels/format/host_space.hpp"
#include "tessera/kernels/format/mixed_tiles/detail/tile_cursor.hpp"
#include "tessera/kernels/format/mixed_tiles/detail/tile_traits.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::kernels::detail {

/// What the passes read, by plain pointers, and who has which rows of tiles: a group of lanes those
/// that follow one another, the next group the next ones, the same in each pass.
template <class Scalar, class Space, class Offset, int size>
struct TileRows {
  static constexpr int lanes = is_host_space<Space> ? 1 : size;
  using Cursor = TileCursor<Scalar, Offset, size, lanes>;
  using Policy = Kokkos::TeamPolicy<Space>;
  using Member = typename Policy::member_type;

  const Offset* offsets;
  const Ordinal* columns;
  const Scalar* values;
  Ordinal num_rows;
  Ordinal num_tile_rows;
  int threads;  ///< of a team
  int teams;
  Ordinal rows_of_a_group;

  /// Not more teams than run at once, each of which tells its sums once: on a device small ones
  /// where there are not rows for all, so that these are spread over it.
  TileRows(const Space& exec, const CsrView<Scalar, Space, Offset>& A)
      : offsets(A.offsets.data()),
        columns(A.columns.data()),
        values(A.values.data()),
        num_rows(A.num_rows),
        num_tile_rows(tiles_along(A.num_rows, size)) {
    constexpr int most_teams_of_a_host = 1024;
    const std::int64_t at_once =
        is_host_space<Space> ? most_teams_of_a_host : exec.concurrency() / lanes;
    const bool fills_device = num_tile_rows >= at_once;
    threads = is_host_space<Space> ? 1 : fills_device ? 256 : 128;
    const std::int64_t groups = std::clamp<std::int64_t>(at_once, 1, num_tile_rows);
    rows_of_a_group = static_cast<Ordinal>((num_tile_rows + groups - 1) / groups);
    const std::int64_t rows_of_a_team = std::int64_t{groups_of_a_team()} * rows_of_a_group;
    teams = static_cast<int>((num_tile_rows + rows_of_a_team - 1) / rows_of_a_team);
  }

  KOKKOS_INLINE_FUNCTION int groups_of_a_team() const { return threads / lanes; }
  std::size_t num_groups() const { return static_cast<std::size_t>(teams) * groups_of_a_team(); }
  Policy policy(const Space& exec) const { return {exec, teams, threads, 1}; }

  KOKKOS_INLINE_FUNCTION std::int64_t group_number(const Member& member) const {
    return static_cast<std::int64_t>(member.league_rank()) * groups_of_a_team() +
           member.team_rank() / lanes;
  }
  /// `f(row of tiles)` for those of the group, by all lanes of a warp as often: a row beyond the
  /// last one has no tiles.
  template <class Function>
  KOKKOS_INLINE_FUNCTION void for_tile_rows(const Member& member, const Function& f) const {
    const std::int64_t first = group_number(member) * rows_of_a_group;
    for (Ordinal k = 0; k < rows_of_a_group; ++k)
      f(first + k < num_tile_rows ? static_cast<Ordinal>(first + k) : num_tile_rows);
  }
  KOKKOS_INLINE_FUNCTION Cursor cursor(const LaneGroup& group, Ordinal tile_row) const {
    return Cursor(group, tile_row, tile_row < num_tile_rows ? num_rows : 0, offsets, columns);
  }
  /// Where the first of a row's tiles is noted: there are no more tiles than entries.
  KOKKOS_INLINE_FUNCTION Offset first_note(Ordinal tile_row) const {
    return offsets[static_cast<std::int64_t>(tile_row) * size];
  }
};

/// Of a tile: its exponent and its kind.
class TileNote {
 public:
  TileNote() = default;
  KOKKOS_INLINE_FUNCTION TileNote(int exponent, TileKind kind)
      : m_bits(static_cast<std::uint16_t>(static_cast<unsigned>(exponent + bias) |
                                          static_cast<unsigned>(kind) << kind_at)) {}
  KOKKOS_INLINE_FUNCTION int exponent() const {
    return static_cast<int>(m_bits & ((1u << kind_at) - 1)) - bias;
  }
  KOKKOS_INLINE_FUNCTION TileKind kind() const { return static_cast<TileKind>(m_bits >> kind_at); }

 private:
  static constexpr int bias = 1024;
  static constexpr int kind_at = 12;
  static_assert(no_tile_exponent + bias < 1 << kind_at);
  std::uint16_t m_bits;
};

/// What is counted: tiles and entries of each kind, words, and rows of tiles whose entries are not
/// sorted.
struct TileTotals {
  std::int64_t tiles[num_tile_kinds] = {};
  std::int64_t entries[num_tile_kinds] = {};
  std::int64_t words = 0;
  std::int64_t unsorted = 0;

  static constexpr int place_of_words = 2 * num_tile_kinds;
  static constexpr int place_of_unsorted = place_of_words + 1;
  /// As numbers in a row.
  static constexpr int length = place_of_unsorted + 1;

  /// Adds them to numbers that other threads add to.
  KOKKOS_INLINE_FUNCTION void add_to(std::int64_t* sums) const {
    for (int kind = 0; kind < num_tile_kinds; ++kind) {
      add(sums + kind, tiles[kind]);
      add(sums + num_tile_kinds + kind, entries[kind]);
    }
    add(sums + place_of_words, words);
    add(sums + place_of_unsorted, unsorted);
  }
  static TileTotals of(const std::int64_t* sums) {
    TileTotals totals;
    for (int kind = 0; kind < num_tile_kinds; ++kind) {
      totals.tiles[kind] = sums[kind];
      totals.entries[kind] = sums[num_tile_kinds + kind];
    }
    totals.words = sums[place_of_words];
    totals.unsorted = sums[place_of_unsorted];
    return totals;
  }

 private:
  KOKKOS_INLINE_FUNCTION static void add(std::int64_t* to, std::int64_t part) {
    if (part != 0) Kokkos::atomic_add(to, part);
  }
};

/// Tiles and words, of a group or of what stands before something.
template <class Offset>
struct TileCounts {
  Offset tiles = 0;
  Offset words = 0;

  KOKKOS_INLINE_FUNCTION TileCounts& operator+=(const TileCounts& other) {
    tiles += other.tiles;
    words += other.words;
    return *this;
  }
};

/// What the passes tell each other of groups and teams.
template <class Offset>
struct TileSums {
  TileCounts<Offset>* of_groups;
  TileCounts<Offset>* before_teams;
  std::int64_t* of_teams;  ///< TileTotals, the first number of all teams, the second of all, …
  std::int64_t* of_all;  ///< TileTotals
};

/// The rows of a tile that have entries, from how many those of each lane have; by all lanes.
template <int num_rows>
KOKKOS_INLINE_FUNCTION std::uint32_t rows_with_entries(const LaneGroup& group,
                                                       const int (&entries)[num_rows]) {
  if constexpr (num_rows == 1) {
    return group.lanes_where(entries[0] > 0);
  } else {
    std::uint32_t rows = 0;
    for (int k = 0; k < num_rows; ++k)
      rows |= entries[k] > 0 ? std::uint32_t(1) << k : std::uint32_t(0);
    return rows;
  }
}

template <int n>
KOKKOS_INLINE_FUNCTION int sum_of(const int (&numbers)[n]) {
  int sum = 0;
  for (int k = 0; k < n; ++k)
    sum += numbers[k];
  return sum;
}

/// How many bits a number has at least that fewer bits may hold with a loss: what is cut off is at
/// least its last one. One bit is left for the rounding of the bound.
inline int shortest_with_loss(const TileCriterion& criterion) {
  constexpr int longer_than_any = 64;
  if (criterion.loss == TileLoss::none || criterion.tolerance == 0) return longer_than_any;
  if (criterion.loss == TileLoss::absolute || criterion.tolerance >= 1) return 0;
  return std::clamp(-std::ilogb(criterion.tolerance) - 2, 0, longer_than_any);
}

/// The kinds that hold `value` in a tile whose largest magnitude has `exponent`. What fp32 does not
/// hold, none of fewer bits does: it has all of their numbers.
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
  try_kind.template operator()<TileKind::fp32>();
  if (own_tile_kind<Scalar> == TileKind::fp64 && kinds == 0) return kinds;
  try_kind.template operator()<TileKind::fp8>();
  try_kind.template operator()<TileKind::half>();
  try_kind.template operator()<TileKind::bfloat16>();
  return kinds;
}

/// Notes each tile, the tiles and words of each group, and the totals of each team.
template <class Scalar, class Space, class Offset, int size>
struct MeasureTiles {
  using Rows = TileRows<Scalar, Space, Offset, size>;
  Rows rows;
  TileCriterion criterion;
  int shortest;  ///< see shortest_with_loss
  TileNote* notes;
  TileSums<Offset> sums;

  static constexpr std::size_t scratch_bytes = TileTotals::length * sizeof(std::int64_t);

  KOKKOS_FUNCTION void operator()(const typename Rows::Member& member) const {
    auto* const of_team =
        static_cast<std::int64_t*>(member.team_scratch(0).get_shmem_aligned(scratch_bytes, 8));
    for (int k = member.team_rank(); k < TileTotals::length; k += member.team_size())
      of_team[k] = 0;
    member.team_barrier();
    const LaneGroup group(Rows::lanes, member.team_rank());
    TileTotals found;
    TileCounts<Offset> counts;
    rows.for_tile_rows(member,
                       [&](Ordinal tile_row) { measure_row(group, tile_row, found, counts); });
    found.add_to(of_team);
    if (group.lane() == 0) sums.of_groups[rows.group_number(member)] = counts;
    member.team_barrier();
    for (int k = member.team_rank(); k < TileTotals::length; k += member.team_size())
      sums.of_teams[static_cast<std::int64_t>(k) * rows.teams + member.league_rank()] = of_team[k];
  }

 private:
  KOKKOS_INLINE_FUNCTION void measure_row(const LaneGroup& group, Ordinal tile_row,
                                          TileTotals& found, TileCounts<Offset>& counts) const {
    auto cursor = rows.cursor(group, tile_row);
    TileNote* note = notes + (tile_row < rows.num_tile_rows ? rows.first_note(tile_row) : 0);
    for (;;) {
      TileTraits traits;
      int entries[Rows::Cursor::num_rows] = {};
      const bool is_tile = cursor.advance(group, rows.values, [&](int k, Scalar value) {
        traits.take_most(TileTraits(static_cast<double>(value)));
        ++entries[k];
      });
      if (!any_of_warp(is_tile)) break;
      traits.take_most_of(group);
      const TileKind kind = kind_of_tile(group, cursor, traits);
      const std::uint32_t rows_of_tile = rows_with_entries(group, entries);
      const TileHead<size> head{traits.exponent(), rows_of_tile, group.sum(sum_of(entries))};
      if (!is_tile) continue;
      const int num_words = head.num_words(kind);
      if (group.lane() == 0) {
        *note = TileNote(head.exponent, kind);
        for (int k = 0; k < num_tile_kinds; ++k) {
          found.tiles[k] += k == static_cast<int>(kind) ? 1 : 0;
          found.entries[k] += k == static_cast<int>(kind) ? head.entries : 0;
        }
        found.words += num_words;
      }
      ++note;
      counts += {1, static_cast<Offset>(num_words)};
    }
    if (!cursor.is_sorted()) ++found.unsorted;
  }

  /// The lowest that holds all entries. Only where numbers are long enough to lose something, and
  /// may, they are looked at once more.
  KOKKOS_INLINE_FUNCTION TileKind kind_of_tile(const LaneGroup& group,
                                               const typename Rows::Cursor& cursor,
                                               TileTraits traits) const {
    const TileKind without_loss = traits.template lowest_kind<Scalar>();
    const bool may_lose = without_loss > TileKind::fp8 && traits.length() >= shortest &&
                          is_lowerable(traits.exponent());
    if (!any_of_warp(may_lose)) return without_loss;
    std::uint32_t kinds = may_lose ? ~0u : 0u;
    for (int k = 0; k < Rows::Cursor::num_rows; ++k) {
      cursor.for_entries(k, rows.values, [&](int, Scalar value) {
        if (kinds != 0)
          kinds &=
              kinds_that_hold<Scalar>(static_cast<double>(value), traits.exponent(), criterion);
      });
    }
    kinds = combine_lanes(group, kinds, [](std::uint32_t a, std::uint32_t b) { return a & b; });
    for (int kind = 0; kind < static_cast<int>(without_loss); ++kind) {
      if ((kinds >> kind & 1) != 0) return static_cast<TileKind>(kind);
    }
    return without_loss;
  }
};

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
    std::byte* const values = bytes + head.values_at(rows_of_tile, bytes_of_tile_value(kind));
    for (int k = 0; k < num_rows; ++k) {
      if (entries[k] == 0) continue;
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
