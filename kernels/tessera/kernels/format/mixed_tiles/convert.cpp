// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/mixed_tiles/detail/tile_rows.hpp"
#include "tessera/kernels/format/sort_rows.hpp"
#include "tessera/kernels/host_copy.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/offsets.hpp"

namespace tessera::kernels {
namespace detail {
namespace {

template <int size, class Scalar, class Space, class Offset>
TileRows<Scalar, Space, Offset, size> rows_of(const CsrView<Scalar, Space, Offset>& A) {
  return {A.offsets.data(), A.columns.data(), A.values.data(), A.num_rows,
          tiles_along(A.num_rows, size)};
}

/// Counts the tiles of each row of tiles. False where some row was not sorted.
template <int size, class Scalar, class Space, class Offset>
bool count_tiles(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                 const Array<Offset, Space>& counts) {
  const auto rows = rows_of<size>(A);
  const auto unsorted = allocate<std::int32_t>(exec, "tessera::mixed_tiles::unsorted", 1);
  Kokkos::deep_copy(exec, unsorted, 0);
  Kokkos::parallel_for(
      "tessera::mixed_tiles::count", rows.policy(exec),
      CountTiles<Scalar, Space, Offset, size>{rows, counts.data(), unsorted.data()});
  return copy_to_host(exec, unsorted)(0) == 0;
}

template <int size, class Scalar, class Space, class Offset>
MixedTiles<Scalar, Space, Offset, size> tiles_of_counts(const Space& exec,
                                                        const CsrView<Scalar, Space, Offset>& A,
                                                        const Array<Offset, Space>& tile_offsets,
                                                        const TileCriterion& criterion) {
  const auto rows = rows_of<size>(A);
  const std::size_t num_tiles =
      counts_to_offsets<Offset, Space>(exec, tile_offsets, "the matrix in tiles");
  const auto keys = allocate<std::uint32_t>(exec, "tessera::mixed_tiles::keys", num_tiles);
  const auto begins = allocate<Offset>(exec, "tessera::mixed_tiles::begins", num_tiles + 1);
  const auto totals =
      allocate<std::int64_t>(exec, "tessera::mixed_tiles::totals", 2 * num_tile_kinds);
  Kokkos::deep_copy(exec, totals, std::int64_t(0));
  if (num_tiles > 0) {
    Kokkos::parallel_for(
        "tessera::mixed_tiles::measure", rows.policy(exec),
        MeasureTiles<Scalar, Space, Offset, size>{rows, criterion, tile_offsets.data(), keys.data(),
                                                  begins.data(), totals.data()});
  }
  const std::size_t num_words =
      counts_to_offsets<Offset, Space>(exec, begins, "the words of the matrix in tiles");
  const auto words = allocate<std::uint64_t>(exec, "tessera::mixed_tiles::words", num_words);
  if (num_tiles > 0) {
    Kokkos::parallel_for("tessera::mixed_tiles::fill", rows.policy(exec),
                         FillTiles<Scalar, Space, Offset, size>{
                             rows, tile_offsets.data(), keys.data(), begins.data(), words.data()});
  }
  MixedTiles<Scalar, Space, Offset, size> result;
  const auto found = copy_to_host(exec, totals);
  result.num_rows = A.num_rows;
  result.num_cols = A.num_cols;
  for (int kind = 0; kind < num_tile_kinds; ++kind) {
    result.tiles_of_kind[kind] = found(kind);
    result.entries_of_kind[kind] = found(num_tile_kinds + kind);
    result.num_entries += static_cast<std::size_t>(found(num_tile_kinds + kind));
  }
  result.tile_offsets = tile_offsets;
  result.keys = keys;
  result.begins = begins;
  result.words = words;
  return result;
}

}  // namespace
}  // namespace detail

template <int size, class Scalar, class Space, class Offset>
MixedTiles<Scalar, Space, Offset, size> csr_to_mixed_tiles(const Space& exec,
                                                           const CsrView<Scalar, Space, Offset>& A,
                                                           const TileCriterion& criterion) {
  require(criterion.tolerance >= 0, [&] {
    return "the tolerance of tiles is " + std::to_string(criterion.tolerance) +
           ", expected a number that is not negative";
  });
  const auto rows = detail::rows_of<size>(A);
  const auto tile_offsets =
      allocate<Offset>(exec, "tessera::mixed_tiles::offsets", rows.num_tile_rows + 1ul);
  if (rows.num_tile_rows == 0) {
    Kokkos::deep_copy(exec, tile_offsets, Offset(0));
    return detail::tiles_of_counts<size>(exec, A, tile_offsets, criterion);
  }
  if (detail::count_tiles<size>(exec, A, tile_offsets))
    return detail::tiles_of_counts<size>(exec, A, tile_offsets, criterion);
  const Csr<Scalar, Space, Offset> sorted = sort_rows(exec, A);
  detail::count_tiles<size>(exec, sorted.view(), tile_offsets);
  return detail::tiles_of_counts<size>(exec, sorted.view(), tile_offsets, criterion);
}

#define TESSERA_INSTANTIATE_SIZE(size, Scalar, Space, Offset)          \
  template MixedTiles<Scalar, Space, Offset, size> csr_to_mixed_tiles( \
      const Space&, const CsrView<Scalar, Space, Offset>&, const TileCriterion&);
#define TESSERA_INSTANTIATE(Scalar, Space, Offset)    \
  TESSERA_INSTANTIATE_SIZE(8, Scalar, Space, Offset)  \
  TESSERA_INSTANTIATE_SIZE(16, Scalar, Space, Offset) \
  TESSERA_INSTANTIATE_SIZE(32, Scalar, Space, Offset)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_SIZE

}  // namespace tessera::kernels
