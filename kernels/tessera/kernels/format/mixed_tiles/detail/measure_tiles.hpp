// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The first pass over a matrix that is cut into tiles: each one's kind and size.
#pragma once

#include "tessera/kernels/format/mixed_tiles/detail/tile_rows.hpp"
#include "tessera/kernels/format/mixed_tiles/detail/tile_sums.hpp"
#include "tessera/kernels/format/mixed_tiles/detail/tile_traits.hpp"

#include <cmath>

namespace tessera::kernels::detail {

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
    const std::size_t bytes = scratch_bytes;  // a copy, for it is passed by reference
    auto* const of_team =
        static_cast<std::int64_t*>(member.team_scratch(0).get_shmem_aligned(bytes, 8));
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

}  // namespace tessera::kernels::detail
