// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Lists of a space's memory on the host.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <type_traits>
#include <vector>

namespace tessera::distributed {

/// A copy on the host. Waits for `exec`.
template <class Space, class View>
auto to_host(const Space& exec, const View& given) {
  using T = std::remove_const_t<typename View::value_type>;
  std::vector<T> copy(given.extent(0));
  const Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
      copy.data(), copy.size());
  if (!copy.empty()) Kokkos::deep_copy(exec, host, given);
  exec.fence("tessera::distributed::to_host");
  return copy;
}

}  // namespace tessera::distributed
