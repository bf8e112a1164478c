// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spgemm/detail/chunks.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/expanded_row_cache.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/sum_tiles.hpp"

namespace tessera::kernels::spgemm_detail {

/// Workspace of `num_threads` threads for one product. It is there while the product is made: as
/// part of a plan that is kept, the caches of all levels' plans would be more than the levels.
template <class Scalar, class Space>
class ThreadWork {
 public:
  ThreadWork(const Space& exec, std::size_t num_threads, Ordinal num_tile_cols,
             const MbsrSpgemmPlan<Space>& plan)
      : m_shape(plan.longest_B),
        m_num_tile_cols(num_tile_cols),
        m_num_sums(static_cast<std::size_t>(plan.longest) * tile_places) {
    m_marks = allocate<Ordinal>(exec, "tessera::spgemm::marks", num_threads * m_num_tile_cols);
    Kokkos::deep_copy(exec, m_marks, 0);
    m_sums = allocate<Scalar>(exec, "tessera::spgemm::sums", num_threads * m_num_sums);
    m_numbers = allocate<Ordinal>(exec, "tessera::spgemm::expanded_columns",
                                  num_threads * m_shape.num_numbers());
    m_values = allocate<Scalar>(exec, "tessera::spgemm::expanded_values",
                                num_threads * m_shape.num_values());
  }

  /// The place of each tile column in a row.
  Ordinal* marks_of(std::size_t thread) const { return m_marks.data() + thread * m_num_tile_cols; }
  /// 16 sums for each tile of the longest tile row of C.
  Scalar* sums_of(std::size_t thread) const { return m_sums.data() + thread * m_num_sums; }
  /// Tile rows of B expanded, none so far.
  ExpandedRowCache<Scalar> cache_of(std::size_t thread) const {
    return {m_shape, m_numbers.data() + thread * m_shape.num_numbers(),
            m_values.data() + thread * m_shape.num_values()};
  }

 private:
  ExpandedRowCacheShape m_shape;
  std::size_t m_num_tile_cols, m_num_sums;
  Array<Ordinal, Space> m_marks, m_numbers;
  Array<Scalar, Space> m_sums, m_values;
};

/// Sums the tile rows of a chunk (Gustavson's algorithm on tiles). The tile rows of B that a thread
/// has expanded last are kept: nearby rows of A mostly use them again.
template <class StorageA, class StorageB, class StorageC, class Space>
struct SumTileChunk {
  using Scalar = ProductArithmetic<StorageA, StorageB, StorageC>;
  static constexpr Ordinal chunk_length = rows_per_chunk / tile_size;

  MbsrView<StorageA, Space> A;
  MbsrView<StorageB, Space> B;
  MbsrView<StorageC, Space> C;
  StorageC* values;
  double scale;
  ThreadToken<Space> token;
  ThreadWork<Scalar, Space> work;

  void operator()(Ordinal chunk) const {
    const int id = token.acquire();
    Ordinal* const mark = work.marks_of(id);
    Scalar* const sums = work.sums_of(id);
    const ExpandedRowCache<Scalar> cache = work.cache_of(id);
    const Ordinal first = chunk * chunk_length;
    const Ordinal last = first + std::min(chunk_length, C.num_tile_rows() - first);
    for (Ordinal row = first; row < last; ++row) {
      for (std::int32_t t = C.tile_offsets(row); t < C.tile_offsets(row + 1); ++t)
        mark[C.tile_columns(t)] = t - C.tile_offsets(row);
      std::fill_n(sums, row_size(row) * tile_places, Scalar(0));
      sum_row(row, cache, mark, sums);
      if (C.layout == TileLayout::packed) {
        write_packed(row, sums);
      } else {
        write_dense(row, sums);
      }
    }
    token.release(id);
  }

  std::size_t row_size(Ordinal row) const { return C.tile_offsets(row + 1) - C.tile_offsets(row); }

  void sum_row(Ordinal row, const ExpandedRowCache<Scalar>& cache, const Ordinal* mark,
               Scalar* sums) const {
    const bool packed = A.layout == TileLayout::packed;
    const std::int32_t first = A.tile_offsets(row);
    const StorageA* a = values_of_row(A, row);
    for (std::int32_t t = first; t < A.tile_offsets(row + 1); ++t) {
      const TileColumns<Scalar> columns(A.maps(t), a, packed);
      add_tile_times_row(columns, cache.rows(B, A.tile_columns(t)), mark, sums);
      a += packed ? columns.size() : tile_places;
    }
  }

  StorageC rounded(Scalar sum) const {
    return static_cast<StorageC>(static_cast<double>(sum) * scale);
  }

  void write_packed(Ordinal row, const Scalar* sums) const {
    StorageC* c = values + C.value_offsets(row);
    for (std::int32_t t = C.tile_offsets(row); t < C.tile_offsets(row + 1); ++t) {
      for (unsigned places = C.maps(t); places != 0; places &= places - 1)
        *c++ = rounded(sums[std::countr_zero(places)]);
      sums += tile_places;
    }
  }

  /// Places outside the maps hold zero sums.
  void write_dense(Ordinal row, const Scalar* sums) const {
    StorageC* const c = values + std::int64_t(tile_places) * C.tile_offsets(row);
    for (std::size_t i = 0; i < row_size(row) * tile_places; ++i)
      c[i] = rounded(sums[i]);
  }
};

template <class StorageA, class StorageB, class StorageC, class Space>
void sum_tiles_by_threads(const Space& exec, const MbsrSpgemmPlan<Space>& plan,
                          const MbsrView<StorageA, Space>& A, const MbsrView<StorageB, Space>& B,
                          const Mbsr<StorageC, Space>& C) {
  using Functor = SumTileChunk<StorageA, StorageB, StorageC, Space>;
  const ThreadToken<Space> token(exec);
  Kokkos::parallel_for("tessera::spgemm::sum_tiles",
                       chunk_policy(exec, tiles_for(C.num_rows), Functor::chunk_length),
                       Functor{A, B, C.view(), C.values.data(), product_scale(A, B, C), token,
                               ThreadWork<typename Functor::Scalar, Space>(
                                   exec, token.size(), B.num_tile_cols(), plan)});
}

#define TESSERA_INSTANTIATE(...) TESSERA_INSTANTIATE_FUNCTION(sum_tiles_by_threads, __VA_ARGS__)
TESSERA_DETAIL_PRODUCTS_OF(TESSERA_INSTANTIATE, ::tessera::HostSpace)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels::spgemm_detail
