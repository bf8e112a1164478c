// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the MPI that tests run with can do.
#pragma once

#include "tessera/distributed/mpi/mpi_communicator.hpp"

#include <cstdlib>

namespace tessera::test {

/// MPI takes device pointers where the environment has TESSERA_TEST_MPI_DEVICE_POINTERS: an MPI
/// that is given one and cannot read it crashes, so that no test finds out by itself.
inline distributed::MpiOptions mpi_options() {
  return {.takes_device_pointers = std::getenv("TESSERA_TEST_MPI_DEVICE_POINTERS") != nullptr};
}

}  // namespace tessera::test
