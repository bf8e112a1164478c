// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of `mbsr_to_csr`.
#pragma once

#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/format/mbsr/detail/for_each_tile.hpp"
#include "tessera/kernels/format/mbsr/detail/tile_row.hpp"

namespace tessera::kernels {
namespace detail {

/// Writes the rows of a tile matrix as CSR.
template <class Scalar, class Offset, class Storage, class Space>
struct RowsOfTiles {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;

  MbsrView<Storage, Space> A;
  ArrayView<const std::int64_t, Space> entries_before_row;  ///< by tile row
  Array<Offset, Space> offsets;
  Array<Ordinal, Space> columns;
  Array<Scalar, Space> values;

  KOKKOS_INLINE_FUNCTION void begin_row(Ordinal row, Offset start) const {
    offsets(row) = start;
    if (row == A.num_rows - 1) offsets(A.num_rows) = static_cast<Offset>(A.num_entries);
  }
  KOKKOS_INLINE_FUNCTION void emit(Offset entry, Ordinal column, std::size_t value) const {
    columns(entry) = column;
    values(entry) = static_cast<Scalar>(A.scale * static_cast<double>(A.values(value)));
  }

  /// One thread a tile row.
  KOKKOS_INLINE_FUNCTION void operator()(Ordinal tile_row) const {
    const std::int32_t begin = A.tile_offsets(tile_row);
    const std::int32_t end = A.tile_offsets(tile_row + 1);
    const std::int64_t first = entries_before_row(tile_row);
    std::int64_t next[tile_size + 1] = {first, 0, 0, 0, 0};
    for (std::int32_t tile = begin; tile < end; ++tile) {
      const std::uint32_t counts = row_counts(A.maps(tile));
      for (int r = 0; r < tile_size; ++r)
        next[r + 1] += (counts >> (tile_size * r)) & 0xfu;
    }
    for (int r = 0; r < tile_size; ++r) {
      next[r + 1] += next[r];
      const Ordinal row = tile_size * tile_row;
      if (r < A.num_rows - row) begin_row(row + r, static_cast<Offset>(next[r]));
    }
    const bool packed = A.layout == TileLayout::packed;
    auto packed_value = static_cast<std::size_t>(first);
    for (std::int32_t tile = begin; tile < end; ++tile) {
      const std::size_t dense_value = static_cast<std::size_t>(tile) * tile_places;
      for_each_place(A.maps(tile), [&](const int place) {
        emit(static_cast<Offset>(next[place / tile_size]++),
             tile_size * A.tile_columns(tile) + place % tile_size,
             packed ? packed_value++ : dense_value + place);
      });
    }
  }

  /// One thread a row, one lane a tile of its tile row.
  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const Ordinal row = row_of_thread(member);
    if (row >= A.num_rows) return;
    const Ordinal tile_row = tile_of(row);
    const int first_place = place_of(row % tile_size, 0);
    const std::int32_t begin = A.tile_offsets(tile_row);
    const std::int64_t first = entries_before_row(tile_row);
    const auto tiles = Kokkos::ThreadVectorRange(member, A.tile_offsets(tile_row + 1) - begin);
    std::int64_t start = 0;
    Kokkos::parallel_reduce(
        tiles,
        [&](const int i, std::int64_t& mine) {
          mine += entries_before(A.maps(begin + i), first_place);
        },
        start);
    start += first;
    Kokkos::single(Kokkos::PerThread(member), [&] { begin_row(row, static_cast<Offset>(start)); });
    // Two sums in one: entries of the row, fewer than 2^31, below those of the tile row.
    constexpr int row_count_bits = 31;
    Kokkos::parallel_scan(tiles, [&](const int i, std::uint64_t& before, const bool is_final) {
      const std::uint32_t map = A.maps(begin + i);
      if (is_final) {
        const std::uint64_t in_row = before & ((std::uint64_t(1) << row_count_bits) - 1);
        emit_row(begin + i, map, first_place, start + static_cast<std::int64_t>(in_row),
                 first + static_cast<std::int64_t>(before >> row_count_bits));
      }
      before += static_cast<std::uint64_t>(count_bits(map)) << row_count_bits;
      before += count_bits((map >> first_place) & 0xfu);
    });
  }

  /// The entries of a tile in the row that begins at `first_place`, from CSR's `entry` on; the
  /// tile's packed values are from `packed_start` on.
  KOKKOS_INLINE_FUNCTION void emit_row(std::int32_t tile, std::uint32_t map, int first_place,
                                       std::int64_t entry, std::int64_t packed_start) const {
    const bool packed = A.layout == TileLayout::packed;
    std::int64_t packed_value = packed_start + entries_before(map, first_place);
    const std::int64_t dense_value = static_cast<std::int64_t>(tile) * tile_places + first_place;
    for_each_place((map >> first_place) & 0xfu, [&](const int c) {
      emit(static_cast<Offset>(entry++), tile_size * A.tile_columns(tile) + c,
           static_cast<std::size_t>(packed ? packed_value++ : dense_value + c));
    });
  }
};

/// `mbsr_to_csr` with one lane a tile of a row, or with one thread a tile row.
template <bool by_lanes, class Scalar, class Offset, class Storage, class Space>
Csr<Scalar, Space, Offset> mbsr_to_csr_by(const Space& exec, const MbsrView<Storage, Space>& A) {
  require(A.num_entries <= static_cast<std::size_t>(std::numeric_limits<Offset>::max()), [&] {
    return "A has " + std::to_string(A.num_entries) + " entries, more than offsets of " +
           std::to_string(8 * sizeof(Offset)) + " bits can count";
  });
  Array<std::int64_t, Space> counted;
  if (A.layout == TileLayout::dense) counted = count_values(exec, pattern_of(A));
  const RowsOfTiles<Scalar, Offset, Storage, Space> work{
      A,
      A.layout == TileLayout::dense ? ArrayView<const std::int64_t, Space>(counted)
                                    : A.value_offsets,
      allocate<Offset>(exec, "tessera::offsets", A.num_rows + 1ul),
      allocate<Ordinal>(exec, "tessera::columns", A.num_entries),
      allocate<Scalar>(exec, "tessera::values", A.num_entries)};
  if (A.num_rows == 0) Kokkos::deep_copy(exec, work.offsets, Offset(0));
  if constexpr (by_lanes) {
    Kokkos::parallel_for("tessera::mbsr_to_csr",
                         lane_teams(exec, A.num_rows, std::size_t(tile_size) * A.num_tiles), work);
  } else {
    Kokkos::parallel_for("tessera::mbsr_to_csr",
                         Kokkos::RangePolicy<Space>(exec, 0, A.num_tile_rows()), work);
  }
  return {A.num_rows, A.num_cols, work.offsets, work.columns, work.values};
}

}  // namespace detail

template <class Scalar, class Offset, class Storage, class Space>
Csr<Scalar, Space, Offset> mbsr_to_csr(const Space& exec, const MbsrView<Storage, Space>& A) {
  return detail::mbsr_to_csr_by<!is_host_space<Space>, Scalar, Offset>(exec, A);
}

}  // namespace tessera::kernels
