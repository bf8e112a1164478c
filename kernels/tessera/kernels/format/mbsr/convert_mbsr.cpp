// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/format/mbsr/detail/for_each_tile.hpp"
#include "tessera/kernels/format/mbsr/detail/tile_row.hpp"

namespace tessera::kernels {
namespace detail {

/// A value of `From` times a power of two, rounded to `To`.
template <class To, class From>
KOKKOS_INLINE_FUNCTION To rescaled(From value, double factor) {
  return static_cast<To>(static_cast<double>(value) * factor);
}

/// Moves the values of a tile between the layouts. The tiles are visited as packed ones.
template <class To, class From, class Space>
struct RelayTile {
  ArrayView<const TileMap, Space> maps;
  ArrayView<const From, Space> from;
  ArrayView<To, Space> to;
  bool to_packed;
  double factor;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal, std::int32_t tile, std::int64_t start) const {
    const std::size_t dense = static_cast<std::size_t>(tile) * tile_places;
    const std::uint32_t map = maps(tile);
    auto packed = static_cast<std::size_t>(start);
    for (int place = 0; place < tile_places; ++place) {
      const bool set = (map >> place & 1u) != 0;
      if (set && to_packed) {
        to(packed++) = rescaled<To>(from(dense + place), factor);
      } else if (!to_packed) {
        to(dense + place) = set ? rescaled<To>(from(packed++), factor) : To(0);
      }
    }
  }
};

template <class To, class From, class Space>
void convert_items(const Space& exec, const ArrayView<const From, Space>& from,
                   const ArrayView<To, Space>& to, double factor) {
  Kokkos::parallel_for(
      "tessera::convert_mbsr", Kokkos::RangePolicy<Space>(exec, 0, from.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) { to(i) = rescaled<To>(from(i), factor); });
}

/// All of a matrix but its values.
template <class To, class From, class Space>
Mbsr<To, Space> same_pattern(const Mbsr<From, Space>& A, TileLayout layout, double scale) {
  Mbsr<To, Space> result;
  result.num_rows = A.num_rows;
  result.num_cols = A.num_cols;
  result.num_entries = A.num_entries;
  result.layout = layout;
  result.scale = scale;
  result.tile_offsets = A.tile_offsets;
  result.tile_columns = A.tile_columns;
  result.maps = A.maps;
  if (layout == A.layout) result.value_offsets = A.value_offsets;
  return result;
}

}  // namespace detail

template <class To, class From, class Space>
Mbsr<To, Space> convert_mbsr(const Space& exec, const Mbsr<From, Space>& A, TileLayout layout,
                             double scale) {
  detail::require_power_of_two(scale);
  const bool packed = layout == TileLayout::packed;
  Mbsr<To, Space> result = detail::same_pattern<To>(A, layout, scale);
  if constexpr (std::is_same_v<To, From>) {
    if (layout == A.layout && scale == A.scale) {
      result.values = A.values;
      return result;
    }
  }
  const std::size_t num_values =
      packed ? A.num_entries : static_cast<std::size_t>(A.num_tiles()) * tile_places;
  result.values = allocate<To>(exec, "tessera::values", num_values);
  const double factor = A.scale / scale;
  if (layout == A.layout) {
    detail::convert_items<To, From, Space>(exec, A.values, result.values, factor);
    return result;
  }
  auto pattern = detail::tile_places_of(A.view());
  if (packed) {
    result.value_offsets = detail::count_values(exec, pattern);
    pattern.value_offsets = result.value_offsets;
  }
  pattern.layout = TileLayout::packed;
  detail::for_each_tile(
      exec, "tessera::convert_mbsr", pattern,
      detail::RelayTile<To, From, Space>{A.maps, A.values, result.values, packed, factor});
  return result;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_PAIRS, convert_mbsr)

}  // namespace tessera::kernels
