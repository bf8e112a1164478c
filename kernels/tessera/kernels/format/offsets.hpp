// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// From row lengths to row offsets.
#pragma once

#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"

#include <utility>

namespace tessera::kernels {

namespace detail {

/// A scan. The sums are of the offsets' own type: of one wider than a word, Kokkos's scans let two
/// lanes of a warp write the upper word without a wait between them.
template <class Space, class Offset>
struct SumBefore {
  ArrayView<Offset, Space> counts;  ///< length n + 1
  std::size_t n;

  KOKKOS_FUNCTION void operator()(std::size_t i, Offset& sum, bool last) const {
    const Offset count = i < n ? counts(i) : Offset(0);
    if (last) counts(i) = sum;
    sum += count;
  }
};

template <class Space, class Offset>
struct SumOf {
  ArrayView<Offset, Space> counts;

  KOKKOS_FUNCTION void operator()(std::size_t i, std::int64_t& sum) const { sum += counts(i); }
};

/// Of two arrays.
struct TwoSums {
  std::int64_t first = 0, second = 0;

  KOKKOS_INLINE_FUNCTION TwoSums& operator+=(const TwoSums& other) {
    first += other.first;
    second += other.second;
    return *this;
  }
};

template <class Space, class Offset>
struct SumOfEach {
  ArrayView<Offset, Space> first, second;

  KOKKOS_FUNCTION void operator()(std::size_t i, TwoSums& sums) const {
    sums.first += first(i);
    sums.second += second(i);
  }
};

}  // namespace detail

/// Turns counts into offsets in place: `counts(i)`, i < n, holds row i's length on entry and the
/// sum of the lengths before it on return; `counts(n)` receives the total, which an `Offset` is
/// known to hold. `counts`: length n + 1. Nothing waits.
template <class Offset, class Space>
void counts_to_offsets_async(const Space& exec,
                             const NonDeduced<ArrayView<Offset, Space>>& counts) {
  const std::size_t n = counts.extent(0) - 1;
  Kokkos::parallel_scan("tessera::counts_to_offsets", Kokkos::RangePolicy<Space>(exec, 0, n + 1),
                        detail::SumBefore<Space, Offset>{counts, n});
}

/// The same where the total may be more than an `Offset` holds: throws `OffsetOverflow`, with the
/// counts as they were, and names `what` was to have the entries. Returns the total, for which it
/// waits.
template <class Offset, class Space>
std::size_t counts_to_offsets(const Space& exec, const NonDeduced<ArrayView<Offset, Space>>& counts,
                              const char* what = "the result") {
  std::int64_t total = 0;
  Kokkos::parallel_reduce("tessera::sum_of_counts",
                          Kokkos::RangePolicy<Space>(exec, 0, counts.extent(0) - 1),
                          detail::SumOf<Space, Offset>{counts}, total);
  require_countable<Offset>(total, what);
  counts_to_offsets_async<Offset, Space>(exec, counts);
  return static_cast<std::size_t>(total);
}

/// The same for two arrays of one length, for which this waits once; where either total is too
/// large, both have their counts as they were.
template <class Offset, class Space>
std::pair<std::size_t, std::size_t> both_counts_to_offsets(
    const Space& exec, const NonDeduced<ArrayView<Offset, Space>>& first,
    const NonDeduced<ArrayView<Offset, Space>>& second, const char* what = "the result") {
  detail::TwoSums totals;
  Kokkos::parallel_reduce("tessera::sum_of_counts",
                          Kokkos::RangePolicy<Space>(exec, 0, first.extent(0) - 1),
                          detail::SumOfEach<Space, Offset>{first, second}, totals);
  require_countable<Offset>(totals.first, what);
  require_countable<Offset>(totals.second, what);
  counts_to_offsets_async<Offset, Space>(exec, first);
  counts_to_offsets_async<Offset, Space>(exec, second);
  return {static_cast<std::size_t>(totals.first), static_cast<std::size_t>(totals.second)};
}

}  // namespace tessera::kernels
