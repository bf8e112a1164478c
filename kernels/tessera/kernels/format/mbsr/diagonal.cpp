// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/mbsr/diagonal.hpp"

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {
namespace detail {

/// The diagonal entries of a tile row, from its tile on the diagonal.
template <class Working, class Storage, class Space>
struct DiagonalOfTileRow {
  MbsrView<Storage, Space> A;
  ArrayView<Working, Space> d;
  bool inverse;
  Working omega;

  /// The first tile that is not before the diagonal.
  KOKKOS_INLINE_FUNCTION std::int32_t search(Ordinal tile_row, std::int32_t low,
                                             std::int32_t high) const {
    while (low < high) {
      const std::int32_t middle = low + (high - low) / 2;
      if (A.tile_columns(middle) < tile_row) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  KOKKOS_INLINE_FUNCTION std::int64_t packed_start(Ordinal tile_row, std::int32_t tile) const {
    std::int64_t start = A.value_offsets(tile_row);
    for (std::int32_t t = A.tile_offsets(tile_row); t < tile; ++t)
      start += count_bits(A.maps(t));
    return start;
  }

  KOKKOS_INLINE_FUNCTION void store(Ordinal row, double value) const {
    const auto entry = static_cast<Working>(A.scale * value);
    d(row) = !inverse ? entry : entry == Working(0) ? Working(0) : omega / entry;
  }

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal tile_row) const {
    const std::int32_t end = A.tile_offsets(tile_row + 1);
    const std::int32_t tile = search(tile_row, A.tile_offsets(tile_row), end);
    const bool found = tile < end && A.tile_columns(tile) == tile_row;
    const std::uint32_t map = found ? A.maps(tile) : 0;
    const bool packed = A.layout == TileLayout::packed;
    const std::int64_t start = !packed ? static_cast<std::int64_t>(tile) * tile_places
                               : found ? packed_start(tile_row, tile)
                                       : 0;
    const Ordinal first = tile_size * tile_row;
    for (int r = 0; r < tile_size && r < A.num_rows - first; ++r) {
      const int place = (tile_size + 1) * r;
      const bool set = (map >> place & 1u) != 0;
      const std::int64_t at = start + (packed ? entries_before(map, place) : place);
      store(first + r, set ? static_cast<double>(A.values(at)) : 0.0);
    }
  }
};

}  // namespace detail

template <class Working, class Storage, class Space>
void extract_diagonal(const Space& exec, const MbsrView<Storage, Space>& A,
                      const NonDeduced<ArrayView<Working, Space>>& d) {
  require(d.extent(0) == static_cast<std::size_t>(A.num_rows), [&] {
    return "d has length " + std::to_string(d.extent(0)) + ", expected " +
           std::to_string(A.num_rows);
  });
  Kokkos::parallel_for("tessera::extract_diagonal",
                       Kokkos::RangePolicy<Space>(exec, 0, A.num_tile_rows()),
                       detail::DiagonalOfTileRow<Working, Storage, Space>{A, d, false, Working(1)});
}

template <class Working, class Storage, class Space>
Array<Working, Space> inverse_diagonal(const Space& exec, const MbsrView<Storage, Space>& A,
                                       NonDeduced<Working> omega) {
  const auto d = allocate<Working>(exec, "tessera::inverse_diagonal", A.num_rows);
  Kokkos::parallel_for("tessera::inverse_diagonal",
                       Kokkos::RangePolicy<Space>(exec, 0, A.num_tile_rows()),
                       detail::DiagonalOfTileRow<Working, Storage, Space>{A, d, true, omega});
  return d;
}

#define TESSERA_INSTANTIATE(Storage, Working, Space)                                            \
  template void extract_diagonal<Working>(const Space& exec, const MbsrView<Storage, Space>& A, \
                                          const NonDeduced<ArrayView<Working, Space>>& d);      \
  template Array<Working, Space> inverse_diagonal<Working>(                                     \
      const Space& exec, const MbsrView<Storage, Space>& A, NonDeduced<Working> omega);
TESSERA_FOR_EACH_MIXED(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
