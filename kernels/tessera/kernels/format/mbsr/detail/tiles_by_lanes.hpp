// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CSR to mBSR, one lane an entry: memory is read and written in order, and no lane waits for
/// another's row.
///
/// An entry leads its tile if neither its row nor an earlier one has an entry of the tile before
/// it; binary searches in the other rows tell. The leaders before an entry, counted in a first
/// pass, give every tile its number in a second one, and the searches give every value its place:
/// it goes after all entries of tile columns before its own, and after those of its tile in earlier
/// rows.
#pragma once

#include "tessera/kernels/format/mbsr/detail/lane_teams.hpp"
#include "tessera/kernels/format/mbsr/detail/tiles_by_merging.hpp"

namespace tessera::kernels::detail {

/// Tile rows up to this length belong to the lanes of one thread, longer ones to a team.
inline constexpr std::int64_t longest_lane_row = 8192;

/// An entry's tile in the rows of its tile row.
template <class Offset>
struct EntryTile {
  Offset first[tile_size];  ///< row r: the first entry that is not before the tile
  std::uint32_t map = 0;
  bool leads = true;
  Offset position = 0;  ///< of the entry among the tile row's in packed order
};

template <class Space, class Offset>
struct TileRowSearch {
  ArrayView<const Ordinal, Space> columns;
  TileRowSpan<Offset> span;

