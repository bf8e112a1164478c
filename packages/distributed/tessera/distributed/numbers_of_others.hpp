// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Global numbers on a device that are other processes'.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <cstdint>
#include <vector>

namespace tessera::distributed {

/// Those of `numbers` that are not from `first` up to `first` + `own`, each once, in ascending
/// order; what is below 0 is no number. Waits for `exec`.
template <class Space>
std::vector<std::int64_t> numbers_of_others(const Space& exec,
                                            const ArrayView<const std::int64_t, Space>& numbers,
                                            std::int64_t first, Ordinal own);

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

}  // namespace tessera::distributed
