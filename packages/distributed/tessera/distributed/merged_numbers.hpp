// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What `ColumnNumbers` makes of its lists.
#pragma once

#include "tessera/distributed/sorted_numbers.hpp"

namespace tessera::distributed {

/// Numbers that ascend, and the place of each in a list with another order; no places where that
/// ascends itself.
template <class Space>
struct NumbersInOrder {
  GlobalNumbers<Space> numbers;
  Array<const Ordinal, Space> place;
};

/// Numbers that a list has not got, and how many of that are below the first of them.
template <class Space>
struct NewNumbers {
  GlobalNumbers<Space> numbers;
  std::size_t num_below_first = 0;
};

/// Of a list, which has each number once. Waits for `exec`, as all here.
template <class Space>
NumbersInOrder<Space> ascending_order(const Space& exec, const GlobalNumbers<Space>& list);

/// Those of `numbers` that `known` has not got; both ascend.
template <class Space>
NewNumbers<Space> numbers_without(const Space& exec, const GlobalNumbers<Space>& numbers,
                                  const GlobalNumbers<Space>& known);

/// With numbers that are put behind the list, and which ascend, too: none is there already.
template <class Space>
NumbersInOrder<Space> merged_numbers(const Space& exec, const NumbersInOrder<Space>& known,
                                     const GlobalNumbers<Space>& added);

/// Those whose mark, by place in the list, is not 0; and by that place, behind `first` ones before
/// them, which of them it is: -1 for none.
template <class Space>
NumbersInOrder<Space> kept_numbers(const Space& exec, const NumbersInOrder<Space>& given,
                                   const NonDeduced<ArrayView<const Ordinal, Space>>& marks,
                                   Ordinal first);

}  // namespace tessera::distributed
