// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Slices of rows of a product, each with a bounded number of products.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <vector>

namespace tessera::kernels::spgemm_detail {

/// Where a slice begins.
struct SliceMark {
  Ordinal row;
  std::int64_t entry;  ///< of A
  std::int64_t product;  ///< counted over all of A
};

/// How many values of the ascending values(first) to values(last - 1) are less than `value`, plus
/// `first`.
template <class ViewType>
KOKKOS_INLINE_FUNCTION std::int64_t lower_bound(const ViewType& values, std::int64_t first,
                                                std::int64_t last, std::int64_t value) {
  while (first < last) {
    const std::int64_t middle = first + (last - first) / 2;
    if (static_cast<std::int64_t>(values(middle)) < value) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

/// starts(k) = the number of products of the entries of A before k.
template <class Space, class Offset>
struct StartProducts {
  ArrayView<const Ordinal, Space> a_columns;
  ArrayView<const Offset, Space> b_offsets;
  ArrayView<std::int64_t, Space> starts;

  KOKKOS_FUNCTION void operator()(std::int64_t k, std::int64_t& sum, bool final) const {
    if (final) starts(k) = sum;
    if (k == static_cast<std::int64_t>(a_columns.extent(0))) return;
    const Ordinal middle = a_columns(k);
    sum += b_offsets(middle + 1) - b_offsets(middle);
  }
};

/// One thread walks over the slices; a slice costs it a binary search.
template <class Space, class Offset>
struct MarkSlices {
  Ordinal num_rows;
  std::int64_t workspace;
  ArrayView<const Offset, Space> a_offsets;
  ArrayView<const std::int64_t, Space> starts;
  ArrayView<SliceMark, Space> marks;
  ArrayView<Ordinal, Space> num_slices;  ///< one

  KOKKOS_INLINE_FUNCTION SliceMark mark(Ordinal row) const {
    const std::int64_t entry = a_offsets(row);
    return {row, entry, starts(entry)};
  }

  KOKKOS_FUNCTION void operator()(int) const {
    Ordinal slice = 0;
    Ordinal row = 0;
    while (row < num_rows) {
      marks(slice++) = mark(row);
      const std::int64_t limit = starts(a_offsets(row)) + workspace;
      Ordinal low = row + 1;  // ends the slice for certain
      Ordinal high = num_rows;
      while (low < high) {
        const Ordinal middle = low + (high - low + 1) / 2;
        if (starts(a_offsets(middle)) <= limit) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      row = low;
    }
    marks(slice) = mark(num_rows);
    num_slices(0) = slice;
  }
};

}  // namespace tessera::kernels::spgemm_detail
