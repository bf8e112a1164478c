// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Processes of MPI.
#pragma once

#include "tessera/distributed/communicator.hpp"

#include <mpi.h>

#include <memory>

namespace tessera::distributed {

/// How MPI is used.
struct MpiOptions {
  /// MPI reads and writes the memory of devices. Else messages go through pinned memory of the
  /// host.
  bool takes_device_pointers = false;
};

/// The tag of all messages: whoever has others under way on the same communicator meanwhile takes
/// another one, or gives Tessera a duplicate.
inline constexpr int mpi_tag = 31415;

/// The processes of `communicator`, which is used as it is and not duplicated: it outlives what is
/// returned. `owner`, if given, keeps it. MPI is initialised, and not yet finalised where anything
/// is called. @throws Error where MPI is not initialised, and for MPI_COMM_NULL.
std::shared_ptr<const Communicator> mpi_communicator(
    MPI_Comm communicator, const MpiOptions& options = {},
    const std::shared_ptr<const void>& owner = nullptr);

}  // namespace tessera::distributed
