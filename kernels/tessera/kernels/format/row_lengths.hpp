// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// From row lengths to row offsets, with what is to be known of the lengths.
#pragma once

#include "tessera/kernels/format/offsets.hpp"

namespace tessera::kernels {

/// The sum of the lengths of rows, and the longest: a reduction's value.
struct RowLengths {
  std::int64_t total = 0;
  std::int64_t longest = 0;

  KOKKOS_INLINE_FUNCTION RowLengths& operator+=(const RowLengths& other) {
    total += other.total;
    longest = Kokkos::max(longest, other.longest);
    return *this;
  }
};

template <class Space, class Offset>
struct SumOfLengths {
  ArrayView<Offset, Space> lengths;

  KOKKOS_FUNCTION void operator()(std::size_t i, RowLengths& sum) const {
    sum += RowLengths{lengths(i), lengths(i)};
  }
};

/// `counts_to_offsets`, with the longest row from the same pass and the same wait.
template <class Offset, class Space>
RowLengths lengths_to_offsets(const Space& exec, const NonDeduced<ArrayView<Offset, Space>>& counts,
                              const char* what = "the result") {
  RowLengths lengths;
  Kokkos::parallel_reduce("tessera::row_lengths",
                          Kokkos::RangePolicy<Space>(exec, 0, counts.extent(0) - 1),
                          SumOfLengths<Space, Offset>{counts}, lengths);
  require_countable<Offset>(lengths.total, what);
  counts_to_offsets_async<Offset, Space>(exec, counts);
  return lengths;
}

}  // namespace tessera::kernels
