// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sorted lists of global numbers in a space's memory.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <cstdint>

namespace tessera::distributed {

template <class Space>
using GlobalNumbers = Array<const std::int64_t, Space>;

/// The place of `number` in `sorted`, which has it; else that of the first one above.
template <class View>
KOKKOS_INLINE_FUNCTION Ordinal place_in(const View& sorted, std::int64_t number) {
  Ordinal low = 0;
  for (auto high = static_cast<Ordinal>(sorted.extent(0)); low < high;) {
    const Ordinal middle = low + (high - low) / 2;
    if (sorted(middle) < number) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Sorts `numbers`, and returns each of them once. Waits for `exec`.
template <class Space>
GlobalNumbers<Space> sorted_once(const Space& exec, const Array<std::int64_t, Space>& numbers);

/// Each of `numbers` divided by `divisor` and rounded down: of unknowns their nodes. None is
/// negative. Waits for `exec`.
template <class Space>
Array<std::int64_t, Space> divided_numbers(const Space& exec, const GlobalNumbers<Space>& numbers,
                                           int divisor);

/// One list behind the other. Waits for `exec`.
template <class Space>
Array<std::int64_t, Space> joined_numbers(const Space& exec, const GlobalNumbers<Space>& a,
                                          const GlobalNumbers<Space>& b);

/// The numbers of both lists, each once and in ascending order. Waits for `exec`.
template <class Space>
GlobalNumbers<Space> united(const Space& exec, const GlobalNumbers<Space>& a,
                            const GlobalNumbers<Space>& b);

/// How many of `sorted` are below `number`. Waits for `exec`.
template <class Space>
Ordinal num_below(const Space& exec, const GlobalNumbers<Space>& sorted, std::int64_t number);

/// Of each of `numbers` `first` and its place in `sorted` together. Waits for `exec`.
template <class Space>
Array<Ordinal, Space> places_among(const Space& exec, const GlobalNumbers<Space>& sorted,
                                   const GlobalNumbers<Space>& numbers, Ordinal first);

/// How many of `sorted` are below each of `numbers`, and behind that how many there are. Waits for
/// `exec`.
template <class Space>
Array<Ordinal, Space> counts_below(const Space& exec, const GlobalNumbers<Space>& sorted,
                                   const GlobalNumbers<Space>& numbers);

/// Whether both lists are the same. Waits for `exec`.
template <class Space>
bool are_same(const Space& exec, const GlobalNumbers<Space>& a, const GlobalNumbers<Space>& b);

}  // namespace tessera::distributed
