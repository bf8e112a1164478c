// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spgemm/mbsr/detail/tile_symbolic.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/throwing_parallel_for.hpp"
#include "tessera/kernels/format/offsets.hpp"
#include "tessera/kernels/spgemm/detail/chunks.hpp"
#include "tessera/kernels/spgemm/detail/row_order.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/count_tile_rows.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/fill_tile_rows.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace tessera::kernels::spgemm_detail {

void require_countable_tiles(std::int64_t num_tiles) {
  require(num_tiles <= std::numeric_limits<std::int32_t>::max(), [&] {
    return "the product has " + std::to_string(num_tiles) +
           " tiles, more than the 2147483647 that mBSR counts";
  });
}

template <class Space>
TilePattern<Space> multiply_patterns_by_teams(const Space& exec, const TilePatternView<Space>& A,
                                              const TilePatternView<Space>& B,
                                              SizeHistogram& histogram) {
  TilePattern<Space> C;
  const std::size_t num_offsets = static_cast<std::size_t>(A.num_tile_rows) + 1;
  const RowWorkspace<Space> work(exec, A.num_tile_rows);
  C.sizes = work.sizes;
  count_tile_rows<Space>(exec, A, B, work);
  histogram = histogram_of_sizes<Space>(exec, TableFill::three_quarters, C.sizes);
  require_countable_tiles(histogram.total);

  C.offsets = allocate<std::int32_t>(exec, "tessera::spgemm::tile_offsets", num_offsets);
  C.columns = allocate<Ordinal>(exec, "tessera::spgemm::tile_columns", histogram.total);
  C.maps = allocate<TileMap>(exec, "tessera::spgemm::maps", histogram.total);
  C.value_offsets = allocate<std::int64_t>(exec, "tessera::spgemm::value_offsets", num_offsets);
  offsets_from_counts<Space, std::int32_t>(exec, C.sizes, C.offsets);
  fill_tile_rows(exec, A, B, histogram, work, C);
  C.num_entries = counts_to_offsets<std::int64_t, Space>(exec, C.value_offsets);
  return C;
}

template <class Space>
struct LongestRow {
  ArrayView<const std::int32_t, Space> offsets;

  KOKKOS_FUNCTION void operator()(Ordinal row, Ordinal& longest) const {
    const Ordinal size = offsets(row + 1) - offsets(row);
    if (size > longest) longest = size;
  }
};

template <class Space>
Ordinal longest_row(const Space& exec, const ArrayView<const std::int32_t, Space>& offsets) {
  Ordinal longest = 0;
  if (offsets.extent(0) < 2) return longest;
  Kokkos::parallel_reduce(
      "tessera::spgemm::longest_row",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, offsets.extent(0) - 1),
      LongestRow<Space>{offsets}, Kokkos::Max<Ordinal>(longest));
  return longest;
}

template <class Space>
struct StartTiles {
  ArrayView<const TileMap, Space> maps;
  ArrayView<std::int64_t, Space> starts;

  KOKKOS_FUNCTION void operator()(std::int32_t tile, std::int64_t& sum, bool final) const {
    if (final) starts(tile) = sum;
    sum += count_bits(maps(tile));
  }
};

template <class Space>
void start_tiles(const Space& exec, const ArrayView<const TileMap, Space>& maps,
                 const ArrayView<std::int64_t, Space>& starts) {
  Kokkos::parallel_scan(
      "tessera::spgemm::start_tiles",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int32_t>>(exec, 0, maps.extent(0)),
      StartTiles<Space>{maps, starts});
}

/// Tile rows of a chunk: as many rows as a chunk of CSR has.
inline constexpr Ordinal tile_rows_per_chunk = rows_per_chunk / tile_size;

/// The tile rows of a chunk, end to end.
struct ChunkTiles {
  std::vector<Ordinal> columns;
  std::vector<TileMap> maps;
};

/// What a thread keeps from one row, and from one chunk, to the next.
struct TileWork {
  std::vector<Ordinal> found;  ///< the tile columns of one row in the order in which they occur
  ChunkTiles chunk;
  RowOrder order;
};

/// Joins and sorts the tiles of a chunk in one pass.
template <class Space>
struct MultiplyTileChunk {
  TilePatternView<Space> A, B;
  ThreadToken<Space> token;
  TileMap* maps;  ///< one a tile column for each thread, zero between rows
  TileWork* works;  ///< one per thread
  ChunkTiles* chunks;  ///< one a chunk
  ArrayView<Ordinal, Space> sizes;
  ArrayView<std::int64_t, Space> entries;

  void operator()(Ordinal chunk) const {
    const int id = token.acquire();
    TileWork& work = works[id];
    TileMap* const map = maps + static_cast<std::size_t>(id) * B.num_tile_cols;
    const Ordinal first = chunk * tile_rows_per_chunk;
    const Ordinal last = first + std::min(tile_rows_per_chunk, A.num_tile_rows - first);
    work.chunk.columns.clear();
    work.chunk.maps.clear();
    for (Ordinal row = first; row < last; ++row)
      finish_row(row, work, map, join_row(row, work, map));
    chunks[chunk] = work.chunk;
    token.release(id);
  }

