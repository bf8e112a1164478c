// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/mbsr/convert.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/mbsr/detail/for_each_tile.hpp"
#include "tessera/kernels/format/transpose_impl.hpp"

namespace tessera::kernels {
namespace detail {

/// The rows of tiles transposed as rows of entries are, the numbers of A's tiles for values.
template <class Space>
Csr<std::int32_t, Space> transpose_tile_numbers(
    const Space& exec, Ordinal num_tile_cols, const TilePlaces<Space>& pattern,
    const ArrayView<const Ordinal, Space>& tile_columns) {
  const auto numbers = allocate<std::int32_t>(exec, "tessera::tile_numbers", pattern.num_tiles);
  Kokkos::parallel_for(
      "tessera::tile_numbers", Kokkos::RangePolicy<Space>(exec, 0, pattern.num_tiles),
      KOKKOS_LAMBDA(const std::int32_t tile) { numbers(tile) = tile; });
  const CsrView<std::int32_t, Space> tiles{
      pattern.num_tile_rows, num_tile_cols, static_cast<std::size_t>(pattern.num_tiles),
      pattern.tile_offsets,  tile_columns,  numbers};
  return transpose(exec, tiles);
}

template <class Space>
Array<TileMap, Space> transpose_maps(const Space& exec, const ArrayView<const TileMap, Space>& maps,
                                     const Array<std::int32_t, Space>& numbers) {
  const auto result = allocate<TileMap>(exec, "tessera::maps", numbers.extent(0));
  Kokkos::parallel_for(
      "tessera::transpose_maps", Kokkos::RangePolicy<Space>(exec, 0, numbers.extent(0)),
      KOKKOS_LAMBDA(const std::size_t tile) { result(tile) = transpose_map(maps(numbers(tile))); });
  return result;
}

/// Notes where each tile's values begin.
template <class Space>
struct NoteStart {
  Array<std::int64_t, Space> starts;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal, std::int32_t tile, std::int64_t start) const {
    starts(tile) = start;
  }
};

/// Writes the values of a tile of the transpose.
template <class Storage, class Space>
struct TransposeTile {
  MbsrView<Storage, Space> A;
  Array<std::int64_t, Space> starts;  ///< of A's tiles, where they are packed
  Array<const std::int32_t, Space> numbers;
  ArrayView<Storage, Space> values;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal, std::int32_t tile, std::int64_t start) const {
    const std::int32_t source = numbers(tile);
    if (A.layout == TileLayout::packed) {
      move_packed(A.maps(source), starts(source), start);
    } else {
      move_dense(static_cast<std::int64_t>(source) * tile_places, start);
    }
  }

  /// Column after column, which is the order of the transpose.
  KOKKOS_INLINE_FUNCTION void move_packed(std::uint32_t map, std::int64_t from,
                                          std::int64_t to) const {
    for_each_place(transpose_map(map), [&](const int place) {
      const int mirrored = tile_size * (place % tile_size) + place / tile_size;
      values(to++) = A.values(from + entries_before(map, mirrored));
    });
  }
  KOKKOS_INLINE_FUNCTION void move_dense(std::int64_t from, std::int64_t to) const {
    for (int place = 0; place < tile_places; ++place) {
      const int mirrored = tile_size * (place % tile_size) + place / tile_size;
      values(to + place) = A.values(from + mirrored);
    }
  }
};

}  // namespace detail

template <class Storage, class Space>
Mbsr<Storage, Space> transpose(const Space& exec, const MbsrView<Storage, Space>& A) {
  const bool packed = A.layout == TileLayout::packed;
  const auto pattern = detail::tile_places_of(A);
  const Csr<std::int32_t, Space> tiles =
      detail::transpose_tile_numbers(exec, A.num_tile_cols(), pattern, A.tile_columns);
  Mbsr<Storage, Space> result;
  result.num_rows = A.num_cols;
  result.num_cols = A.num_rows;
  result.num_entries = A.num_entries;
  result.layout = A.layout;
  result.scale = A.scale;
  result.tile_offsets = tiles.offsets;
  result.tile_columns = tiles.columns;
  result.maps = detail::transpose_maps(exec, A.maps, tiles.values);
  result.values = allocate<Storage>(exec, "tessera::values", A.values.extent(0));
  Array<std::int64_t, Space> starts;
  if (packed) {
    result.value_offsets = detail::count_values(exec, detail::tile_places_of(result.view()));
    starts = allocate<std::int64_t>(exec, "tessera::tile_starts", A.num_tiles);
    detail::for_each_tile(exec, "tessera::tile_starts", pattern, detail::NoteStart<Space>{starts});
  }
  detail::for_each_tile(
      exec, "tessera::transpose_tiles", detail::tile_places_of(result.view()),
      detail::TransposeTile<Storage, Space>{A, starts, tiles.values, result.values});
  return result;
}

#define TESSERA_INSTANTIATE(Storage, Space) \
  template Mbsr<Storage, Space> transpose(const Space& exec, const MbsrView<Storage, Space>& A);
TESSERA_FOR_EACH_STORED(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
