// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whether messages may be sent from and to a device's memory here.
#pragma once

#include "support/all_processes.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::test {

/// Any MPI takes pointers of a host's space; a device's, where the tests were told so
/// (support/mpi_options.hpp).
inline bool pointers_may_be_sent() {
  return kernels::is_host_space<DeviceSpace> || all_processes()->takes_device_pointers();
}

}  // namespace tessera::test
