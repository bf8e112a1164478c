// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Lists of the host in the memory of a space.
#pragma once

#include "tessera/distributed/host_array.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <vector>

namespace tessera::distributed {

/// A copy on the device. Waits for `exec`.
template <class T, class Space, class Allocator>
Array<T, Space> from_host(const Space& exec, const std::vector<T, Allocator>& given) {
  const auto copy = allocate<T>(exec, "tessera::distributed::from_host", given.size());
  const Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
      given.data(), given.size());
  if (!given.empty()) Kokkos::deep_copy(exec, copy, host);
  exec.fence("tessera::distributed::from_host");
  return copy;
}

/// The list itself where the host's memory is the space's, else a copy, for which it waits.
template <class T, class Space>
Array<const T, Space> shared_from_host(const Space& exec,
                                       const Kokkos::View<const T*, Kokkos::HostSpace>& given) {
  if constexpr (kernels::is_host_space<Space>) {
    return given;
  } else {
    const auto copy = allocate<T>(exec, "tessera::distributed::from_host", given.extent(0));
    if (given.extent(0) > 0) Kokkos::deep_copy(exec, copy, given);
    exec.fence("tessera::distributed::from_host");
    return copy;
  }
}

}  // namespace tessera::distributed
