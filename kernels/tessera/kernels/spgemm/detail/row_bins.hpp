// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows of a product put into bins by the size of the hash table that each needs.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <vector>

namespace tessera::kernels::spgemm_detail {

/// Tables have 2^smallest_log2_slots slots and more, by powers of two.
inline constexpr int smallest_log2_slots = 4;
/// Classes 0 to num_classes - 2 are tables of 2^4 to 2^13 slots; the last one is larger rows.
inline constexpr int num_classes = 11;

/// How full a table may get.
enum class TableFill {
  full,  ///< as many keys as slots: for a bound that is seldom reached
  three_quarters  ///< for an exact size
};

/// The most keys that a table of `slots` slots takes.
KOKKOS_INLINE_FUNCTION constexpr Ordinal table_capacity(TableFill fill, Ordinal slots) {
  return fill == TableFill::full ? slots : slots - slots / 4;
}

/// The class of a row of `size` keys.
KOKKOS_INLINE_FUNCTION constexpr int size_class(TableFill fill, Ordinal size) {
  int result = 0;
  Ordinal slots = Ordinal(1) << smallest_log2_slots;
  while (result < num_classes - 1 && table_capacity(fill, slots) < size) {
    slots *= 2;
    ++result;
  }
  return result;
}

/// How many rows fall in each class, and the sum of all sizes: a reduction's value.
struct SizeHistogram {
  std::int64_t total = 0;
  Ordinal rows[num_classes] = {};

  /// One more row.
  KOKKOS_INLINE_FUNCTION void add(TableFill fill, Ordinal size) {
    const int mine = size_class(fill, size);
    total += size;
    // Unrolled with constant indices, so that the histogram stays in registers.
    for (int c = 0; c < num_classes; ++c)
      rows[c] += c == mine;
  }
  KOKKOS_INLINE_FUNCTION SizeHistogram& operator+=(const SizeHistogram& other) {
    total += other.total;
    for (int c = 0; c < num_classes; ++c)
      rows[c] += other.rows[c];
    return *this;
  }
};

/// A contiguous range of the binned rows whose tables have one size.
struct RowBin {
  int log2_slots = 0;
  bool in_scratch = true;  ///< false: no table in scratch holds such a row
  int first_class = 0, last_class = 0;
  Ordinal first = 0, count = 0;
};

/// Groups classes into bins, smallest first: classes above `max_log2_slots` become one bin out of
/// scratch, a class of few rows joins the next larger one, as a launch costs more than their
/// larger tables, and those up to `log2_slots_of_smallest` share one.
std::vector<RowBin> group_classes(const SizeHistogram& histogram, int max_log2_slots,
                                  int log2_slots_of_smallest = smallest_log2_slots);

/// Bins and the rows in their order; `rows` is empty where one bin holds all rows in natural order.
template <class Space>
struct RowBins {
  std::vector<RowBin> bins;
  Array<Ordinal, Space> rows;
};

/// Histogram of `sizes`; waits for the device.
template <class Space>
SizeHistogram histogram_of_sizes(const Space& exec, TableFill fill,
                                 const ArrayView<const Ordinal, Space>& sizes);

/// The histogram of `sizes`, and the sum of sizes(run_of(row)) over all rows: how many entries rows
/// have of which each is as long as the first row of its run.
struct SizesOfRuns {
  SizeHistogram histogram;
  std::int64_t entries = 0;

  KOKKOS_INLINE_FUNCTION SizesOfRuns& operator+=(const SizesOfRuns& other) {
    histogram += other.histogram;
    entries += other.entries;
    return *this;
  }
};

/// Both in one pass; waits for the device.
template <class Space>
SizesOfRuns sizes_of_runs(const Space& exec, TableFill fill,
                          const ArrayView<const Ordinal, Space>& sizes,
                          const ArrayView<const Ordinal, Space>& run_of);

/// The rows listed bin by bin, ascending in each; in `memory` where that has room for all.
template <class Space>
RowBins<Space> bin_rows(const Space& exec, TableFill fill, const SizeHistogram& histogram,
                        int max_log2_slots, const ArrayView<const Ordinal, Space>& sizes,
                        const Array<Ordinal, Space>& memory = {},
                        int log2_slots_of_smallest = smallest_log2_slots);

/// What the phases of a product share, from one allocation: each of them makes a GPU wait.
template <class Space>
struct RowWorkspace {
  Array<Ordinal, Space> sizes, bounds, rows;  ///< num_rows each

  RowWorkspace(const Space& exec, Ordinal num_rows) {
    const std::size_t n = num_rows;
    const auto all = allocate<Ordinal>(exec, "tessera::spgemm::row_workspace", 3 * n);
    sizes = Kokkos::subview(all, Kokkos::make_pair(std::size_t(0), n));
    bounds = Kokkos::subview(all, Kokkos::make_pair(n, 2 * n));
    rows = Kokkos::subview(all, Kokkos::make_pair(2 * n, 3 * n));
  }
};

/// bounds(i) = the number of products in row i of A B, at most `num_cols`.
template <class Space, class Offset>
void bound_row_sizes(const Space& exec, const ArrayView<const Offset, Space>& a_offsets,
                     const ArrayView<const Ordinal, Space>& a_columns,
                     const ArrayView<const Offset, Space>& b_offsets, Ordinal num_cols,
                     const ArrayView<Ordinal, Space>& bounds);

/// offsets(i) = the sum of counts before i, offsets(n) = the sum of all.
template <class Space, class Offset>
void offsets_from_counts(const Space& exec, const ArrayView<const Ordinal, Space>& counts,
                         const ArrayView<Offset, Space>& offsets);

/// The sum of `sizes`, beyond the range of an offset too; waits for the device.
template <class Space>
std::int64_t sum_of_sizes(const Space& exec, const ArrayView<const Ordinal, Space>& sizes);

}  // namespace tessera::kernels::spgemm_detail
