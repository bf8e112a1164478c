// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// From row lengths to row offsets.
#pragma once

#include "tessera/kernels/types.hpp"

namespace tessera::kernels {

/// Turns counts into offsets in place: `offsets(i)`, i < n, holds row i's length on entry and the
/// sum of the lengths before it on return; `offsets(n)` receives the total. `offsets`: length n
/// + 1. Returns the total, for which it waits.
template <class Space, class Offset>
std::size_t counts_to_offsets(const Space& exec, const Array<Offset, Space>& offsets) {
  const std::size_t n = offsets.extent(0) - 1;
  Offset total = 0;
  Kokkos::parallel_scan(
      "tessera::counts_to_offsets", Kokkos::RangePolicy<Space>(exec, 0, n + 1),
      KOKKOS_LAMBDA(const std::size_t i, Offset& sum, const bool last) {
        const Offset count = i < n ? offsets(i) : Offset(0);
        if (last) offsets(i) = sum;
        sum += count;
      },
      total);
  exec.fence("tessera::counts_to_offsets");
  return static_cast<std::size_t>(total);
}

}  // namespace tessera::kernels
