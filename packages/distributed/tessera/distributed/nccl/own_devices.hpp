// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whether each process has a device for itself.
#pragma once

#include "tessera/distributed/communicator.hpp"
#include "tessera/distributed/places.hpp"

namespace tessera::distributed::nccl {

/// Collective. @throws Error of kind `configuration` on all processes where two of them have the
///         same device: NCCL does not serve these, and may wait for ever.
void require_own_devices(const Communicator& processes, const DeviceId& own);

}  // namespace tessera::distributed::nccl
