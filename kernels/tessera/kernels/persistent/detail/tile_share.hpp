// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The rows of tiles that a share of a cooperative group has, with what of them lies in shared
/// memory.
#pragma once

#include "tessera/kernels/format/mixed_tiles/row_of_tiles.hpp"
#include "tessera/kernels/persistent/detail/lowered_tiles.hpp"
#include "tessera/kernels/persistent/detail/rows_of_tiles.hpp"
#include "tessera/kernels/persistent/detail/tiled_arguments.hpp"

#include <type_traits>

namespace tessera::kernels::detail {

/// Rows of tiles, and as a RowShare their rows of the CSR matrix, of which nothing is staged.
template <class Scalar, class Offset, int size, bool dynamic>
struct TileShare : KrylovShare<Scalar, Offset, DiagonalOrNone<Scalar>> {
  using Base = KrylovShare<Scalar, Offset, DiagonalOrNone<Scalar>>;
  using Arguments = TiledArguments<Scalar, Offset>;
  using Levels = std::conditional_t<dynamic, DynamicLevels, FixedLevels>;
  using Base::first;
  using Base::rows;
  static constexpr bool is_dynamic = dynamic;

  int num_tiles = 0;
  const Offset* tile_offsets = nullptr;  ///< of these rows of tiles
  // From the share's first tile on.
  const std::uint32_t* keys = nullptr;
  const Offset* begins = nullptr;
  const std::uint64_t* words = nullptr;
  std::uint8_t* levels = nullptr;
  Offset first_tile = 0;
  Offset first_word = 0;
  const Offset* begins_of_matrix = nullptr;  ///< never staged
  std::uint64_t* staged_words = nullptr;
  int staged_tiles = 0;
  LongRows* long_rows_of_tiles = nullptr;  ///< null where there are none

  /// Tiles of a lane beyond which a row is long: each is a way to memory and back, as four entries
  /// of a CSR row are, which a lane asks for at once. Nor is a row long that has no more than so
  /// many times the matrix's mean: many such rows would be added up one after the other.
  static constexpr int tiles_of_lane = LongRows::entries_of_lane / 4;
  static constexpr int times_the_mean = 8;

  TileShare() = default;
  template <class Group>
  KOKKOS_FUNCTION TileShare(const Group& group, const Arguments& arguments, int share) {
    const auto& tiles = arguments.tiles;
    const PlainMatrix<Scalar, Offset> rows_of_tiles{tiles.tile_offsets, nullptr, nullptr,
                                                    tiles.num_tile_rows, tiles.num_tiles};
    const Ordinal begin = rows_of_tiles.first_row(group, share, group.num_shares());
    const Ordinal end = rows_of_tiles.first_row(group, share + 1, group.num_shares());
    const auto row_of = [&](Ordinal tile_row) {
      const std::int64_t row = static_cast<std::int64_t>(tile_row) * size;
      return static_cast<Ordinal>(row < arguments.A.num_rows ? row : arguments.A.num_rows);
    };
    first = row_of(begin);
    rows = static_cast<int>(row_of(end) - first);
    this->offsets = arguments.A.offsets + first;
    this->columns = arguments.A.columns;
    this->values = arguments.A.values;
    tile_offsets = tiles.tile_offsets + begin;
    first_tile = tile_offsets[0];
    num_tiles = static_cast<int>(tiles.tile_offsets[end] - first_tile);
    keys = tiles.keys + first_tile;
    begins = begins_of_matrix = tiles.begins + first_tile;
    first_word = begins[0];
    words = tiles.words + first_word;
    levels = arguments.levels + first_tile;
  }

  KOKKOS_FUNCTION int num_tile_rows() const { return (rows + size - 1) / size; }

  /// The tiles that a row is read from.
  KOKKOS_FUNCTION std::int64_t num_tiles_of_row(int l) const {
    return static_cast<std::int64_t>(tile_offsets[l / size + 1] - tile_offsets[l / size]);
  }
  /// As `note_long_rows`, which is for products with the CSR matrix. Before heads are staged.
  template <class Group>
  KOKKOS_FUNCTION void note_long_rows_of_tiles(const Group& group, const PlainTiles<Offset>& tiles,
                                               int lanes_per_row, Scratch& scratch) {
    if constexpr (Group::one_share_per_worker) {
      auto* const list = scratch.template take<LongRows>(1);
      if (list == nullptr) return;
      const auto many =
          times_the_mean * (tiles.num_tiles / (tiles.num_tile_rows > 0 ? tiles.num_tile_rows : 1));
      const std::int64_t least = std::int64_t{tiles_of_lane} * lanes_per_row;
      const int longer_than = static_cast<int>(many > least ? many : least);
      if (find_long_rows(group, *list, rows, longer_than,
                         [&](int l) { return num_tiles_of_row(l); }))
        long_rows_of_tiles = list;
    }
  }

