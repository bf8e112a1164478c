// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Processes of MPI whose ranks are in the order of hosts, and of the devices of each.
#pragma once

#include "tessera/distributed/places.hpp"

#include <mpi.h>

#include <memory>

namespace tessera::distributed {

/// The processes of `communicator` with other ranks, by which those of a host follow each other,
/// and among them those of a device (`ranks_by_place`), however the launcher has numbered them.
/// `exec` is on this process's device. Coarse levels move between processes that follow each other,
/// and rows that follow each other mostly couple, so that more of both stays on a device and a
/// host.
///
/// It is made before rows are shared out, which goes by the new ranks, and given to
/// `mpi_communicator(*made, options, made)`, which keeps it. Rank 0 stays rank 0.
///
/// Where the ranks are in this order already, nothing is made: it is `communicator` itself, which
/// outlives what is returned. Else it is a new one, freed with the last pointer to it.
/// MPI_Comm_free is collective, so that all processes drop theirs; after MPI_Finalize it is not
/// called.
///
/// Collective. @throws Error on all processes where MPI is not initialised, for MPI_COMM_NULL, and
/// where one of them cannot identify its device.
template <class Space>
std::shared_ptr<const MPI_Comm> comm_by_place(const Space& exec, MPI_Comm communicator);

/// The same for places that are known: by rank in `communicator`, the same on all processes.
/// @throws Error on all processes for places of another number of processes.
std::shared_ptr<const MPI_Comm> comm_by_place(MPI_Comm communicator, const Places& places);

}  // namespace tessera::distributed
