// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/select_format.hpp"

#include <limits>

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/detail/count_tiles.hpp"
#include "tessera/kernels/format/ell.hpp"
#include "tessera/kernels/format/hyb.hpp"
#include "tessera/kernels/format/sort_rows.hpp"

namespace tessera::kernels {
namespace detail {

/// The tiles of a matrix.
struct TileCensus {
  std::int64_t tiles = 0;
  std::int64_t longest = 0;
  std::int64_t duplicates = 0;
  std::int64_t descents = 0;

  KOKKOS_INLINE_FUNCTION TileCensus& operator+=(const TileCensus& other) {
    tiles += other.tiles;
    longest = Kokkos::max(longest, other.longest);
    duplicates += other.duplicates;
    descents += other.descents;
    return *this;
  }
};

template <class Space>
TileCensus total_of(const Space& exec, const ArrayView<const TileTally, Space>& tallies) {
  TileCensus all;
  Kokkos::parallel_reduce(
      "tessera::select_format", Kokkos::RangePolicy<Space>(exec, 0, tallies.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, TileCensus& mine) {
        const TileTally tally = tallies(i);
        mine += TileCensus{tally.tiles, tally.tiles, tally.duplicates, tally.descents};
      },
      all);
  return all;
}

/// Counts by merging rows on a host, by lanes on a device.
template <class Scalar, class Space, class Offset>
TileCensus count_tiles(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  const Ordinal tile_rows = tiles_for(A.num_rows);
  const auto tallies = allocate<TileTally>(exec, "tessera::select_format", tile_rows);
  const CountTiles<Space, Offset> count{A.offsets, A.columns, A.num_rows, tallies};
  if constexpr (is_host_space<Space>) {
    Kokkos::parallel_for("tessera::select_format", Kokkos::RangePolicy<Space>(exec, 0, tile_rows),
                         count);
  } else {
    // A lane for each entry of a row, not of a tile row.
    Kokkos::parallel_for("tessera::select_format",
                         RowTeams<Space>(exec, tile_rows, A.num_entries / tile_size).policy, count);
  }
  return total_of<Space>(exec, tallies);
}

template <class Space, class Offset>
std::size_t entries_beyond(const Space& exec, const ArrayView<const Offset, Space>& offsets,
                           Ordinal num_rows, Ordinal width) {
  std::int64_t rest = 0;
  Kokkos::parallel_reduce(
      "tessera::select_format", Kokkos::RangePolicy<Space>(exec, 0, num_rows),
      KOKKOS_LAMBDA(const Ordinal row, std::int64_t& mine) {
        const std::int64_t length = offsets(row + 1) - offsets(row);
        mine += length > width ? length - width : 0;
      },
      rest);
  return static_cast<std::size_t>(rest);
}

/// Fills in the bytes of every format.
inline void count_bytes(FormatStatistics& s, double num_rows, double num_cols, double offset_bytes,
                        double value_bytes, double vector_bytes) {
  const auto entries = static_cast<double>(s.num_entries);
  const double index_bytes = sizeof(Ordinal);
  const double entry_bytes = value_bytes + index_bytes;
  const double vectors = (num_rows + num_cols) * vector_bytes;
  s.value_bytes = value_bytes;
  s.vector_bytes = vectors;
  s.csr_bytes = vectors + entries * entry_bytes + (num_rows + 1) * offset_bytes;
  s.coo_bytes = vectors + entries * (entry_bytes + index_bytes) + s.rows.empty_rows * index_bytes;
  s.ell_bytes = vectors + (1 + s.ell_padding) * entries * entry_bytes;
  s.hyb_bytes = s.hyb_width == 0
                    ? std::numeric_limits<double>::infinity()
                    : vectors + num_rows * s.hyb_width * entry_bytes +
                          static_cast<double>(s.hyb_rest) * (entry_bytes + index_bytes);
  if (s.duplicates) {
    s.mbsr_packed_bytes = s.mbsr_dense_bytes = std::numeric_limits<double>::infinity();
    return;
  }
  const auto tiles = static_cast<double>(s.num_tiles);
  const double tile_rows = num_rows / tile_size + 1;
  const double maps =
      vectors + tiles * (index_bytes + sizeof(TileMap)) + tile_rows * sizeof(std::int32_t);
  s.mbsr_packed_bytes = maps + entries * value_bytes + tile_rows * sizeof(std::int64_t);
  s.mbsr_dense_bytes = maps + tiles * tile_places * value_bytes;
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
FormatChoice select_format(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                           const FormatOptions& options) {
  constexpr bool on_host = is_host_space<Space>;
  FormatStatistics s;
  s.rows = row_statistics(exec, A);
  s.num_rows = A.num_rows;
  s.num_entries = A.num_entries;
  s.cache_bytes = options.cache_bytes != 0 ? options.cache_bytes
                  : on_host                ? rules::cache_bytes_on_host
                                           : rules::cache_bytes_on_device;
  detail::TileCensus tiles = detail::count_tiles(exec, A);
  s.sorted = tiles.descents == 0;
  if (!s.sorted) {
    const auto sorted = sort_rows(exec, A);
    tiles = detail::count_tiles(exec, sorted.view());
  }
  s.num_tiles = tiles.tiles;
  s.longest_tile_row = tiles.longest;
  s.mean_tile_row = A.num_rows == 0 ? 0 : static_cast<double>(tiles.tiles) / tiles_for(A.num_rows);
  s.duplicates = tiles.duplicates > 0;
  const double slots = static_cast<double>(s.rows.longest) * A.num_rows;
  s.ell_padding = A.num_entries == 0 ? 0 : slots / static_cast<double>(A.num_entries) - 1;
  const std::size_t value_bytes = options.value_bytes != 0 ? options.value_bytes : sizeof(Scalar);
  if (s.ell_padding > rules::max_ell_padding) {
    s.hyb_width = hyb_width(exec, A, HybStrategy::least_bytes(), value_bytes);
    s.hyb_rest = detail::entries_beyond<Space, Offset>(exec, A.offsets, A.num_rows, s.hyb_width);
  }
  detail::count_bytes(s, A.num_rows, A.num_cols, sizeof(Offset), static_cast<double>(value_bytes),
                      sizeof(Scalar));
  return choose_format(s, on_host);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, select_format)

}  // namespace tessera::kernels
