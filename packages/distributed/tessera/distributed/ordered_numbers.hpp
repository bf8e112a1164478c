// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Numbers on one process in the order of all.
#pragma once

#include "tessera/distributed/partition.hpp"
#include "tessera/distributed/row_stack.hpp"

namespace tessera::distributed {

/// Own numbers, which follow each other among all, and others', each at its place in ascending
/// order. A matrix by such numbers has rows that ascend as those of one process do: what is made of
/// the latter is made of it, too.
template <class Space>
struct OrderedNumbers {
  Partition::Global first = 0;
  Ordinal num_own = 0;
  GlobalNumbers<Space> others;  ///< ascending
  Ordinal num_before = 0;  ///< others before own numbers

  Ordinal size() const { return num_own + static_cast<Ordinal>(others.extent(0)); }
};

/// With what is before own numbers. Waits for `exec`.
template <class Space>
OrderedNumbers<Space> ordered_numbers(const Space& exec, Partition::Global first, Ordinal num_own,
                                      const NonDeduced<GlobalNumbers<Space>>& others);

/// Between the two ways to count the same numbers: own ones first, or all in order.
struct PlacesInOrder {
  Ordinal num_before = 0;
  Ordinal num_own = 0;

  template <class Space>
  explicit PlacesInOrder(const OrderedNumbers<Space>& numbers)
      : num_before(numbers.num_before), num_own(numbers.num_own) {}

  KOKKOS_FUNCTION Ordinal place(Ordinal own_first) const {
    if (own_first < num_own) return num_before + own_first;
    return own_first < num_own + num_before ? own_first - num_own : own_first;
  }
  KOKKOS_FUNCTION Ordinal own_first(Ordinal place) const {
    if (place < num_before) return num_own + place;
    return place < num_before + num_own ? place - num_before : place;
  }
};

/// The same rows as those of a square matrix by `numbers`, of whose rows others' are empty. Columns
/// of `rows`: own ones first, then `others`, which are among those of `numbers`.
template <class Space>
LocalRows<Space> placed_rows(const Space& exec, const LocalRows<Space>& rows,
                             const NonDeduced<GlobalNumbers<Space>>& others,
                             const OrderedNumbers<Space>& numbers);

/// `num_rows` rows from `first_row` on, columns by `columns`, which becomes those of `numbers`, own
/// ones first, without others' that have no entry. The values are `rows`'s.
template <class Space>
LocalRows<Space> own_columns_first(const Space& exec, const LocalRows<Space>& rows,
                                   Ordinal first_row, Ordinal num_rows,
                                   const OrderedNumbers<Space>& numbers,
                                   ColumnNumbers<Space>& columns);

}  // namespace tessera::distributed
