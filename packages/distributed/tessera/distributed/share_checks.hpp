// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is wrong with the rows that a process was given.
#pragma once

#include "tessera/distributed/column_numbers.hpp"
#include "tessera/distributed/row_stack.hpp"
#include "tessera/operator/error.hpp"

#include <cstdint>
#include <string>

namespace tessera::distributed {

/// Throws an `Error` of kind `precondition`.
[[noreturn]] void refuse_share(const std::string& message);

/// Entry i of a list. Waits for `exec`.
template <class T, class Space>
T entry_of(const Space& exec, const ArrayView<const T, Space>& list, std::size_t i) {
  T entry{};
  Kokkos::deep_copy(exec, entry, Kokkos::subview(list, i));
  exec.fence("tessera::distributed::entry_of");
  return entry;
}

/// Throws unless these are offsets of rows with so many columns and values. Waits for `exec`.
template <class Space>
void check_offsets(const Space& exec, const ArrayView<const std::int64_t, Space>& offsets,
                   std::size_t columns, std::size_t values);

/// Of a sorted row that has a column twice; `first` is the number of this process's first row.
template <class Space>
[[noreturn]] void refuse_twice(const Space& exec, const LocalRows<Space>& rows,
                               const ColumnNumbers<Space>& numbers, Ordinal row,
                               std::int64_t first);

}  // namespace tessera::distributed
