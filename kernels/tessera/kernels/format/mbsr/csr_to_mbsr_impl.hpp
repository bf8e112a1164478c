// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of `csr_to_mbsr`.
#pragma once

#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/format/mbsr/detail/count_tiles_by_parts.hpp"
#include "tessera/kernels/format/mbsr/detail/fill_tiles_by_parts.hpp"
#include "tessera/kernels/format/mbsr/detail/tiles_by_merging.hpp"
#include "tessera/kernels/format/sort_rows.hpp"

namespace tessera::kernels {
namespace detail {

/// How the tiles of a CSR matrix are counted and written, one warp per part.
template <class Space, class Offset>
struct TilesByParts {
  TileParts parts;

  template <class Work>
  void launch(const Space& exec, const char* label, const Work& work) const {
    const auto teams =
        parts.teams(exec, tiles_for(work.pattern.num_rows), Work::scratch_bytes(parts));
    Kokkos::parallel_for(label, teams, work);
  }

  void count(const Space& exec, const ArrayView<const Offset, Space>& offsets,
             const ArrayView<const Ordinal, Space>& columns, Ordinal num_rows,
             const TileRowSizes<Space>& sizes) const {
    launch(exec, "tessera::count_tiles",
           CountTilesByParts<Space, Offset>{{offsets, columns, num_rows, parts}, sizes});
  }

  template <class Storage, class Scalar>
  void fill(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
            const TileTarget<Storage, Space>& target) const {
    launch(exec, "tessera::fill_tiles",
           FillTilesByParts<Storage, Scalar, Space, Offset>{
               {A.offsets, A.columns, A.num_rows, parts}, A.values, target});
  }
};

/// The sizes of `num_rows` rows of a matrix, for a first pass to fill in.
template <class Space>
TileRowSizes<Space> allocate_sizes(const Space& exec, Ordinal num_rows, TileLayout layout) {
  const std::size_t length = tiles_for(num_rows) + 1ul;
  TileRowSizes<Space> sizes;
  sizes.lengths = allocate<std::int32_t>(exec, "tessera::tile_offsets", length);
  if (layout == TileLayout::dense) return sizes;
  sizes.value_offsets = allocate<std::int64_t>(exec, "tessera::value_offsets", length);
  if (num_rows == 0) Kokkos::deep_copy(exec, sizes.value_offsets, std::int64_t(0));
  return sizes;
}

/// The tiles of a matrix with sorted rows; the lengths in `sizes` are replaced by their running
/// sums.
template <class Storage, class Scalar, class Space, class Offset, class Tiles>
Mbsr<Storage, Space> fill_tiles(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                const Tiles& tiles, std::int32_t num_tiles,
                                const TileRowSizes<Space>& sizes, TileLayout layout, double scale) {
  const bool packed = layout == TileLayout::packed;
  const std::size_t num_values =
      packed ? A.num_entries : static_cast<std::size_t>(num_tiles) * tile_places;
  const TileTarget<Storage, Space> target{
      layout,
      1 / scale,
      sizes.lengths,
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
  result.value_offsets = sizes.value_offsets;
  result.values = target.values;
  return result;
}

/// `csr_to_mbsr` with tiles counted and written by `tiles`.
template <class Storage, class Scalar, class Space, class Offset, class Tiles>
Mbsr<Storage, Space> csr_to_mbsr_by(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                    const Tiles& tiles, TileLayout layout, double scale) {
  const TileRowSizes<Space> sizes = allocate_sizes(exec, A.num_rows, layout);
  tiles.count(exec, A.offsets, A.columns, A.num_rows, sizes);
  const TileLengthSums totals = scan_tile_lengths<Space>(exec, sizes.lengths);
  if (totals.not_ascending_rows == 0) {
    return fill_tiles<Storage>(exec, A, tiles, checked_tile_count(totals), sizes, layout, scale);
  }
  const Csr<Scalar, Space, Offset> sorted = sort_rows(exec, A);
  tiles.count(exec, sorted.offsets, sorted.columns, A.num_rows, sizes);
  const TileLengthSums sorted_totals = scan_tile_lengths<Space>(exec, sizes.lengths);
  require(sorted_totals.not_ascending_rows == 0, [&] {
    return std::to_string(sorted_totals.not_ascending_rows) +
           " tile rows of A hold an entry twice, expected none that does";
  });
  return fill_tiles<Storage>(exec, sorted.view(), tiles, checked_tile_count(sorted_totals), sizes,
                             layout, scale);
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
    const detail::TilesByParts<Space, Offset> tiles{
        detail::TileParts(tiles_for(A.num_rows), A.num_entries)};
    return detail::csr_to_mbsr_by<Storage>(exec, A, tiles, layout, scale);
  }
}

}  // namespace tessera::kernels
