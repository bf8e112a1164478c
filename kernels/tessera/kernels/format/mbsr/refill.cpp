// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/mbsr/convert.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/find_entry.hpp"
#include "tessera/kernels/format/mbsr/detail/for_each_tile.hpp"

#include <string>

namespace tessera::kernels {
namespace detail {

/// Where entries lie in compressed rows that ascend, and where in the tiles of the same matrix.
template <class Space, class Offset>
struct RowsAndTiles {
  ArrayView<const Offset, Space> offsets;
  ArrayView<const Ordinal, Space> columns;
  ArrayView<const Ordinal, Space> tile_columns;
  ArrayView<const TileMap, Space> maps;
  bool packed;

  /// The first entry of a row in or after `column`.
  KOKKOS_INLINE_FUNCTION Offset first_entry(Ordinal row, Ordinal column) const {
    return first_entry_from(columns, offsets(row), offsets(row + 1), column);
  }

  /// The value of place 4 r + c of a tile whose values begin at `start`.
  KOKKOS_INLINE_FUNCTION std::int64_t value(std::uint32_t map, std::int64_t start,
                                            int place) const {
    return start + (packed ? entries_before(map, place) : place);
  }

  /// visit(entry, value) for the entries of a tile: neighbours in a row of it are neighbours in
  /// memory.
  template <class Visit>
  KOKKOS_INLINE_FUNCTION void for_each_entry(Ordinal tile_row, std::int32_t tile,
                                             std::int64_t start, const Visit& visit) const {
    const std::uint32_t map = maps(tile);
    for (int r = 0; r < tile_size; ++r) {
      const std::uint32_t bits = row_bits(map, r);
      if (bits == 0) continue;
      Offset entry = first_entry(tile_size * tile_row + r, tile_size * tile_columns(tile));
      for_each_place(bits,
                     [&](const int c) { visit(entry++, value(map, start, tile_size * r + c)); });
    }
  }

  /// The same where the rows are those of the transpose: the columns of a tile lie in them.
  template <class Visit>
  KOKKOS_INLINE_FUNCTION void for_each_transposed(Ordinal tile_row, std::int32_t tile,
                                                  std::int64_t start, const Visit& visit) const {
    const std::uint32_t map = maps(tile);
    const std::uint32_t mirrored = transpose_map(map);
    for (int c = 0; c < tile_size; ++c) {
      const std::uint32_t bits = row_bits(mirrored, c);
      if (bits == 0) continue;
      Offset entry = first_entry(tile_size * tile_columns(tile) + c, tile_size * tile_row);
      for_each_place(bits,
                     [&](const int r) { visit(entry++, value(map, start, tile_size * r + c)); });
    }
  }
};

template <class Storage, class Space, class Offset>
RowsAndTiles<Space, Offset> rows_of_tiles(const MbsrView<Storage, Space>& tiles,
                                          const ArrayView<const Offset, Space>& offsets,
                                          const ArrayView<const Ordinal, Space>& columns) {
  return {offsets, columns, tiles.tile_columns, tiles.maps, tiles.layout == TileLayout::packed};
}

template <class Storage, class Space>
void require_same_size(const MbsrView<Storage, Space>& tiles, Ordinal num_rows, Ordinal num_cols,
                       std::size_t num_entries) {
  const auto text = [](Ordinal rows, Ordinal cols, std::size_t entries) {
    return std::to_string(rows) + " by " + std::to_string(cols) + " with " +
           std::to_string(entries) + " entries";
  };
  require(tiles.num_rows == num_rows && tiles.num_cols == num_cols &&
              tiles.num_entries == num_entries && tiles.scale == 1,
          [&] {
            return "the tiles are " + text(tiles.num_rows, tiles.num_cols, tiles.num_entries) +
                   " and the scale " + std::to_string(tiles.scale) + "; expected " +
                   text(num_rows, num_cols, num_entries) + " and the scale 1";
          });
}

/// What goes where: the rows' values into tiles, the rows of the transpose's, or those of tiles
/// into rows.
enum class Refill { tiles, transposed_tiles, rows };

template <Refill refill, class Scalar, class Space, class Offset>
struct RefillTile {
  RowsAndTiles<Space, Offset> rows;
  ArrayView<const Scalar, Space> from;
  ArrayView<Scalar, Space> to;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal tile_row, std::int32_t tile,
                                         std::int64_t start) const {
    const auto copy = [&](Offset entry, std::int64_t value) {
      if constexpr (refill == Refill::rows) {
        to(entry) = from(value);
      } else {
        to(value) = from(entry);
      }
    };
    if constexpr (refill == Refill::transposed_tiles) {
      rows.for_each_transposed(tile_row, tile, start, copy);
    } else {
      rows.for_each_entry(tile_row, tile, start, copy);
    }
  }
};

template <Refill refill, class Scalar, class Space, class Offset>
void refill_tiles(const Space& exec, const CsrView<Scalar, Space, Offset>& A, Ordinal num_rows,
                  Ordinal num_cols, const Mbsr<Scalar, Space>& tiles) {
  const auto view = tiles.view();
  require_same_size(view, num_rows, num_cols, A.num_entries);
  for_each_tile(exec, "tessera::refill_mbsr", tile_places_of(view),
                RefillTile<refill, Scalar, Space, Offset>{
                    rows_of_tiles<Scalar, Space, Offset>(view, A.offsets, A.columns), A.values,
                    tiles.values});
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
void refill_mbsr(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                 const Mbsr<Scalar, Space>& tiles) {
  detail::refill_tiles<detail::Refill::tiles>(exec, A, A.num_rows, A.num_cols, tiles);
}

template <class Scalar, class Space, class Offset>
void refill_transposed_mbsr(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                            const Mbsr<Scalar, Space>& tiles) {
  detail::refill_tiles<detail::Refill::transposed_tiles>(exec, A, A.num_cols, A.num_rows, tiles);
}

template <class Scalar, class Space, class Offset>
void refill_csr(const Space& exec, const MbsrView<Scalar, Space>& tiles,
                const Csr<Scalar, Space, Offset>& A) {
  detail::require_same_size(tiles, A.num_rows, A.num_cols, A.num_entries());
  detail::for_each_tile(
      exec, "tessera::refill_csr", detail::tile_places_of(tiles),
      detail::RefillTile<detail::Refill::rows, Scalar, Space, Offset>{
          detail::rows_of_tiles<Scalar, Space, Offset>(tiles, A.offsets, A.columns), tiles.values,
          A.values});
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, refill_mbsr)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, refill_transposed_mbsr)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, refill_csr)

}  // namespace tessera::kernels
