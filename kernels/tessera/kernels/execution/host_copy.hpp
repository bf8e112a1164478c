// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Copies between a device View and the host on a given instance.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::kernels {

/// The content of `v` on the host after the next fence of `exec`: `v` itself where the host can
/// read it, a copy elsewhere. For several that one fence brings.
template <class Space, class ViewType>
auto queue_copy_to_host(const Space& exec, const ViewType& v) {
  using Memory = typename ViewType::memory_space;
  // Kokkos's own mirror of a view of constants is a copy on a host as well.
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, Memory>::accessible) {
    return v;
  } else {
    auto mirror = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, v);
    Kokkos::deep_copy(exec, mirror, v);
    return mirror;
  }
}

/// The same once everything queued on `exec` is done.
template <class Space, class ViewType>
auto copy_to_host(const Space& exec, const ViewType& v) {
  auto mirror = queue_copy_to_host(exec, v);
  exec.fence("tessera::copy_to_host");
  return mirror;
}

}  // namespace tessera::kernels
