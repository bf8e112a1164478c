// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Up to a few columns' sums carried together through one pass over a row.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::kernels::detail {

/// The largest number of right-hand sides that one pass over the matrix serves.
inline constexpr int max_columns_at_once = 8;

/// One partial sum for each of `N` columns.
template <class Scalar, int N>
struct ColumnSums {
  Scalar value[N] = {};

  KOKKOS_INLINE_FUNCTION ColumnSums& operator+=(const ColumnSums& other) {
    for (int c = 0; c < N; ++c)
      value[c] += other.value[c];
    return *this;
  }
};

/// Adds entries `first` up to `last` times `x` (columns `ldx` apart). `values` and `x` are pointers
/// or StorageReaders, `columns` is a pointer or what gives an entry's column.
template <class Sum, int N, class Columns, class Values, class Vectors, class Offset>
KOKKOS_INLINE_FUNCTION void add_products(ColumnSums<Sum, N>& sums, const Columns& columns,
                                         const Values& values, const Vectors& x, std::size_t ldx,
                                         Offset first, Offset last) {
  for (Offset entry = first; entry < last; ++entry) {
    const Sum value = values[entry];
    const std::size_t column = columns[entry];
    for (int c = 0; c < N; ++c)
      sums.value[c] += value * x[column + c * ldx];
  }
}

/// Calls `pass(std::integral_constant<int, N>, first_column)` for groups of 8, 4, 2 and 1 columns
/// until all `k` are done.
template <class Pass>
void for_column_groups(int k, const Pass& pass) {
  int first = 0;
  for (; k - first >= 8; first += 8)
    pass(std::integral_constant<int, 8>{}, first);
  if (k - first >= 4) {
    pass(std::integral_constant<int, 4>{}, first);
    first += 4;
  }
  if (k - first >= 2) {
    pass(std::integral_constant<int, 2>{}, first);
    first += 2;
  }
  if (k - first >= 1) pass(std::integral_constant<int, 1>{}, first);
}

/// The same in groups of 4 and 1 columns: half the kernels, where there is one for each pair of
/// storage and working scalar.
template <class Pass>
void for_few_column_groups(int k, const Pass& pass) {
  int first = 0;
  for (; k - first >= 4; first += 4)
    pass(std::integral_constant<int, 4>{}, first);
  for (; first < k; ++first)
    pass(std::integral_constant<int, 1>{}, first);
}

}  // namespace tessera::kernels::detail