  /// Joins the maps of the row's products by tile column; returns how many columns there are.
  Ordinal join_row(Ordinal row, TileWork& work, TileMap* map) const {
    make_room(row, work);
    const Ordinal* const b_columns = B.columns.data();
    const TileMap* const b_maps = B.maps.data();
    Ordinal* const found = work.found.data();
    Ordinal size = 0;
    for (std::int32_t k = A.offsets(row); k < A.offsets(row + 1); ++k) {
      const TileMap a_map = A.maps(k);
      const Ordinal middle = A.columns(k);
      const std::int32_t end = B.offsets(middle + 1);
      for (std::int32_t j = B.offsets(middle); j < end; ++j) {
        const TileMap product = multiply_maps(a_map, b_maps[j]);
        if (product == 0) continue;
        TileMap& joined = map[b_columns[j]];
        if (joined == 0) found[size++] = b_columns[j];
        joined |= product;
      }
    }
    return size;
  }

  void make_room(Ordinal row, TileWork& work) const {
    std::int64_t products = 0;
    for (std::int32_t k = A.offsets(row); k < A.offsets(row + 1); ++k)
      products += B.offsets(A.columns(k) + 1) - B.offsets(A.columns(k));
    const auto bound = static_cast<std::size_t>(std::min<std::int64_t>(products, B.num_tile_cols));
    if (work.found.size() < bound) work.found.resize(bound);
    work.order.reserve(bound);
  }

  /// Appends the row to the chunk, sorted, and clears its maps.
  void finish_row(Ordinal row, TileWork& work, TileMap* map, Ordinal size) const {
    const std::size_t filled = work.chunk.columns.size();
    work.chunk.columns.resize(filled + size);
    work.chunk.maps.resize(filled + size);
    work.order.sort(work.found.data(), size, work.chunk.columns.data() + filled);
    std::int64_t num_entries = 0;
    for (std::size_t i = filled; i < filled + size; ++i) {
      TileMap& joined = map[work.chunk.columns[i]];
      work.chunk.maps[i] = joined;
      num_entries += count_bits(joined);
      joined = 0;
    }
    sizes(row) = size;
    entries(row) = num_entries;
  }
};

/// Copies the tiles of a chunk to their place.
template <class Space>
struct PlaceTileChunk {
  const ChunkTiles* chunks;
  ArrayView<const std::int32_t, Space> offsets;
  ArrayView<Ordinal, Space> columns;
  ArrayView<TileMap, Space> maps;

  void operator()(Ordinal chunk) const {
    const std::int32_t begin = offsets(chunk * tile_rows_per_chunk);
    std::copy(chunks[chunk].columns.begin(), chunks[chunk].columns.end(), columns.data() + begin);
    std::copy(chunks[chunk].maps.begin(), chunks[chunk].maps.end(), maps.data() + begin);
  }
};

template <class Space>
TilePattern<Space> multiply_patterns_by_threads(const Space& exec, const TilePatternView<Space>& A,
                                                const TilePatternView<Space>& B) {
  const ThreadToken<Space> token(exec);
  const auto marks = allocate<TileMap>(exec, "tessera::spgemm::thread_maps",
                                       static_cast<std::size_t>(token.size()) * B.num_tile_cols);
  Kokkos::deep_copy(exec, marks, TileMap(0));
  std::vector<TileWork> works(token.size());
  const auto policy = chunk_policy(exec, A.num_tile_rows, tile_rows_per_chunk);
  std::vector<ChunkTiles> chunks(policy.end());
  TilePattern<Space> C;
  const std::size_t num_offsets = static_cast<std::size_t>(A.num_tile_rows) + 1;
  C.sizes = allocate<Ordinal>(exec, "tessera::spgemm::sizes", A.num_tile_rows);
  C.value_offsets = allocate<std::int64_t>(exec, "tessera::spgemm::value_offsets", num_offsets);
  throwing_parallel_for("tessera::spgemm::multiply_patterns", policy,
                        MultiplyTileChunk<Space>{A, B, token, marks.data(), works.data(),
                                                 chunks.data(), C.sizes, C.value_offsets});
  const std::int64_t num_tiles = sum_of_sizes<Space>(exec, C.sizes);
  require_countable_tiles(num_tiles);
  C.num_entries = counts_to_offsets<std::int64_t, Space>(exec, C.value_offsets);

  C.offsets = allocate<std::int32_t>(exec, "tessera::spgemm::tile_offsets", num_offsets);
  C.columns = allocate<Ordinal>(exec, "tessera::spgemm::tile_columns", num_tiles);
  C.maps = allocate<TileMap>(exec, "tessera::spgemm::maps", num_tiles);
  offsets_from_counts<Space, std::int32_t>(exec, C.sizes, C.offsets);
  Kokkos::parallel_for("tessera::spgemm::place_tiles", policy,
                       PlaceTileChunk<Space>{chunks.data(), C.offsets, C.columns, C.maps});
  exec.fence("tessera::spgemm: the tiles of the chunks end here");
  return C;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, multiply_patterns_by_teams)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, longest_row)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, start_tiles)

template TilePattern<HostSpace> multiply_patterns_by_threads(const HostSpace&,
                                                             const TilePatternView<HostSpace>&,
                                                             const TilePatternView<HostSpace>&);

}  // namespace tessera::kernels::spgemm_detail
