// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which memory messages are sent from.
#pragma once

#include <Kokkos_Core.hpp>
#include <Tpetra_Details_Behavior.hpp>

namespace tessera::tpetra {

/// Whether messages of `Space` are copied to the host, for MPI does not read the device's memory.
template <class Space>
bool goes_through_host() {
  return !Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Space::memory_space>::accessible &&
         !Tpetra::Details::Behavior::assumeMpiIsGPUAware();
}

}  // namespace tessera::tpetra
