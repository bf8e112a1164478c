// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/mbsr/scale.hpp"

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/format/mbsr/detail/for_each_tile.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {
namespace detail {

/// Multiplies the entries of a tile by the factors of their rows or columns.
template <class Working, class Storage, class Space>
struct ScaleTile {
  ArrayView<const Ordinal, Space> tile_columns;
  ArrayView<const TileMap, Space> maps;
  ArrayView<Storage, Space> values;
  ArrayView<const Working, Space> d;
  bool packed;
  bool by_column;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal tile_row, std::int32_t tile,
                                         std::int64_t start) const {
    const Ordinal first = tile_size * (by_column ? tile_columns(tile) : tile_row);
    std::int64_t next = start;
    for_each_place(maps(tile), [&](const int place) {
      Storage& value = values(packed ? next++ : start + place);
      const int within = by_column ? place % tile_size : place / tile_size;
      value =
          static_cast<Storage>(static_cast<double>(value) * static_cast<double>(d(first + within)));
    });
  }
};

template <class Working, class Storage, class Space>
void scale_tiles(const Space& exec, const Mbsr<Storage, Space>& A,
                 const ArrayView<const Working, Space>& d, bool by_column) {
  const Ordinal expected = by_column ? A.num_cols : A.num_rows;
  require(d.extent(0) == static_cast<std::size_t>(expected), [&] {
    return "d has length " + std::to_string(d.extent(0)) + ", expected " + std::to_string(expected);
  });
  for_each_tile(exec, "tessera::scale_tiles", tile_places_of(A.view()),
                ScaleTile<Working, Storage, Space>{A.tile_columns, A.maps, A.values, d,
                                                   A.layout == TileLayout::packed, by_column});
}

}  // namespace detail

template <class Working, class Storage, class Space>
void scale_rows(const Space& exec, const Mbsr<Storage, Space>& A,
                const NonDeduced<ArrayView<const Working, Space>>& d) {
  detail::scale_tiles<Working>(exec, A, d, false);
}

template <class Working, class Storage, class Space>
void scale_columns(const Space& exec, const Mbsr<Storage, Space>& A,
                   const NonDeduced<ArrayView<const Working, Space>>& d) {
  detail::scale_tiles<Working>(exec, A, d, true);
}

#define TESSERA_INSTANTIATE(Storage, Working, Space)                                       \
  template void scale_rows<Working>(const Space& exec, const Mbsr<Storage, Space>& A,      \
                                    const NonDeduced<ArrayView<const Working, Space>>& d); \
  template void scale_columns<Working>(const Space& exec, const Mbsr<Storage, Space>& A,   \
                                       const NonDeduced<ArrayView<const Working, Space>>& d);
TESSERA_FOR_EACH_MIXED(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
