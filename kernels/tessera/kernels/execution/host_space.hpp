// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which execution spaces run on the host.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::kernels {

/// True for Serial, OpenMP and Threads. A team kernel that suits a GPU has a plain row loop beside
/// it for these.
template <class Space>
inline constexpr bool is_host_space =
    std::is_same_v<typename Space::memory_space, Kokkos::HostSpace>;

}  // namespace tessera::kernels
