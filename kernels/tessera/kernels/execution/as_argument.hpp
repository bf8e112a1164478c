// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How a large functor reaches a GPU.
#pragma once

#include <Kokkos_Core.hpp>

namespace tessera::kernels {

/// `policy` for a kernel whose functor of up to 4 kB is its argument. Without this Kokkos copies
/// functors of more than 512 bytes to the GPU's constant memory, and the host waits until the
/// kernel before that used it is done.
template <class Policy>
auto as_argument(const Policy& policy) {
  return Kokkos::Experimental::require(policy,
                                       Kokkos::Experimental::WorkItemProperty::HintLightWeight);
}

}  // namespace tessera::kernels