  /// Before anything is staged.
  template <class Group>
  KOKKOS_FUNCTION void note_rows(const Group& group, const Arguments& arguments, Scratch& scratch) {
    this->note_long_rows(group, arguments.lanes_per_row, scratch);
    note_long_rows_of_tiles(group, arguments.tiles, arguments.lanes_per_row, scratch);
  }
  /// What says where tiles are, in place of the offsets of rows. By all lanes of a worker, with
  /// `synchronize_lanes` to come.
  template <class Group>
  KOKKOS_FUNCTION void stage_offsets(const Group& group, Scratch& scratch) {
    tile_offsets = staged(group, scratch, tile_offsets, num_tile_rows() + 1);
    keys = staged(group, scratch, keys, num_tiles);
    begins = staged(group, scratch, begins, num_tiles + 1);
    if constexpr (is_dynamic) {
      if (auto* const mine = scratch.template take<std::uint8_t>(num_tiles)) levels = mine;
    }
  }
  /// The same, for as many whole tiles as there is room for.
  template <class Group>
  KOKKOS_FUNCTION void stage_matrix(const Group& group, const Arguments&, Scratch& scratch) {
    const std::size_t room = scratch.left() > Scratch::alignment
                                 ? (scratch.left() - Scratch::alignment) / sizeof(std::uint64_t)
                                 : 0;
    if (room == 0 || num_tiles == 0) return;
    // What lies in shared memory is still being written by other lanes.
    const Offset* const own_begins = begins_of_matrix;
    int low = 0;
    int high = num_tiles;
    while (low < high) {
      const int middle = low + (high - low + 1) / 2;
      if (static_cast<std::size_t>(own_begins[middle] - first_word) <= room) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    const auto count = static_cast<std::size_t>(own_begins[low] - first_word);
    auto* const target = scratch.template take<std::uint64_t>(count);
    if (target == nullptr || low == 0) return;
    for (std::size_t w = group.lane(); w < count; w += group.num_lanes())
      target[w] = words[w];
    staged_words = target;
    staged_tiles = low;
  }

  /// All tiles as they are, at the start of a solve.
  template <class Group>
  KOKKOS_FUNCTION void reset_levels(const Group& group) const {
    for (int t = group.lane(); t < num_tiles; t += group.num_lanes())
      levels[t] = static_cast<std::uint8_t>(own_level(t));
  }

  /// The levels for a product, `norm(column of tiles)` being that of the segment or more; with
  /// `synchronize_lanes` to come. True where one of this lane's tiles loses something.
  template <class Group, class Norm>
  KOKKOS_FUNCTION bool set_levels(const Group& group, const LevelRule& rule, const Norm& norm,
                                  DynamicNotes& notes) const {
    bool has_lowered = false;
    for (int t = group.lane(); t < num_tiles; t += group.num_lanes()) {
      const int own = own_level(t);
      const int now = levels[t];
      const double of_segment = norm(keys[t] >> 3);
      int next = rule.next(of_segment, now, own);
      if (next != now) {
        next = possible_level<Group>(t, next, own);
        if (next != now) {
          if (t < staged_tiles && next > 0) store(t, next, own);
          levels[t] = static_cast<std::uint8_t>(next);
          notes.move(now, next);
        }
      }
      has_lowered = has_lowered || (next < own && of_segment != 0);
    }
    notes.has_lowered = notes.has_lowered || has_lowered;
    return has_lowered;
  }
  /// Adds this lane's tiles to those of their levels.
  template <class Group>
  KOKKOS_FUNCTION void count_levels(const Group& group,
                                    std::int64_t (&tiles)[num_tile_levels]) const {
    for (int t = group.lane(); t < num_tiles; t += group.num_lanes()) {
      for (int k = 0; k < num_tile_levels; ++k)
        tiles[k] += levels[t] == k ? 1 : 0;
    }
  }

  /// The part of row `l` times a vector that lane `lane` of `lanes` has.
  template <class Entry>
  KOKKOS_FUNCTION double tiled_product(int l, int lane, int lanes, const Entry& entry) const {
    const int end = static_cast<int>(tile_offsets[l / size + 1] - first_tile);
    const int begin = static_cast<int>(tile_offsets[l / size] - first_tile) + lane;
    double sum = 0;
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    for_row_of_tiles<size, Scalar>(
        begin, end, lanes, l % size, [&](std::int64_t t) { return place(static_cast<int>(t)); },
        [&](Ordinal column, double value) { sum += value * static_cast<double>(entry(column)); });
#else
    for (int t = begin; t < end; t += lanes) {
      const TilePlace tile = place(t);
      if (tile.words == nullptr) continue;
      const int level = is_dynamic ? levels[t] : num_tile_levels;
      if (level - 1 < static_cast<int>(tile.kind)) {
        const int exponent = TileHead<size>::of(tile.words[0]).exponent;
        for_row_of_tile<size, Scalar>(tile.words, tile.kind, l % size, [&](int column, double v) {
          sum += lowered_value<Scalar>(v, level, exponent) *
                 static_cast<double>(entry(tile.first_column + column));
        });
      } else {
        for_row_of_tile<size, Scalar>(tile.words, tile.kind, l % size, [&](int column, double v) {
          sum += v * static_cast<double>(entry(tile.first_column + column));
        });
      }
    }
#endif
    return sum;
  }

  /// What `multiply_rows` multiplies.
  KOKKOS_FUNCTION RowsOfTiles<TileShare> products() const { return RowsOfTiles<TileShare>(*this); }
  /// Calls `function(l, values)` for each row, by one lane each, and, where precision is lowered,
  /// leaves the norms of each segment's values in `arguments`, from `first_norm` on. By all lanes
  /// of the worker.
  template <int first_norm, int N, class Group, class Function>
  KOKKOS_FUNCTION void visit(const Group& group, const Arguments& arguments,
                             const Function& function) const {
    if constexpr (!is_dynamic) {
      Base::template visit<first_norm, N>(group, arguments, function);
    } else {
      double* norms[N];
      for (int k = 0; k < N; ++k)
        norms[k] = arguments.norms(first_norm + k);
      visit_with_norms<size>(group, *this, norms, function);
    }
  }

 private:
  /// Where a tile is read; nowhere where it is left out.
  KOKKOS_FUNCTION TilePlace place(int t) const {
    const std::uint32_t key = keys[t];
    const bool is_staged = t < staged_tiles;
    TilePlace tile{(is_staged ? staged_words : words) + (begins[t] - first_word),
                   static_cast<Ordinal>((key >> 3) * size), static_cast<TileKind>(key & 7)};
    if constexpr (is_dynamic) {
      const int level = levels[t];
      if (level == 0) return {};
      if (is_staged) tile.kind = static_cast<TileKind>(level - 1);
    }
    return tile;
  }

  template <class T, class Group>
  KOKKOS_FUNCTION static const T* staged(const Group& group, Scratch& scratch, const T* from,
                                         int count) {
    T* const to = scratch.template take<T>(count);
    if (to == nullptr) return from;
    for (int i = group.lane(); i < count; i += group.num_lanes())
      to[i] = from[i];
    return to;
  }
  KOKKOS_FUNCTION int own_level(int t) const { return static_cast<int>(keys[t] & 7) + 1; }

  /// Of a tile on a device that is not in shared memory there is one form; and some numbers do not
  /// go into fewer bits.
  template <class Group>
  KOKKOS_FUNCTION int possible_level(int t, int level, int own) const {
    if (level == own) return own;
    if (!is_lowerable(TileHead<size>::of(words[begins[t] - first_word]).exponent)) return own;
    if (Group::one_share_per_worker && level > 0 && t >= staged_tiles) return own;
    return level;
  }
  /// From the matrix, so that each number is rounded once.
  KOKKOS_FUNCTION void store(int t, int level, int own) const {
    const Offset begin = begins[t] - first_word;
    const Offset end = begins[t + 1] - first_word;
    for (Offset w = begin; w < end; ++w)
      staged_words[w] = words[w];
    if (level < own)
      lower_in_place<size, Scalar>(staged_words + begin, static_cast<TileKind>(own - 1),
                                   static_cast<TileKind>(level - 1));
  }
};

}  // namespace tessera::kernels::detail
