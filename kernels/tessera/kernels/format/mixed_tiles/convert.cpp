// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/lane_group.hpp"
#include "tessera/kernels/execution/pinned_buffer.hpp"
#include "tessera/kernels/format/mixed_tiles/detail/fill_tiles.hpp"
#include "tessera/kernels/format/mixed_tiles/detail/measure_tiles.hpp"
#include "tessera/kernels/format/mixed_tiles/detail/tile_sums.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"
#include "tessera/kernels/format/sort_rows.hpp"

#include <algorithm>
#include <optional>

namespace tessera::kernels {
namespace detail {

/// From the totals of teams to what stands before each and to those of all, by one team.
template <class Space, class Offset>
struct AddUpTeams {
  static constexpr int threads = is_host_space<Space> ? 1 : 512;
  static constexpr int lanes = is_host_space<Space> ? 1 : 32;
  using Policy = Kokkos::TeamPolicy<Space>;

  TileSums<Offset> sums;
  int teams;
  std::int64_t* told;  ///< the totals of all, in memory that the host reads

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& member) const {
    const int rank = member.team_rank();
    const LaneGroup warp(lanes, rank);
    for (int k = rank / lanes; k < TileTotals::length; k += threads / lanes) {
      std::int64_t sum = 0;
      for (int team = warp.lane(); team < teams; team += lanes)
        sum += total(k, team);
      sum = warp.sum(sum);
      if (warp.lane() == 0) {
        sums.of_all[k] = sum;
        told[k] = sum;
      }
    }
    const int each = (teams + threads - 1) / threads;
    const int begin = rank * each < teams ? rank * each : teams;
    const int end = begin + each < teams ? begin + each : teams;
    TileCounts<Offset> sum;
    for (int team = begin; team < end; ++team)
      sum += counts(team);
    TileCounts<Offset> before{member.team_scan(sum.tiles), member.team_scan(sum.words)};
    for (int team = begin; team < end; ++team) {
      sums.before_teams[team] = before;
      before += counts(team);
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION std::int64_t total(int k, int team) const {
    return sums.of_teams[static_cast<std::int64_t>(k) * teams + team];
  }
  KOKKOS_INLINE_FUNCTION TileCounts<Offset> counts(int team) const {
    std::int64_t tiles = 0;
    for (int kind = 0; kind < num_tile_kinds; ++kind)
      tiles += total(kind, team);
    return {static_cast<Offset>(tiles),
            static_cast<Offset>(total(TileTotals::place_of_words, team))};
  }
};

namespace {

/// Pieces of one allocation, each of whole cache lines.
template <class Space>
class Pieces {
 public:
  /// Makes room for `count` of T; returns where they begin.
  template <class T>
  std::size_t add(std::size_t count) {
    const std::size_t begin = m_bytes;
    m_bytes += (count * sizeof(T) + line - 1) / line * line;
    return begin;
  }
  void allocate_all(const Space& exec, const char* label) {
    m_memory = allocate<std::uint64_t>(exec, label, m_bytes / sizeof(std::uint64_t));
  }
  template <class T>
  T* at(std::size_t begin) const {
    return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(m_memory.data()) + begin);
  }
  template <class T>
  ArrayView<const T, Space> view(std::size_t begin, std::size_t count) const {
    return ArrayView<const T, Space>(at<T>(begin), count);
  }
  const Array<std::uint64_t, Space>& memory() const { return m_memory; }

 private:
  static constexpr std::size_t line = 128;
  std::size_t m_bytes = 0;
  Array<std::uint64_t, Space> m_memory;
};

/// Words of all tiles at the most: a tile has a head, an alignment's and a word's gap beside what
/// its entries have, and there are no more tiles than entries.
template <int size, class Scalar, class Space, class Offset>
std::size_t max_words(const CsrView<Scalar, Space, Offset>& A) {
  constexpr std::size_t of_entry = sizeof(Scalar) + 1 + sizeof(typename TileHead<size>::Start);
  constexpr std::size_t of_tile = TileHead<size>::bytes + 2 * (sizeof(std::uint64_t) - 1);
  const std::size_t tiles =
      std::min(A.num_entries, static_cast<std::size_t>(tiles_along(A.num_rows, size)) *
                                  static_cast<std::size_t>(tiles_along(A.num_cols, size)));
  return (A.num_entries * of_entry + tiles * of_tile) / sizeof(std::uint64_t) + 1;
}

/// Where the arrays of the result are.
template <class Offset>
struct TilePlaces {
  std::size_t tile_offsets, keys, begins, words;

  template <class Space>
  TilePlaces(Pieces<Space>& pieces, std::size_t tile_rows, std::size_t num_tiles,
             std::size_t num_words)
      : tile_offsets(pieces.template add<Offset>(tile_rows + 1)),
        keys(pieces.template add<std::uint32_t>(num_tiles)),
        begins(pieces.template add<Offset>(num_tiles + 1)),
        words(pieces.template add<std::uint64_t>(num_words)) {}
};

/// Where the results that passes hand on lie.
template <class Offset>
struct NotePlaces {
  std::size_t of_groups, before_teams, of_teams, of_all, notes;

  template <class Space>
  NotePlaces(Pieces<Space>& pieces, std::size_t groups, std::size_t teams, std::size_t entries)
      : of_groups(pieces.template add<TileCounts<Offset>>(groups)),
        before_teams(pieces.template add<TileCounts<Offset>>(teams)),
        of_teams(pieces.template add<std::int64_t>(teams * TileTotals::length)),
        of_all(pieces.template add<std::int64_t>(TileTotals::length)),
        notes(pieces.template add<TileNote>(entries)) {}

  template <class Space>
  TileSums<Offset> sums(const Pieces<Space>& pieces) const {
    return {pieces.template at<TileCounts<Offset>>(of_groups),
            pieces.template at<TileCounts<Offset>>(before_teams),
            pieces.template at<std::int64_t>(of_teams), pieces.template at<std::int64_t>(of_all)};
  }
};

/// The tiles, but for where rows are not sorted: then `is_sorted` is false, and they are none.
template <int size, class Scalar, class Space, class Offset>
MixedTiles<Scalar, Space, Offset, size> cut_sorted(const Space& exec,
                                                   const CsrView<Scalar, Space, Offset>& A,
                                                   const TileCriterion& criterion,
                                                   bool& is_sorted) {
  using Rows = TileRows<Scalar, Space, Offset, size>;
  using Measure = MeasureTiles<Scalar, Space, Offset, size>;
  using AddUp = AddUpTeams<Space, Offset>;
  const Rows rows(exec, A);
  const Ordinal n = rows.num_tile_rows;
  const bool by_bounds = !is_host_space<Space> && A.num_entries <= max_entries_by_bounds;
  Pieces<Space> own, passing;
  std::optional<TilePlaces<Offset>> to;
  if (by_bounds) to.emplace(own, n, A.num_entries, max_words<size>(A));
  Pieces<Space>& noted = by_bounds ? own : passing;
  const NotePlaces<Offset> at(noted, rows.num_groups(), rows.teams, A.num_entries);
  noted.allocate_all(exec, "tessera::mixed_tiles::notes");
  auto* const notes = noted.template at<TileNote>(at.notes);
  const TileSums<Offset> sums = at.sums(noted);
  const PinnedBuffer told_memory(TileTotals::length * sizeof(std::int64_t));
  auto* const told = reinterpret_cast<std::int64_t*>(told_memory.data());
  auto policy = rows.policy(exec);
  policy.set_scratch_size(0, Kokkos::PerTeam(Measure::scratch_bytes + 8));
  Kokkos::parallel_for("tessera::mixed_tiles::measure", policy,
                       Measure{rows, criterion, shortest_with_loss(criterion), notes, sums});
  Kokkos::parallel_for("tessera::mixed_tiles::add_up",
                       typename AddUp::Policy(exec, 1, AddUp::threads, 1),
                       AddUp{sums, rows.teams, told});
  const auto fill = [&] {
    Kokkos::parallel_for(
        "tessera::mixed_tiles::fill", rows.policy(exec),
        FillTiles<Scalar, Space, Offset, size>{
            rows, notes, sums, own.template at<Offset>(to->tile_offsets),
            own.template at<std::uint32_t>(to->keys), own.template at<Offset>(to->begins),
            own.template at<std::uint64_t>(to->words)});
  };
  if (by_bounds) fill();
  exec.fence("tessera::mixed_tiles::totals");
  const TileTotals found = TileTotals::of(told);
  is_sorted = found.unsorted == 0;
  MixedTiles<Scalar, Space, Offset, size> result;
  if (!is_sorted) return result;
  std::int64_t num_tiles = 0;
  for (int kind = 0; kind < num_tile_kinds; ++kind) {
    result.tiles_of_kind[kind] = found.tiles[kind];
    result.entries_of_kind[kind] = found.entries[kind];
    result.num_entries += static_cast<std::size_t>(found.entries[kind]);
    num_tiles += found.tiles[kind];
  }
  require_countable<Offset>(num_tiles, "the matrix in tiles");
  require_countable<Offset>(found.words, "the words of the matrix in tiles");
  if (!by_bounds) {
    to.emplace(own, n, num_tiles, found.words);
    own.allocate_all(exec, "tessera::mixed_tiles::words");
    fill();
  }
  result.num_rows = A.num_rows;
  result.num_cols = A.num_cols;
  result.storage = own.memory();
  result.tile_offsets = own.template view<Offset>(to->tile_offsets, n + std::size_t{1});
  result.keys = own.template view<std::uint32_t>(to->keys, num_tiles);
  result.begins = own.template view<Offset>(to->begins, num_tiles + std::size_t{1});
  result.words = own.template view<std::uint64_t>(to->words, found.words);
  return result;
}

/// Of a matrix without rows.
template <int size, class Scalar, class Space, class Offset>
MixedTiles<Scalar, Space, Offset, size> no_tiles(const Space& exec, Ordinal num_cols) {
  MixedTiles<Scalar, Space, Offset, size> result;
  result.num_cols = num_cols;
  const auto zero = allocate<std::uint64_t>(exec, "tessera::mixed_tiles::words", 1);
  Kokkos::deep_copy(exec, zero, std::uint64_t(0));
  result.storage = zero;
  result.tile_offsets = result.begins =
      ArrayView<const Offset, Space>(reinterpret_cast<const Offset*>(zero.data()), 1);
  return result;
}

}  // namespace
}  // namespace detail

template <int size, class Scalar, class Space, class Offset>
MixedTiles<Scalar, Space, Offset, size> csr_to_mixed_tiles(const Space& exec,
                                                           const CsrView<Scalar, Space, Offset>& A,
                                                           const TileCriterion& criterion) {
  require(criterion.tolerance >= 0, [&] {
    return "the tolerance of tiles is " + std::to_string(criterion.tolerance) +
           ", expected a number that is not negative";
  });
  if (A.num_rows == 0) return detail::no_tiles<size, Scalar, Space, Offset>(exec, A.num_cols);
  bool is_sorted = true;
  auto tiles = detail::cut_sorted<size>(exec, A, criterion, is_sorted);
  if (is_sorted) return tiles;
  const Csr<Scalar, Space, Offset> sorted = sort_rows(exec, A);
  return detail::cut_sorted<size>(exec, sorted.view(), criterion, is_sorted);
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                   \
  template MixedTiles<Scalar, Space, Offset, 16> csr_to_mixed_tiles( \
      const Space&, const CsrView<Scalar, Space, Offset>&, const TileCriterion&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
