// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of `csr_to_mbsr`.
#pragma once

#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/format/mbsr/detail/tiles_by_lanes.hpp"
#include "tessera/kernels/format/mbsr/detail/tiles_by_merging.hpp"
#include "tessera/kernels/format/sort_rows.hpp"

namespace tessera::kernels {
namespace detail {

/// value_offsets of packed tiles: the entries before the first row of each tile row.
template <class Space, class Offset>
Array<std::int64_t, Space> value_offsets_of_csr(const Space& exec,
                                                const ArrayView<const Offset, Space>& offsets,
                                                Ordinal num_rows) {
  const std::size_t length = tiles_for(num_rows) + 1ul;
  const auto result = allocate<std::int64_t>(exec, "tessera::value_offsets", length);
  Kokkos::parallel_for(
      "tessera::value_offsets", Kokkos::RangePolicy<Space>(exec, 0, length),
      KOKKOS_LAMBDA(const std::int64_t i) {
        result(i) = offsets(Kokkos::min(tile_size * i, static_cast<std::int64_t>(num_rows)));
      });
  return result;
}

/// The tiles of a matrix with sorted rows; `tile_offsets` holds the running sums of the lengths.
template <class Storage, class Scalar, class Space, class Offset, class Tiles>
Mbsr<Storage, Space> fill_tiles(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                const Tiles& tiles, std::int32_t num_tiles,
                                const Array<std::int32_t, Space>& tile_offsets, TileLayout layout,
                                double scale) {
  const bool packed = layout == TileLayout::packed;
  const std::size_t num_values =
      packed ? A.num_entries : static_cast<std::size_t>(num_tiles) * tile_places;
  const TileTarget<Storage, Space> target{
      layout,
      1 / scale,
      tile_offsets,
      allocate<Ordinal>(exec, "tessera::tile_columns", num_tiles),
      allocate<TileMap>(exec, "tessera::maps", num_tiles),
      allocate<Storage>(exec, "tessera::values", num_values)};
  tiles.fill(exec, A, target);
  Mbsr<Storage, Space> result;
  result.num_rows = A.num_rows;
  result.num_cols = A.num_cols;
  result.num_entries = A.num_entries;
  result.layout = layout;
  result.scale = scale;
  result.tile_offsets = target.tile_offsets;
  result.tile_columns = target.tile_columns;
  result.maps = target.maps;
  if (packed) result.value_offsets = value_offsets_of_csr<Space>(exec, A.offsets, A.num_rows);
  result.values = target.values;
  return result;
}

/// `csr_to_mbsr` with tiles counted and written by `tiles`.
template <class Storage, class Scalar, class Space, class Offset, class Tiles>
Mbsr<Storage, Space> csr_to_mbsr_by(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                    const Tiles& tiles, TileLayout layout, double scale) {
  const std::size_t length = tiles_for(A.num_rows) + 1ul;
  const auto tile_offsets = allocate<std::int32_t>(exec, "tessera::tile_offsets", length);
  tiles.count(exec, A.offsets, A.columns, A.num_rows, tile_offsets);
  const TileTotals totals = scan_tile_lengths<Space>(exec, tile_offsets);
  if (totals.not_ascending_rows == 0) {
    return fill_tiles<Storage>(exec, A, tiles, checked_tile_count(totals), tile_offsets, layout,
                               scale);
  }
  const Csr<Scalar, Space, Offset> sorted = sort_rows(exec, A);
  tiles.count(exec, sorted.offsets, sorted.columns, A.num_rows, tile_offsets);
  const TileTotals sorted_totals = scan_tile_lengths<Space>(exec, tile_offsets);
  require(sorted_totals.not_ascending_rows == 0, [&] {
    return std::to_string(sorted_totals.not_ascending_rows) +
           " tile rows of A hold an entry twice, expected none that does";
  });
  return fill_tiles<Storage>(exec, sorted.view(), tiles, checked_tile_count(sorted_totals),
                             tile_offsets, layout, scale);
}

}  // namespace detail

template <class Storage, class Scalar, class Space, class Offset>
Mbsr<Storage, Space> csr_to_mbsr(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                 TileLayout layout, double scale) {
  detail::require_power_of_two(scale);
  if constexpr (is_host_space<Space>) {
    return detail::csr_to_mbsr_by<Storage>(exec, A, detail::TilesByMerging<Space, Offset>{}, layout,
                                           scale);
  } else {
    return detail::csr_to_mbsr_by<Storage>(
        exec, A, detail::TilesByLanes<Space, Offset>(exec, A.num_entries), layout, scale);
  }
}

}  // namespace tessera::kernels
