// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Transpose on host spaces: counting sort by column, one block of rows per thread.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/format/offsets.hpp"

#include <algorithm>

namespace tessera::kernels::detail {

/// As many blocks of rows as there are threads, but so few that the blocks' counters take no more
/// memory than the matrix.
template <class Space>
int transpose_blocks(const Space& exec, Ordinal num_cols, std::size_t num_entries) {
  const std::size_t affordable = 1 + 3 * num_entries / (static_cast<std::size_t>(num_cols) + 1);
  return static_cast<int>(
      std::min(affordable, static_cast<std::size_t>(std::max(1, exec.concurrency()))));
}

template <class Scalar, class Space, class Offset>
struct BlockTranspose {
  CsrView<Scalar, Space, Offset> A;
  int blocks;
  Array<Offset, Space> cursors;  ///< blocks by num_cols: first counts, then places

  Ordinal first_row(int block) const {
    return static_cast<Ordinal>(static_cast<std::int64_t>(A.num_rows) * block / blocks);
  }
  Offset* cursors_of(int block) const {
    return cursors.data() + static_cast<std::size_t>(block) * A.num_cols;
  }

  /// Counts the entries of each block's rows in each column.
  void count(const Space& exec) const {
    const BlockTranspose self = *this;
    Kokkos::parallel_for("tessera::transpose_count", Kokkos::RangePolicy<Space>(exec, 0, blocks),
                         [self](const int block) {
                           Offset* const counts = self.cursors_of(block);
                           std::fill_n(counts, self.A.num_cols, Offset(0));
                           const Ordinal* const columns = self.A.columns.data();
                           const Offset end = self.A.offsets(self.first_row(block + 1));
                           for (Offset e = self.A.offsets(self.first_row(block)); e < end; ++e) {
                             ++counts[columns[e]];
                           }
                         });
  }

  /// Adds up the blocks' counts to each column's length, and leaves each block's place in it.
  void add_up(const Space& exec, const Array<Offset, Space>& lengths) const {
    const BlockTranspose self = *this;
    Kokkos::parallel_for("tessera::transpose_lengths",
                         Kokkos::RangePolicy<Space>(exec, 0, A.num_cols),
                         [self, lengths](const Ordinal column) {
                           Offset length = 0;
                           for (int block = 0; block < self.blocks; ++block) {
                             Offset& cursor = self.cursors_of(block)[column];
                             const Offset count = cursor;
                             cursor = length;
                             length += count;
                           }
                           lengths(column) = length;
                         });
  }

  /// Puts the entries where they belong, each block in its rows' order.
  void scatter(const Space& exec, const Array<Offset, Space>& offsets,
               const Array<Ordinal, Space>& columns, const Array<Scalar, Space>& values) const {
    const BlockTranspose self = *this;
    Kokkos::parallel_for("tessera::transpose_scatter", Kokkos::RangePolicy<Space>(exec, 0, blocks),
                         [=](const int block) {
                           Offset* const cursor = self.cursors_of(block);
                           const Ordinal end = self.first_row(block + 1);
                           for (Ordinal row = self.first_row(block); row < end; ++row) {
                             const Offset row_end = self.A.offsets(row + 1);
                             for (Offset e = self.A.offsets(row); e < row_end; ++e) {
                               const Ordinal column = self.A.columns(e);
                               const Offset place = offsets(column) + cursor[column]++;
                               columns(place) = row;
                               values(place) = self.A.values(e);
                             }
                           }
                         });
  }
};

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> transpose_host(const Space& exec,
                                          const CsrView<Scalar, Space, Offset>& A) {
  const int blocks = transpose_blocks(exec, A.num_cols, A.num_entries);
  const BlockTranspose<Scalar, Space, Offset> work{
      A, blocks,
      allocate<Offset>(exec, "tessera::transpose_cursors",
                       static_cast<std::size_t>(blocks) * A.num_cols)};
  auto offsets = allocate<Offset>(exec, "tessera::offsets", A.num_cols + 1ul);
  auto columns = allocate<Ordinal>(exec, "tessera::columns", A.num_entries);
  auto values = allocate<Scalar>(exec, "tessera::values", A.num_entries);
  work.count(exec);
  work.add_up(exec, offsets);
  counts_to_offsets_async<Offset, Space>(exec, offsets);
  work.scatter(exec, offsets, columns, values);
  return {A.num_cols, A.num_rows, offsets, columns, values};
}

}  // namespace tessera::kernels::detail
