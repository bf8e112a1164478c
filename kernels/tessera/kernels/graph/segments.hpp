// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which members belong to which group.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <optional>

namespace tessera::kernels {

/// Group `g` has the members `members(offsets(g))` up to `members(offsets(g + 1))`, ascending.
template <class Space>
struct Segments {
  Array<Ordinal, Space> offsets;
  Array<Ordinal, Space> members;
};

/// Lists the members of each group: `group_of(i)` in [0, num_groups), or negative for no group. A
/// counting sort; each group's members are put in order, so that the result does not depend on the
/// order in which threads ran. `num_members`, if known, saves a wait for `exec`.
template <class Space>
Segments<Space> group_by(const Space& exec,
                         const NonDeduced<ArrayView<const Ordinal, Space>>& group_of,
                         Ordinal num_groups, std::optional<Ordinal> num_members = std::nullopt);

/// Sorts `values[0 .. count)` in one thread: insertion for the short, heap sort for the long.
KOKKOS_INLINE_FUNCTION void sort_ascending(Ordinal* values, std::size_t count) {
  if (count <= 48) {
    for (std::size_t i = 1; i < count; ++i) {
      const Ordinal value = values[i];
      std::size_t at = i;
      for (; at > 0 && values[at - 1] > value; --at)
        values[at] = values[at - 1];
      values[at] = value;
    }
    return;
  }
  for (std::size_t heap = count, start = count / 2; heap > 1;) {
    Ordinal value;
    if (start > 0) {
      value = values[--start];
    } else {
      value = values[--heap];
      values[heap] = values[0];
    }
    std::size_t hole = start;
    for (std::size_t child = 2 * hole + 1; child < heap; child = 2 * hole + 1) {
      if (child + 1 < heap && values[child + 1] > values[child]) ++child;
      if (values[child] <= value) break;
      values[hole] = values[child];
      hole = child;
    }
    values[hole] = value;
  }
}

}  // namespace tessera::kernels
