// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/mbsr/statistics.hpp"

#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {
namespace detail {

struct TileHistogram {
  std::int64_t counts[tile_places + 1] = {};

  KOKKOS_INLINE_FUNCTION TileHistogram& operator+=(const TileHistogram& other) {
    for (int i = 0; i <= tile_places; ++i)
      counts[i] += other.counts[i];
    return *this;
  }
};

template <class Space>
TileHistogram histogram_of_maps(const Space& exec, const ArrayView<const TileMap, Space>& maps) {
  TileHistogram all;
  Kokkos::parallel_reduce(
      "tessera::tile_histogram", Kokkos::RangePolicy<Space>(exec, 0, maps.extent(0)),
      KOKKOS_LAMBDA(const std::size_t tile, TileHistogram& mine) {
        ++mine.counts[count_bits(maps(tile))];
      },
      all);
  return all;
}

}  // namespace detail

template <class Storage, class Space>
RowStatistics tile_row_statistics(const Space& exec, const MbsrView<Storage, Space>& A) {
  // Only the offsets are read.
  const CsrView<double, Space> tiles{
      A.num_tile_rows(), A.num_tile_cols(), static_cast<std::size_t>(A.num_tiles),
      A.tile_offsets,    A.tile_columns,    {}};
  return row_statistics(exec, tiles);
}

template <class Storage, class Space>
std::array<std::int64_t, tile_places + 1> tile_histogram(const Space& exec,
                                                         const MbsrView<Storage, Space>& A) {
  const detail::TileHistogram all = detail::histogram_of_maps<Space>(exec, A.maps);
  std::array<std::int64_t, tile_places + 1> result{};
  for (int i = 0; i <= tile_places; ++i)
    result[i] = all.counts[i];
  return result;
}

#define TESSERA_INSTANTIATE(Storage, Space)                                      \
  template RowStatistics tile_row_statistics(const Space& exec,                  \
                                             const MbsrView<Storage, Space>& A); \
  template std::array<std::int64_t, tile_places + 1> tile_histogram(             \
      const Space& exec, const MbsrView<Storage, Space>& A);
TESSERA_FOR_EACH_STORED(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
