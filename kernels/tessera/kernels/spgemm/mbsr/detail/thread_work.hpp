// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the threads of a host sum tiles in.
#pragma once

#include "tessera/kernels/spgemm/mbsr/detail/expanded_row_cache.hpp"

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

}  // namespace tessera::kernels::spgemm_detail
