// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whether each process has a device for itself.
#pragma once

#include "tessera/distributed/communicator.hpp"

#include <array>
#include <cstdint>

namespace tessera::distributed::nccl {

/// The 16 bytes that tell a device from all others, on whatever host.
using DeviceId = std::array<std::int64_t, 2>;

/// Collective. @throws Error of kind `configuration` on all processes where two of them have the
///         same device: NCCL does not serve these, and may wait for ever.
void require_own_devices(const Communicator& processes, const DeviceId& own);

}  // namespace tessera::distributed::nccl
