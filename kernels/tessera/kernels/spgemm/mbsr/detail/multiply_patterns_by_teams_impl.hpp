// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of multiply_patterns_by_teams.
#pragma once

#include "tessera/kernels/offsets.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/count_tile_rows_impl.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/fill_tile_rows_impl.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/tile_symbolic.hpp"

namespace tessera::kernels::spgemm_detail {

template <class Space>
TilePattern<Space> multiply_patterns_by_teams(const Space& exec, const TilePatternView<Space>& A,
                                              const TilePatternView<Space>& B,
                                              SizeHistogram& histogram) {
  TilePattern<Space> C;
  const std::size_t num_offsets = static_cast<std::size_t>(A.num_tile_rows) + 1;
  const RowWorkspace<Space> work(exec, A.num_tile_rows);
  C.sizes = work.sizes;
  count_tile_rows<Space>(exec, A, B, work);
  histogram = histogram_of_sizes<Space>(exec, TableFill::three_quarters, C.sizes);
  require_countable_tiles(histogram.total);

  C.offsets = allocate<std::int32_t>(exec, "tessera::spgemm::tile_offsets", num_offsets);
  C.columns = allocate<Ordinal>(exec, "tessera::spgemm::tile_columns", histogram.total);
  C.maps = allocate<TileMap>(exec, "tessera::spgemm::maps", histogram.total);
  C.value_offsets = allocate<std::int64_t>(exec, "tessera::spgemm::value_offsets", num_offsets);
  offsets_from_counts<Space, std::int32_t>(exec, C.sizes, C.offsets);
  fill_tile_rows(exec, A, B, histogram, work, C);
  C.num_entries = counts_to_offsets<std::int64_t, Space>(exec, C.value_offsets);
  return C;
}

template <class Space>
struct LongestRow {
  ArrayView<const std::int32_t, Space> offsets;

  KOKKOS_FUNCTION void operator()(Ordinal row, Ordinal& longest) const {
    const Ordinal size = offsets(row + 1) - offsets(row);
    if (size > longest) longest = size;
  }
};

template <class Space>
Ordinal longest_row(const Space& exec, const ArrayView<const std::int32_t, Space>& offsets) {
  Ordinal longest = 0;
  if (offsets.extent(0) < 2) return longest;
  Kokkos::parallel_reduce(
      "tessera::spgemm::longest_row",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, offsets.extent(0) - 1),
      LongestRow<Space>{offsets}, Kokkos::Max<Ordinal>(longest));
  return longest;
}

template <class Space>
struct StartTiles {
  ArrayView<const TileMap, Space> maps;
  ArrayView<std::int64_t, Space> starts;

  KOKKOS_FUNCTION void operator()(std::int32_t tile, std::int64_t& sum, bool final) const {
    if (final) starts(tile) = sum;
    sum += count_bits(maps(tile));
  }
};

template <class Space>
void start_tiles(const Space& exec, const ArrayView<const TileMap, Space>& maps,
                 const ArrayView<std::int64_t, Space>& starts) {
  Kokkos::parallel_scan(
      "tessera::spgemm::start_tiles",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int32_t>>(exec, 0, maps.extent(0)),
      StartTiles<Space>{maps, starts});
}

}  // namespace tessera::kernels::spgemm_detail
