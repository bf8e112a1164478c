// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Looking for the first entry of which something holds.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace tessera::distributed {

/// The place of what there is not.
inline constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::max();

/// Keeps the least number that it finds.
template <class Finds>
struct KeepLeast {
  Finds finds;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::int64_t& least) const {
    const auto number = static_cast<std::int64_t>(i);
    if (number < least && finds(i)) least = number;
  }
};

/// The least i below `count` that `finds`; `nowhere` where there is none. Waits for `exec`.
template <class Space, class Finds>
std::int64_t first_where(const Space& exec, std::size_t count, const Finds& finds) {
  std::int64_t found = nowhere;
  Kokkos::parallel_reduce(
      "tessera::distributed::first_where",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, count),
      KeepLeast<Finds>{finds}, Kokkos::Min<std::int64_t>(found));
  exec.fence("tessera::distributed::first_where");
  return found;
}

}  // namespace tessera::distributed