  /// The first entry of row `r` that is not before `tile`.
  KOKKOS_INLINE_FUNCTION Offset lower_bound(int r, Ordinal tile) const {
    Offset low = span.begin[r];
    Offset high = span.begin[r + 1];
    while (low < high) {
      const Offset middle = low + (high - low) / 2;
      if (tile_of(columns(middle)) < tile) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  KOKKOS_INLINE_FUNCTION bool begins_row(Offset entry) const {
    return entry == span.begin[0] || entry == span.begin[1] || entry == span.begin[2] ||
           entry == span.begin[3];
  }

  KOKKOS_INLINE_FUNCTION bool leads(Offset entry) const {
    const Ordinal tile = tile_of(columns(entry));
    if (!begins_row(entry) && tile_of(columns(entry - 1)) == tile) return false;
    for (int r = 0; r < tile_size - 1; ++r) {
      if (entry < span.begin[r + 1]) return true;
      const Offset found = lower_bound(r, tile);
      if (found < span.begin[r + 1] && tile_of(columns(found)) == tile) return false;
    }
    return true;
  }

  KOKKOS_INLINE_FUNCTION EntryTile<Offset> find(Offset entry) const {
    EntryTile<Offset> result;
    const Ordinal tile = tile_of(columns(entry));
    for (int r = 0; r < tile_size; ++r) {
      const Offset end = span.begin[r + 1];
      const Offset first = lower_bound(r, tile);
      Offset past = first;
      for (; past < end && tile_of(columns(past)) == tile; ++past)
        result.map |= 1u << place_of(r, columns(past));
      result.first[r] = first;
      const bool row_before = end <= entry;
      const bool own_row = span.begin[r] <= entry && entry < end;
      if (row_before) result.leads = result.leads && first == past;
      if (own_row) result.leads = result.leads && first == entry;
      result.position += (row_before ? past : own_row ? entry : first) - span.begin[r];
    }
    return result;
  }
};

template <class Space, class Offset>
struct CountTilesByLanes {
  using Policy = Kokkos::TeamPolicy<Space>;
  using Member = typename Policy::member_type;

  ArrayView<const Offset, Space> offsets;
  ArrayView<const Ordinal, Space> columns;
  Ordinal num_rows;
  Array<std::int32_t, Space> lengths;
  Array<std::int32_t, Space> leaders;  ///< of each entry: leaders before it in its tile row
  LongLists<Space> long_rows;

  struct Short {};
  struct Long {};

  /// Sum over the entries: one a leader, and this for a column that is not above the one before it.
  static constexpr std::int64_t descent = std::int64_t(1) << 32;

  KOKKOS_INLINE_FUNCTION void flag(const TileRowSearch<Space, Offset>& search, std::int64_t i,
                                   std::int64_t& sum) const {
    const Offset entry = search.span.begin[0] + static_cast<Offset>(i);
    const bool leads = search.leads(entry);
    leaders(entry) = leads ? 1 : 0;
    sum += leads ? 1 : 0;
    if (!search.begins_row(entry) && columns(entry - 1) >= columns(entry)) sum += descent;
  }

  KOKKOS_INLINE_FUNCTION void scan(const TileRowSearch<Space, Offset>& search, std::int64_t i,
                                   std::int32_t& running, bool is_final) const {
    std::int32_t& place = leaders(search.span.begin[0] + static_cast<Offset>(i));
    const std::int32_t leads = place;
    if (is_final) place = running;
    running += leads;
  }

  KOKKOS_INLINE_FUNCTION void finish(Ordinal tile_row, std::int64_t sum) const {
    lengths(tile_row) = sum >= descent ? not_ascending : static_cast<std::int32_t>(sum);
  }

  KOKKOS_INLINE_FUNCTION void operator()(Short, const Member& member) const {
    const Ordinal tile_row = row_of_thread(member);
    if (tile_row >= tiles_for(num_rows)) return;
    const TileRowSearch<Space, Offset> search{columns,
                                              TileRowSpan<Offset>(offsets, num_rows, tile_row)};
    if (search.span.length() > long_rows.longest_short) {
      Kokkos::single(Kokkos::PerThread(member), [&] { long_rows.push(tile_row); });
      return;
    }
    const auto entries = Kokkos::ThreadVectorRange(member, static_cast<int>(search.span.length()));
    std::int64_t sum = 0;
    Kokkos::parallel_reduce(
        entries, [&](const int i, std::int64_t& mine) { flag(search, i, mine); }, sum);
    Kokkos::single(Kokkos::PerThread(member), [&] { finish(tile_row, sum); });
    Kokkos::parallel_scan(entries, [&](const int i, std::int32_t& running, const bool is_final) {
      scan(search, i, running, is_final);
    });
  }

  KOKKOS_INLINE_FUNCTION void operator()(Long, const Member& member) const {
    const int count = long_rows.count(0);
    for (int item = member.league_rank(); item < count; item += member.league_size()) {
      const Ordinal tile_row = long_rows.items(item);
      const TileRowSearch<Space, Offset> search{columns,
                                                TileRowSpan<Offset>(offsets, num_rows, tile_row)};
      const auto entries = Kokkos::TeamThreadRange(member, std::int64_t(0),
                                                   static_cast<std::int64_t>(search.span.length()));
      std::int64_t sum = 0;
      Kokkos::parallel_reduce(
          entries, [&](const std::int64_t i, std::int64_t& mine) { flag(search, i, mine); }, sum);
      member.team_barrier();
      Kokkos::single(Kokkos::PerTeam(member), [&] { finish(tile_row, sum); });
      Kokkos::parallel_scan(entries,
                            [&](const std::int64_t i, std::int32_t& running, const bool is_final) {
                              scan(search, i, running, is_final);
                            });
      member.team_barrier();
    }
  }
};

template <class Storage, class Scalar, class Space, class Offset>
struct FillTilesByLanes {
  using Policy = Kokkos::TeamPolicy<Space>;
  using Member = typename Policy::member_type;

  CsrView<Scalar, Space, Offset> A;
  TileTarget<Storage, Space> target;
  Array<std::int32_t, Space> leaders;
  LongLists<Space> long_rows;

  struct Short {};
  struct Long {};

  /// The leaders before entry `entry` of the tile row, which may be past its last.
  KOKKOS_INLINE_FUNCTION std::int32_t leaders_before(const TileRowSpan<Offset>& span, Offset entry,
                                                     std::int32_t all) const {
    return entry < span.begin[tile_size] ? leaders(entry) : all;
  }

  /// The tiles before that of an entry in its tile row: those that each of the rows leads.
  KOKKOS_INLINE_FUNCTION std::int32_t tiles_before(const TileRowSpan<Offset>& span,
                                                   const EntryTile<Offset>& found,
                                                   std::int32_t all) const {
    std::int32_t tiles = 0;
    for (int r = 0; r < tile_size; ++r) {
      tiles += leaders_before(span, found.first[r], all) - leaders_before(span, span.begin[r], all);
    }
    return tiles;
  }

  KOKKOS_INLINE_FUNCTION void place(const TileRowSearch<Space, Offset>& search, Ordinal tile_row,
                                    std::int64_t i) const {
    const Offset entry = search.span.begin[0] + static_cast<Offset>(i);
    const EntryTile<Offset> found = search.find(entry);
    const bool dense = target.layout == TileLayout::dense;
    if (!dense) {
      target.values(search.span.begin[0] + found.position) = target.stored(A.values(entry));
    }
    if (!dense && !found.leads) return;
    const std::int32_t first_tile = target.tile_offsets(tile_row);
    const std::int32_t all = target.tile_offsets(tile_row + 1) - first_tile;
    const std::int32_t tile = first_tile + tiles_before(search.span, found, all);
    if (found.leads) {
      target.tile_columns(tile) = tile_of(A.columns(entry));
      target.maps(tile) = static_cast<TileMap>(found.map);
    }
    if (dense) place_dense(search, entry, found, tile);
  }

  KOKKOS_INLINE_FUNCTION void place_dense(const TileRowSearch<Space, Offset>& search, Offset entry,
                                          const EntryTile<Offset>& found, std::int32_t tile) const {
    Storage* const values = target.values.data() + target.dense_start(tile);
    int row = 0;
    for (int r = 1; r < tile_size; ++r)
      row += entry >= search.span.begin[r] ? 1 : 0;
    values[place_of(row, A.columns(entry))] = target.stored(A.values(entry));
    if (!found.leads) return;
    for (int place = 0; place < tile_places; ++place) {
      if ((found.map >> place & 1u) == 0) values[place] = Storage(0);
    }
  }

  KOKKOS_INLINE_FUNCTION void operator()(Short, const Member& member) const {
    const Ordinal tile_row = row_of_thread(member);
    if (tile_row >= tiles_for(A.num_rows)) return;
    const TileRowSearch<Space, Offset> search{A.columns,
                                              TileRowSpan<Offset>(A.offsets, A.num_rows, tile_row)};
    if (search.span.length() > long_rows.longest_short) return;
    const auto entries = Kokkos::ThreadVectorRange(member, static_cast<int>(search.span.length()));
    Kokkos::parallel_for(entries, [&](const int i) { place(search, tile_row, i); });
  }

  KOKKOS_INLINE_FUNCTION void operator()(Long, const Member& member) const {
    const int count = long_rows.count(0);
    for (int item = member.league_rank(); item < count; item += member.league_size()) {
      const Ordinal tile_row = long_rows.items(item);
      const TileRowSearch<Space, Offset> search{
          A.columns, TileRowSpan<Offset>(A.offsets, A.num_rows, tile_row)};
      const auto entries = Kokkos::TeamThreadRange(member, std::int64_t(0),
                                                   static_cast<std::int64_t>(search.span.length()));
      Kokkos::parallel_for(entries, [&](const std::int64_t i) { place(search, tile_row, i); });
    }
  }
};

/// How the tiles of a CSR matrix are counted and written, one lane an entry.
template <class Space, class Offset>
struct TilesByLanes {
  Array<std::int32_t, Space> leaders;
  LongLists<Space> long_rows;

  TilesByLanes(const Space& exec, std::size_t num_entries,
               std::int64_t longest_short = longest_lane_row)
      : leaders(allocate<std::int32_t>(exec, "tessera::tile_leaders", num_entries)),
        long_rows(exec, num_entries, longest_short) {}

  /// The two kernels of `work`: tile rows by the lanes of a thread, long ones by teams.
  template <class Work>
  void launch(const Space& exec, const char* label, Ordinal num_rows, const Work& work) const {
    const auto by_lanes = lane_teams(exec, tiles_for(num_rows), leaders.extent(0));
    using Short = Kokkos::TeamPolicy<Space, typename Work::Short>;
    using Long = Kokkos::TeamPolicy<Space, typename Work::Long>;
    Kokkos::parallel_for(label, Short(by_lanes), work);
    if (long_rows.possible()) {
      Kokkos::parallel_for(label, Long(long_list_teams(exec)), work);
    }
  }

  void count(const Space& exec, const ArrayView<const Offset, Space>& offsets,
             const ArrayView<const Ordinal, Space>& columns, Ordinal num_rows,
             const Array<std::int32_t, Space>& lengths) const {
    Kokkos::deep_copy(exec, long_rows.count, 0);
    launch(
        exec, "tessera::count_tiles", num_rows,
        CountTilesByLanes<Space, Offset>{offsets, columns, num_rows, lengths, leaders, long_rows});
  }

  template <class Storage, class Scalar>
  void fill(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
            const TileTarget<Storage, Space>& target) const {
    launch(exec, "tessera::fill_tiles", A.num_rows,
           FillTilesByLanes<Storage, Scalar, Space, Offset>{A, target, leaders, long_rows});
  }
};

}  // namespace tessera::kernels::detail
