// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Lists in the memory of the host, which may be somebody else's.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tessera::distributed {

/// Made of a pointer and a length it is somebody else's, who keeps it as long as it or a copy of it
/// is used; otherwise copies of it own it together.
template <class T>
using HostArray = Kokkos::View<const T*, Kokkos::HostSpace>;

/// One that owns a copy of `given`. Between Kokkos's beginning and its end.
template <class T>
HostArray<T> host_array(const T* given, std::size_t size) {
  const auto copy =
      allocate<T>(Kokkos::DefaultHostExecutionSpace(), "tessera::distributed::host_array", size);
  std::copy_n(given, size, copy.data());
  return copy;
}

template <class T, class Allocator>
HostArray<T> host_array(const std::vector<T, Allocator>& given) {
  return host_array(given.data(), given.size());
}

}  // namespace tessera::distributed
