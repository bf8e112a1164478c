// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The rows of one process in the memory of the host.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace tessera::hypre {

/// Leaves numbers that are not given a value as memory has them: a list that is written over in
/// full needs no zeros first.
template <class T>
struct UninitialisedAllocator : std::allocator<T> {
  static_assert(std::is_trivially_copyable_v<T>);
  template <class U>
  struct rebind {
    using other = UninitialisedAllocator<U>;
  };
  using std::allocator<T>::allocator;

  template <class U>
  void construct(U* place) noexcept {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(static_cast<Arguments&&>(arguments)...);
  }
};

/// Its `resize` leaves new entries without a value.
template <class T>
using HostList = std::vector<T, UninitialisedAllocator<T>>;

/// In compressed form, with columns numbered through over all processes, as rows are.
struct HostRows {
  std::vector<std::int64_t> offsets{0};
  HostList<std::int64_t> columns;
  HostList<double> values;

  std::int64_t num_rows() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  void push(std::int64_t column, double value) {
    columns.push_back(column);
    values.push_back(value);
  }
  void end_row() { offsets.push_back(static_cast<std::int64_t>(columns.size())); }
};

}  // namespace tessera::hypre
