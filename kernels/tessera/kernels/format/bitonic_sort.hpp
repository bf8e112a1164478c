// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sorting a short list by the lanes that share it.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::kernels::detail {

/// The power of two next above `n`, or `n` where it is one.
template <class Index>
KOKKOS_INLINE_FUNCTION constexpr Index padded_for_sort(Index n) {
  Index padded = 1;
  while (padded < n)
    padded *= 2;
  return padded;
}

/// Sorts items 0 to `length` by Batcher's bitonic network, in place. `scope.for_each(n, f)` calls
/// f(0) to f(n - 1) by all lanes of the scope and ends with them in step; `compare_exchange(i, j)`,
/// i < j, puts items i and j in ascending order. Every comparison is ascending (the first step of a
/// merge mirrors its upper half), so that any length works: items past the end count as largest and
/// stay where they are. Equal items end up in the same order on every run. `padded`: a power of
/// two, `length` at the least; the same for all scopes whose lanes keep step.
template <class Scope, class Index, class CompareExchange>
KOKKOS_INLINE_FUNCTION void bitonic_sort(const Scope& scope, Index length, Index padded,
                                         const CompareExchange& compare_exchange) {
  for (Index run = 2; run <= padded; run *= 2) {
    for (Index stride = run / 2; stride > 0; stride /= 2) {
      const Index partner = stride == run / 2 ? run - 1 : stride;
      scope.for_each(padded / 2, [&](const Index pair) {
        const Index low = 2 * pair - (pair & (stride - 1));
        const Index high = low ^ partner;
        if (high < length) compare_exchange(low, high);
      });
    }
  }
}

/// All threads of a team as the scope of a sort.
template <class Member>
struct SortingTeam {
  const Member& member;

  template <class Index, class Function>
  KOKKOS_INLINE_FUNCTION void for_each(Index n, const Function& function) const {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(member, n), function);
    member.team_barrier();
  }
};

}  // namespace tessera::kernels::detail
