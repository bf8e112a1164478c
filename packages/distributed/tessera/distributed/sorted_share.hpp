// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A share of rows with columns numbered here, each row sorted.
#pragma once

#include "tessera/distributed/column_numbers.hpp"
#include "tessera/distributed/first_where.hpp"
#include "tessera/distributed/row_stack.hpp"
#include "tessera/distributed/solver.hpp"

namespace tessera::distributed {

/// Rows, and what is wrong with those given.
template <class Space>
struct SortedShare {
  LocalRows<Space> rows;
  Array<std::int64_t, Space> place;  ///< by entry of `rows` where it was among those given
  std::int64_t outside = nowhere;  ///< the first entry given whose column there is not
  std::int64_t twice = nowhere;  ///< the first row that has a column twice
};

/// The rows by `numbers`, which has all columns from 0 up to `num_all` that they have. Where a
/// column is `outside`, there is nothing but that. Waits for `exec`.
template <class Space>
SortedShare<Space> sorted_share(const Space& exec, const ShareOfRows<Space>& given,
                                const ColumnNumbers<Space>& numbers, std::int64_t num_all);

/// The values at these places. Waits for `exec`.
template <class Space>
Array<double, Space> values_at(const Space& exec, const ArrayView<const std::int64_t, Space>& place,
                               const ArrayView<const double, Space>& values);

}  // namespace tessera::distributed
